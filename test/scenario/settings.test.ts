import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import { FEEDBACK_PRESETS } from '../../host-agent/feedback/feedback-plan';
import { settingsOn } from '../../host-agent/settings/settings';
import type { ScenarioInput } from '../../emulator/scenario/schema';
import type { ScenarioSettingsInput, SettingName } from '../../host-agent/settings/settings';
import { sampled } from '../support/sampled';
import { CASES, digestOf, LOOP, outcomeOf, SWITCHES } from '../support/setting-cases';
import type { Case } from '../support/setting-cases';

/** Outcomes without the setting that is asked for: most settings have the same. */
const bases = new Map<string, ReturnType<typeof outcomeOf>>();

function baseOf(
  where: Partial<ScenarioInput>,
  parameters: ScenarioSettingsInput,
): ReturnType<typeof outcomeOf> {
  const key = JSON.stringify([where, parameters]);
  const known = bases.get(key) ?? outcomeOf(where, parameters);
  bases.set(key, known);
  return known;
}

const LOOPS = Object.keys(FEEDBACK_PRESETS) as (keyof typeof FEEDBACK_PRESETS)[];

test('every setting of a scenario has a case', () => {
  const names = settingsOn('scenario').filter((name) => !LOOP.has(name));
  expect(Object.keys(CASES).sort()).toEqual([...names].sort());
});

/** Every setting with every loop, of which the next setting has the next one first. */
const PAIRS = (Object.keys(CASES) as SettingName[]).flatMap((name, i) =>
  LOOPS.map((_, j) => ({ name, feedback: LOOPS[(i + j) % LOOPS.length] ?? 'ack' })),
);

test.each(sampled('settings with loops are not tried', PAIRS, 5, ({ name }) => name))(
  '$name acts or is refused with feedback: $feedback',
  async ({ name, feedback }) => {
    const { asks, beside = {}, where = {} } = CASES[name] as Case;
    const at = { ...where, ...SWITCHES[name] };
    const asked = await outcomeOf(at, { feedback, ...beside, ...asks });
    if ('refused' in asked) {
      expect(asked.refused).toMatch(new RegExp(`^(.*\\b)?(${name}|${feedback}|framing|T)\\b`));
      return;
    }
    expect(asked).not.toEqual(await baseOf(at, { feedback, ...beside }));
  },
);

describe('settings that need other switches', () => {
  test.each(Object.keys(SWITCHES) as SettingName[])('%s is refused without them', async (name) => {
    const { asks } = CASES[name] as Case;
    const outcome = await outcomeOf({}, asks);
    expect('refused' in outcome ? outcome.refused : '').toContain(name);
  });

  test('a host with a fixed rate needs the algorithm at the sender', async () => {
    const fixed = { fixedRateGbps: { h1: 10 } };
    expect(await outcomeOf(fixed, {})).toHaveProperty('figures');
    expect(await outcomeOf(fixed, { feedback: 'receiver' })).toEqual({
      refused: 'fixedRateGbps of h1 needs controlAt: sender, which has the rate',
    });
  });
});

test('sourceRerouting acts where hosts coordinate', async () => {
  const scenario = { ...loadScenario('ccm-overload'), untilUs: 60 };
  const figures = async (parameters: ScenarioSettingsInput): Promise<string> => {
    const { result } = await runScenario({
      scenario: withParameters(scenario, parameters),
      seed: 1,
      checkInvariants: false,
    });
    const { parameters: _, ...others } = result;
    return digestOf(others);
  };
  expect(await figures({ sourceRerouting: 'off' })).not.toBe(await figures({}));
});
