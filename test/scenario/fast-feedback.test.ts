import { runScenario } from '../support/shared-runs';
import {
  loadScenario,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import { comparisonRow, switchResponses } from '../../emulator/result/comparison';
import type { Result } from '../../emulator/result/result';
import { reactionUs, resultOf, runVariants } from '../support/scenario-runs';

function soundRuns(
  name: string,
  variants = ['without', 'with'],
): { of: (variant: string) => Result } {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants(name);
  });

  test.each(variants)('breaks no invariant %s answers, and every flow ends', (each) => {
    const { violations, flows, counters } = resultOf(results, each);
    expect(violations).toEqual([]);
    expect(flows.filter(({ fctUs }) => fctUs === null)).toEqual([]);
    expect(counters.hostRejections).toEqual({});
    expect(counters.drops).toEqual({});
  });

  test('counts the answers, which only subscribers get', () => {
    expect(switchResponses(resultOf(results, 'without'))).toBe(0);
    expect(switchResponses(resultOf(results, 'with'))).toBeGreaterThan(10);
  });
  return { of: (variant) => resultOf(results, variant) };
}

describe('an incast onto running flows', () => {
  const { of } = soundRuns('fast-feedback', ['without', 'with', 'signed', 'only']);

  test('ends sooner with few answers of the switch, and has no longer queue', () => {
    const [without, used] = ['without', 'with'].map((each) => comparisonRow(each, of(each)));
    expect(used?.queuePeakBytes).toBeLessThanOrEqual(without?.queuePeakBytes ?? NaN);
    expect(used?.queueP99Bytes).toBeLessThanOrEqual(without?.queueP99Bytes ?? NaN);
    // As soon, up to a tenth of what a packet of each flow takes.
    expect(used?.drainedAtUs).toBeLessThan(1.005 * (without?.drainedAtUs ?? NaN));
    expect(used?.fctUs?.median).toBeLessThan(without?.fctUs?.median ?? NaN);
    // One per flow and interval were 531.
    expect(used?.switchResponses).toBeLessThan(531 / 4);
  });

  test('does so with keys too, where the switch signs its answers', () => {
    const [without, used, signed] = ['without', 'with', 'signed'].map((each) =>
      comparisonRow(each, of(each)),
    );
    expect(signed?.switchResponses).toBeGreaterThan(0.8 * (used?.switchResponses ?? NaN));
    expect(signed?.fctUs?.median).toBeLessThan(without?.fctUs?.median ?? NaN);
    expect(signed?.queuePeakBytes).toBeLessThan(without?.queuePeakBytes ?? NaN);
    expect(signed?.drainedAtUs).toBeLessThan(1.005 * (without?.drainedAtUs ?? NaN));
  });
});

describe('an incast whose data carries no telemetry', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('fast-feedback');
  });

  test('is kept within a sixth of the queue that it has uncontrolled by answers alone', () => {
    const [only, uncontrolled] = ['only', 'uncontrolled'].map((each) =>
      comparisonRow(each, resultOf(results, each)),
    );
    // All that the flows have to send waits where nobody slows down.
    expect(uncontrolled?.queuePeakBytes).toBeGreaterThan(3_500_000);
    expect(only?.queuePeakBytes).toBeLessThan((uncontrolled?.queuePeakBytes ?? NaN) / 6);
    expect(only?.drainedAtUs).toBeLessThan((uncontrolled?.drainedAtUs ?? NaN) / 2);
    expect(only?.utilization).toBeGreaterThan(0.65);
    expect(only?.jain).toBeGreaterThan(0.85);
  });

  test('says so in its result, with as many answers as switches have sent', () => {
    const { flows, traffic, parameters } = resultOf(results, 'only');
    expect(parameters).toMatchObject({ switchResponses: 'only' });
    const taken = flows.map(({ switchResponses = NaN }) => switchResponses);
    // A host has one flow, so that each answer is of use to one.
    expect(taken.reduce((sum, n) => sum + n, 0)).toBe(switchResponses(resultOf(results, 'only')));
    expect(Math.min(...taken)).toBeGreaterThan(0);
    expect(traffic.feedback.packets).toBe(0);
    expect(resultOf(results, 'with').flows[0]).not.toHaveProperty('switchResponses');
  });

  test.each([
    [{ feedback: 'probe' }, 'switchResponses: only leaves no telemetry to bring back'],
    [{ algorithm: 'powertcp' }, 'switchResponses: only needs algorithm: hpccpp'],
    [{ collectEvery: 4 }, 'collectEvery is about telemetry in data'],
  ] as const)('is refused with %j', async (parameters, refusal) => {
    const alone = scenarioVariant(loadScenario('fast-feedback'), 'only');
    const scenario = withParameters(alone, parameters);
    const run = runScenario({ scenario, seed: 1, checkInvariants: false });
    await expect(run).rejects.toThrow(refusal);
  });

  test('is refused where answers go to receivers', async () => {
    const alone = scenarioVariant(loadScenario('fast-feedback'), 'only');
    const feedback = { queueBytes: 20_000, interval: '2 us', toReceiver: true };
    const scenario = { ...alone, telemetry: { feedback } };
    const run = runScenario({ scenario, seed: 1, checkInvariants: false });
    await expect(run).rejects.toThrow('needs answers that come to senders');
  });

  test('has no class of its own, and waits for no admission', async () => {
    const scenario = scenarioVariant(loadScenario('fast-feedback'), 'only');
    const [flow] = scenario.flows ?? [];
    for (const [part, refusal] of [
      [{ dscp: 8 }, 'flow 0 has dscp 8, whose place is that of the subscription'],
      [{ admission: {} }, 'flow 0 waits for admission by telemetry'],
    ] as const) {
      const flows = [{ ...flow, ...part }] as typeof scenario.flows;
      const run = runScenario({
        scenario: { ...scenario, flows },
        seed: 1,
        checkInvariants: false,
      });
      await expect(run).rejects.toThrow(refusal);
    }
  });
});

describe('a flow whose receiver is far behind the congested switch', () => {
  const { of } = soundRuns('fast-feedback-far');
  const JOIN_US = 300;
  /** There and back again from the switch to the receiver: 10.5 us each way. */
  const SECOND_HALF_US = 21;

  test('reacts sooner by about the second half of the path', () => {
    const sooner = reactionUs(of('without'), 1, JOIN_US) - reactionUs(of('with'), 1, JOIN_US);
    expect(sooner).toBeGreaterThan(0.8 * SECOND_HALF_US);
    expect(sooner).toBeLessThan(1.2 * SECOND_HALF_US);
  });

  test('leaves two thirds of the queue, and flows that end no later', () => {
    const [without, used] = [of('without').bottleneck, of('with').bottleneck];
    expect(used.queuePeakBytes).toBeLessThan(0.67 * without.queuePeakBytes);
    expect(used.queueP99Bytes).toBeLessThan(0.67 * without.queueP99Bytes);
    const [late, sooner] = [of('without'), of('with')].map((each) => comparisonRow('', each));
    expect(sooner?.fctUs?.median).toBeLessThan(late?.fctUs?.median ?? NaN);
    expect(sooner?.switchResponses).toBeLessThan(42);
    expect(used.utilization).toBeGreaterThan(without.utilization);
  });
});
