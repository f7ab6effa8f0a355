import { comparisonRow } from '../../emulator/result/comparison';
import { runScenario } from '../support/shared-runs';
import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import { FEEDBACK_PRESETS } from '../../host-agent/feedback/feedback-plan';

const SCENARIO = loadScenario('loops');
const FRAME_BYTES = 1106;

test('the loops are those of --feedback', () => {
  expect(SCENARIO.sideBySide).toEqual(Object.keys(FEEDBACK_PRESETS));
});

describe.each(SCENARIO.sideBySide ?? [])('%s', (name) => {
  test('fills the link with a short queue, and shares it', async () => {
    const scenario = scenarioVariant(SCENARIO, name);
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false, workers: 1 });
    const row = comparisonRow(name, result);
    expect(row.utilization).toBeGreaterThanOrEqual(0.93);
    expect(row.queueP99Bytes).toBeLessThanOrEqual(5 * FRAME_BYTES);
    expect(row.fairAfterUs).toBeLessThanOrEqual(500);
    expect([row.unfinished, row.refused, result.counters.drops]).toEqual([0, 0, {}]);
  });
});
