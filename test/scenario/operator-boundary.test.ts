import { runScenario } from '../support/shared-runs';
import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import { LOAD_RATIO_LENGTH } from '../../common/wire/hpcc/feedback-records';
import { resultOf, runVariants } from '../support/scenario-runs';

describe('flows towards an operator who hides links', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('operator-boundary');
  });

  test('break no invariant', () => {
    for (const { violations } of results.values()) expect(violations).toEqual([]);
  });

  test('learn nothing but a load and an interval', () => {
    const { feedback } = resultOf(results, 'hidden').traffic;
    expect(feedback.bytes).toBe(feedback.packets * LOAD_RATIO_LENGTH);
    const shown = resultOf(results, 'shown').traffic.feedback;
    expect(shown.bytes / shown.packets).toBeGreaterThan(9 * LOAD_RATIO_LENGTH);
  });

  test('show ratios alone in data too, which control the flows alike', () => {
    const [shown, relative] = [resultOf(results, 'shown'), resultOf(results, 'relative')];
    expect(relative.generator.p4Program).toBe('hpcc-relative.p4');
    // Each record is compared with the alias, the nominal capacity and the scaled figures of its port.
    expect(relative.counters.telemetryRecords).toBe(shown.counters.telemetryRecords);
    expect(relative.bottleneck).toEqual(shown.bottleneck);
    expect(relative.flows).toEqual(shown.flows);
  });

  test('are controlled alike by ratios that are rounded', async () => {
    const base = scenarioVariant(loadScenario('operator-boundary'), 'relative');
    const key = '000102030405060708090a0b0c0d0e0f';
    const scenario = { ...base, telemetry: { relative: { nominalGbps: 37, key } } };
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: true });
    const shown = resultOf(results, 'shown');
    expect(result.violations).toEqual([]);
    expect(result.bottleneck.utilization).toBeCloseTo(shown.bottleneck.utilization, 1);
    expect(result.fctUs?.max).toBeLessThan(1.05 * (shown.fctUs?.max ?? NaN));
  });

  test('show nothing at ports that nobody has told what to show', async () => {
    const base = scenarioVariant(loadScenario('operator-boundary'), 'relative');
    const scenario = { ...base, telemetry: {} };
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    expect(result.uncontrolled).toContain('8 of 8 flows sent without control');
  });

  test('ask for ratios of switches that show them', async () => {
    const base = scenarioVariant(loadScenario('operator-boundary'), 'relative');
    const scenario = { ...base, profile: 'hpcc' as const };
    const run = runScenario({ scenario, seed: 1, checkInvariants: false });
    await expect(run).rejects.toThrow('telemetry.relative');
  });

  test('are controlled as well as with all links shown', () => {
    const [shown, hidden] = [resultOf(results, 'shown'), resultOf(results, 'hidden')];
    const within = (a: number, b: number, share: number): void =>
      expect(Math.abs(a / b - 1)).toBeLessThanOrEqual(share);
    within(hidden.bottleneck.queueP99Bytes, shown.bottleneck.queueP99Bytes, 0.02);
    within(hidden.bottleneck.utilization, shown.bottleneck.utilization, 0.01);
    within(hidden.jain ?? NaN, shown.jain ?? NaN, 0.02);
    within(hidden.fctUs?.max ?? NaN, shown.fctUs?.max ?? NaN, 0.05);
  });
});
