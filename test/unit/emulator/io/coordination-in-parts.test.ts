import { Random } from '../../../../common/random/random';
import { loadScenario } from '../../../../emulator/io/scenario-files';
import { runScenario } from '../../../../emulator/io/run-scenario';
import type { ScenarioDocument } from '../../../../emulator/scenario/schema';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';

/** Virtual time that shows notifications, or a failure, and not much more; and numbers of workers. */
const SCENARIOS = [
  ['ccm-both', 90, [2, 3]],
  ['ccm-ring', 60, [2]],
  ['ccm-spray', 90, [3]],
  ['ccm-link-failure', 90, [2, 3]],
  ['ccm-incast', 60, [2]],
  ['ccm-notification-faults', 90, [3]],
] as const;

async function textOf(scenario: ScenarioDocument, workers: number): Promise<string> {
  return JSON.stringify((await runScenario({ scenario, seed: 1, workers })).result);
}

describe('coordination observed by several workers', () => {
  it.each(SCENARIOS)(
    'has the record that one worker makes: %s',
    async (name, untilUs, counts) => {
      const scenario = { ...loadScenario(name), untilUs };
      const { result } = await runScenario({ scenario, seed: 1 });
      expect(result.violations).toEqual([]);
      expect(result.coordination?.log.length).toBeGreaterThan(20);
      for (const workers of counts) {
        expect(await textOf(scenario, workers)).toBe(JSON.stringify(result));
      }
    },
    120_000,
  );

  it('has it also where any worker runs any node', async () => {
    const scenario = { ...loadScenario('ccm-both'), untilUs: 90 };
    const { hosts, switches } = expandTopology(scenario.topology);
    const random = new Random(7);
    const owners = new Map([...hosts, ...switches].map((node) => [node, random.below(3)]));
    const { result } = await runScenario({ scenario, seed: 1, workers: 3, owners });
    expect(JSON.stringify(result)).toBe(await textOf(scenario, 1));
  }, 120_000);
});
