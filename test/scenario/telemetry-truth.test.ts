import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { runScenario } from '../support/shared-runs';

// A tenth of the scenario, for time; `hpcc run telemetry-truth` checks a million records.
const SHARE = 10;

// The ledger stands outside the switches: emulator/record/invariants.ts says what it compares.
test('hop records have the queue, the counter and the clock of the ledger', async () => {
  const whole = loadScenario('telemetry-truth');
  const flows = whole.flows.map((flow) => ({ ...flow, bytes: flow.bytes / SHARE }));
  const { result } = await runScenario({ scenario: { ...whole, flows }, seed: 1 });
  expect(result.counters.telemetryRecords).toBeGreaterThanOrEqual(1_000_000 / SHARE);
  expect(result.violations).toEqual([]);
  expect(result.bottleneck.queuePeakBytes).toBeGreaterThan(10_000);
}, 300_000);
