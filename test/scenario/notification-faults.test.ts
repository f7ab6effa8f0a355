import { runScenario } from '../support/shared-runs';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { judge } from '../campaigns/notification-faults';

/**
 * It shows all that the judge counts: hosts are told again to release a flow until they do, so that losing all of it
 * takes bad links. Thousands are test/campaigns/notification-faults.yaml.
 */
const FAULTS = { seed: 40, loss: 0.6 };
const NETWORK = 1;

const base = loadScenario('ccm-notification-faults');

/** A run in which nothing passes a switch twice and CC is set exactly while it should be. */
async function run(scenario: ScenarioDocument, seed: number): Promise<Result> {
  const { result } = await runScenario({ scenario, seed });
  expect(result.violations).toEqual([]);
  return result;
}

test('notifications over faulty links change nothing when forged or replayed, and starve and pin no flow', async () => {
  const faults = base.notificationFaults;
  if (faults === undefined) throw new Error('the scenario has faults of notifications');
  const scenario = { ...base, notificationFaults: { ...faults, ...FAULTS } };
  const result = await run(scenario, NETWORK);
  const counts = await judge({ result, scenario, seed: NETWORK, run });
  // Otherwise the laws would have been of nothing.
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});
