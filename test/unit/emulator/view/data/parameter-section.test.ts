import { runScenario } from '../../../../support/shared-runs';
import { loadScenario, withParameters } from '../../../../../emulator/io/inputs/scenario-files';
import { parameterSection } from '../../../../../emulator/view/data/parameter-section';

test.each(['incast16', 'ccm-incast'])(
  'every setting of %s has a value and a meaning',
  async (name) => {
    const scenario = withParameters(loadScenario(name), { untilUs: 5 });
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    const { rows = [] } = parameterSection(result);
    const bare = rows.filter(
      ([, value, meaning]) => value === 'null' || !/^[A-Za-z].{3,}/.test(meaning ?? ''),
    );
    expect(bare).toEqual([]);
    const unexplained = rows.filter(([, , meaning]) => meaning === 'constant of the algorithm');
    expect(unexplained.map(([key]) => key)).toEqual([]);
    expect(rows).toContainEqual([
      'waiBytes',
      expect.stringMatching(/W_init|\d/),
      'W_ai, the additive increase in payload bytes',
    ]);
  },
);
