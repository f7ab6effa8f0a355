import { runScenario } from '../support/shared-runs';
import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import { InputError } from '../../common/errors';

const SCENARIO = 'incast16-rocev2';
const VARIANTS = ['write', 'write-probe', 'read', 'read-probe'];

describe('a 16-to-1 incast over RoCEv2', () => {
  const results = new Map<string, Result>();
  const of = (variant: string): Result => results.get(variant) as Result;

  beforeAll(async () => {
    for (const variant of [...VARIANTS, 'udp']) {
      const scenario = scenarioVariant(loadScenario(SCENARIO), variant);
      results.set(variant, (await runScenario({ scenario, seed: 1 })).result);
    }
  });

  test.each(VARIANTS)('breaks no invariant and damages no packet with %s', (variant) => {
    const { violations, counters, flows } = of(variant);
    expect(violations).toEqual([]);
    expect(counters.hostRejections).toEqual({});
    expect(
      flows.every(({ fctUs, deliveredBytes }) => fctUs !== null && deliveredBytes === 500_000),
    ).toBe(true);
    expect(flows.every(({ retransmittedSegments }) => retransmittedSegments === 0)).toBe(true);
    expect(counters.telemetryRecords).toBeGreaterThan(1000);
  });

  test.each(VARIANTS)('goes the way of the flow over UDP with %s', (variant) => {
    const [roce, udp] = [of(variant), of('udp')];
    // The first window of all senders meets at once, whatever carries it.
    expect(roce.bottleneck.queuePeakBytes / udp.bottleneck.queuePeakBytes).toBeCloseTo(1, 1);
    expect((roce.fctUs?.max ?? 0) / (udp.fctUs?.max ?? 1)).toBeCloseTo(1, 1);
    expect(roce.bottleneck.utilization).toBeGreaterThan(0.85);
  });

  test('tells its packets by their purpose', () => {
    const none = { packets: 0, bytes: 0 };
    expect(of('write').traffic.probes).toEqual(none);
    expect(of('write').traffic.acks.packets).toBe(16 * 489);
    expect(of('write').traffic.feedback.bytes).toBe(16 * 489 * 48);
    expect(of('write-probe').traffic.probes.packets).toBeGreaterThan(0);
    expect(of('read').traffic.acks).toEqual(none);
    expect(of('read').traffic.feedback.packets).toBe(16 * 489);
  });

  test('is refused with a path MTU that InfiniBand does not have', async () => {
    const wrong = loadScenario(SCENARIO);
    const scenario = { ...wrong, parameters: { ...wrong.parameters, mss: 1000 } };
    await expect(runScenario({ scenario, seed: 1 })).rejects.toThrow(InputError);
  });
});
