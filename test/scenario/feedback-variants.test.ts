import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import { comparisonRow } from '../../emulator/result/comparison';
import type { ComparisonRow } from '../../emulator/result/comparison';
import type { Result } from '../../emulator/result/result';
import { FEEDBACK_VARIANTS } from '../../emulator/scenario/variants';

/** Runs with invariants checked, each scenario and variant once. */
async function run(scenario: string, variant: string): Promise<Result> {
  const parameters = FEEDBACK_VARIANTS[variant];
  const document = withParameters(loadScenario(scenario), parameters ?? {});
  return (await runScenario({ scenario: document, seed: 1 })).result;
}

/** `value` relative to `reference` differs from 1 by at most `tolerance`. */
function expectWithin(value: number, reference: number, tolerance: number): void {
  expect(Math.abs(value / reference - 1)).toBeLessThanOrEqual(tolerance);
}

describe('a 16-to-1 incast', () => {
  const rows = new Map<string, ComparisonRow>();
  const results = new Map<string, Result>();
  const row = (variant: string): ComparisonRow => rows.get(variant) as ComparisonRow;

  beforeAll(async () => {
    for (const variant of Object.keys(FEEDBACK_VARIANTS)) {
      const result = await run('incast16', variant);
      results.set(variant, result);
      rows.set(variant, comparisonRow(variant, result));
    }
  }, 300_000);

  test.each(Object.keys(FEEDBACK_VARIANTS))('breaks no invariant with %s feedback', (variant) => {
    const result = results.get(variant);
    expect(result?.violations).toEqual([]);
    expect(result?.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(result?.counters.hostRejections).toEqual({});
  });

  // A timer of T divides the window several times in a round trip that the queue makes longer.
  const full = Object.keys(FEEDBACK_VARIANTS).filter((variant) => variant !== 'receiver-timer');

  test.each(full)('uses the link with %s feedback', (variant) => {
    expect(row(variant).utilization).toBeGreaterThan(0.85);
    expect(row(variant).drainedAtUs ?? Infinity).toBeLessThan(150);
  });

  test('has the queue and completion times of the sender-based algorithm at the receiver', () => {
    const [sender, receiver] = [row('per-ack'), row('receiver')];
    expectWithin(receiver.queueP99Bytes, sender.queueP99Bytes, 0.1);
    expectWithin(receiver.fctUs?.median ?? NaN, sender.fctUs?.median ?? NaN, 0.1);
    expectWithin(receiver.fctUs?.max ?? NaN, sender.fctUs?.max ?? NaN, 0.1);
  });

  test('drains as soon with rounds of T at the receiver, and leaves more of the link unused', () => {
    const [timer, marks] = [row('receiver-timer'), row('receiver')];
    expectWithin(timer.drainedAtUs ?? NaN, marks.drainedAtUs ?? NaN, 0.1);
    expect(timer.utilization).toBeGreaterThan(0.65);
    expect(timer.utilization).toBeLessThan(marks.utilization - 0.1);
  });

  test('needs at most one window per flow and round trip from the receiver', () => {
    expect(row('receiver').feedbackPerRtt).toBeLessThanOrEqual(1);
  });

  test('has at most 1.5 times the 99th percentile of the queue with one probe per round trip', () => {
    expect(row('probe').queueP99Bytes / row('per-ack').queueP99Bytes).toBeLessThanOrEqual(1.5);
    expect(row('probe').feedbackPerRtt).toBeLessThanOrEqual(1);
  });

  test('costs a fraction of the telemetry with one packet in 16', () => {
    expect(row('one-in-16').feedbackBytes).toBeLessThan(row('per-ack').feedbackBytes / 15);
  });

  test('goes the same way with a third of the acknowledgements, which bring all telemetry', () => {
    const [delayed, each] = [row('delayed-ack'), row('per-ack')];
    expectWithin(delayed.queueP99Bytes, each.queueP99Bytes, 0.03);
    expect(delayed.drainedAtUs).toBeLessThan(each.drainedAtUs ?? NaN);
    expect(delayed.feedbackPerRtt).toBeLessThan(each.feedbackPerRtt / 3);
    expectWithin(delayed.feedbackBytes, each.feedbackBytes, 0.03);
  });

  test('goes the same way with telemetry in packets of its own, which cost more bytes', () => {
    expectWithin(row('notification').queueP99Bytes, row('per-ack').queueP99Bytes, 0.02);
    expect(row('notification').feedbackBytes).toBeGreaterThan(row('per-ack').feedbackBytes);
  });

  test('goes the same way when the links are hidden', () => {
    expectWithin(row('hidden-links').queueP99Bytes, row('per-ack').queueP99Bytes, 0.02);
    expectWithin(row('hidden-links').fctUs?.max ?? NaN, row('per-ack').fctUs?.max ?? NaN, 0.05);
  });
});

describe('flows that join one after the other', () => {
  const JOINS_US = [600, 1200, 1800];
  const results = new Map<string, Result>();
  beforeAll(async () => {
    for (const variant of ['per-ack', 'counted-flows', 'receiver']) {
      results.set(variant, await run('staggered-joins', variant));
    }
  }, 300_000);
  const of = (variant: string): Result => results.get(variant) as Result;

  test.each(JOINS_US)('share fairly within 500 us of %d us when they are counted', (join) => {
    const after = of('counted-flows').jainTimeline.filter(
      ({ startUs, endUs }) => startUs >= join + 400 && endUs <= join + 600,
    );
    expect(after.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...after.map(({ jain }) => jain))).toBeGreaterThanOrEqual(0.99);
  });

  test('have no longer queue when they are counted than with a fixed step of 80 bytes', () => {
    const [fixed, counted] = [of('per-ack').bottleneck, of('counted-flows').bottleneck];
    expect(counted.queueP99Bytes).toBeLessThanOrEqual(fixed.queueP99Bytes);
    expect(counted.utilization).toBeGreaterThan(fixed.utilization);
  });

  test('have the queue of the sender-based algorithm at the receiver', () => {
    const [sender, receiver] = [of('per-ack').bottleneck, of('receiver').bottleneck];
    expectWithin(receiver.queueP99Bytes, sender.queueP99Bytes, 0.1);
  });

  test('break no invariant', () => {
    for (const result of results.values()) expect(result.violations).toEqual([]);
  });
});
