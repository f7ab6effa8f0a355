import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { ScenarioSettingsInput } from '../../host-agent/settings/settings';
import { EFFORT } from '../support/effort';
import { compareWorkers } from '../workers/compare-workers';

const LOOPS: readonly ScenarioSettingsInput[] = [
  { feedback: 'receiver' },
  { feedback: 'receiver-probe' },
  { feedback: 'receiver', framing: 'rocev2', mss: 1024 },
  { feedback: 'receiver', framing: 'rocev2', mss: 1024, operation: 'read' },
  { feedback: 'receiver-probe', framing: 'rocev2', mss: 1024 },
  { feedback: 'receiver-probe', framing: 'rocev2', mss: 1024, operation: 'read' },
];

/** Two flows, of which the second one joins the first, for a moment. */
const scenarioWith = (parameters: ScenarioSettingsInput): ScenarioDocument =>
  withParameters({ ...loadScenario('join'), untilUs: 700 }, parameters);

const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

describe('a result of a receiver that runs the algorithm', () => {
  test.each(LOOPS)('has U beside the window of each flow: %j', async (parameters) => {
    const { result } = await runScenario({ scenario: scenarioWith(parameters), seed: 1 });
    expect(result.series).toHaveLength(2);
    for (const { normalizedInflight, windowBytes } of result.series) {
      expect(normalizedInflight).toHaveLength(windowBytes.length);
      expect(largest(normalizedInflight)).toBeGreaterThan(0.9);
      // Once the flows share the link, U is what the algorithm steers to.
      expect(normalizedInflight.at(-1)).toBeGreaterThan(0.8);
      expect(normalizedInflight.at(-1)).toBeLessThan(1.1);
    }
  });

  test('is the same where sender and receiver are run by different workers', async () => {
    // PERF: a worker takes a second to begin.
    const scenario = { ...scenarioWith({ feedback: 'receiver' }), untilUs: 200 };
    const { differing } = await compareWorkers(scenario, EFFORT > 1 ? [2, 3] : [2]);
    expect(differing).toEqual([]);
  });

  test('counts telemetry that the receiver has refused', async () => {
    const lying = loadScenario('integrity');
    const scenario = withParameters(lying, { feedback: 'receiver', plausibility: 'on' });
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    expect(Object.keys(result.counters.telemetryRejections ?? {})).not.toEqual([]);
  });
});
