import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';

/**
 * Runs of the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control at 9f4be2a) on the same
 * inputs: star of 100 Gb/s links of 1 us, T 4160 ns, eta 0.95, AI 50 Mb/s. Its data frame has 1090
 * bytes on the wire for 1000 of payload; ours has more, so bytes and times scale by the ratio.
 * "Drained" is the first sample after the peak with at most 5 KB.
 */
const SIMULATOR_FRAME_BYTES = 1090;
const INCAST = {
  queuePeakBytes: 854_560,
  queueAtUs: { 20: 686_700, 40: 436_000, 60: 185_300 },
  stage0: { drainedAtUs: 105.8, fctUs: { min: 565.574, median: 703.2, max: 750.5 } },
  stage5: { drainedAtUs: 105.8, fctUs: { min: 596.792, median: 742.6, max: 767.811 } },
};

const run = async (name: string): Promise<Result> =>
  (await runScenario({ scenario: loadScenario(name), seed: 1 })).result;

const frameRatio = ({ frames }: Result): number =>
  frames.dataAtBottleneckBytes / SIMULATOR_FRAME_BYTES;

const queueAt = ({ queueTimeline }: Result, us: number): number =>
  queueTimeline.bytes[Math.round(us / queueTimeline.intervalUs)] ?? NaN;

/** Within five per cent of the simulator's figure, scaled by the frames. */
function expectNear(result: Result, value: number | null | undefined, figure: number): void {
  const ratio = (value ?? NaN) / (figure * frameRatio(result));
  expect(ratio).toBeGreaterThan(0.95);
  expect(ratio).toBeLessThan(1.05);
}

describe.each([
  ['incast16', INCAST.stage5],
  ['incast16-stage0', INCAST.stage0],
])('%s, against the HPCC simulator', (name, figures) => {
  let result: Result;
  beforeAll(async () => {
    result = await run(name);
  });

  test('breaks no invariant and drops nothing', () => {
    expect(result.violations).toEqual([]);
    expect(result.counters.drops).toEqual({});
    expect(result.counters.hostRejections).toEqual({});
  });

  test('has its peak queue', () => {
    expectNear(result, result.bottleneck.queuePeakBytes, INCAST.queuePeakBytes);
  });

  test.each([20, 40, 60] as const)('has its queue at %d us', (us) => {
    expectNear(result, queueAt(result, us), INCAST.queueAtUs[us]);
  });

  test('has the second hump of Figure 13b of the HPCC paper', () => {
    const scale = frameRatio(result);
    const valley = Math.min(...[64, 65, 66, 67, 68].map((us) => queueAt(result, us * scale)));
    const hump = Math.max(...[70, 71, 72, 73, 74, 75].map((us) => queueAt(result, us * scale)));
    expect(hump).toBeGreaterThan(valley * 1.2);
  });

  test('drains when the simulator does', () => {
    expectNear(result, result.bottleneck.drainedAtUs, figures.drainedAtUs);
  });

  test.each(['min', 'median', 'max'] as const)('has its %s completion time', (which) => {
    expectNear(result, result.fctUs?.[which], figures.fctUs[which]);
  });
});

describe('one 20 MB flow', () => {
  let result: Result;
  beforeAll(async () => {
    result = await run('single-flow');
  });

  test('uses 94.5 to 95.3 % of the wire', () => {
    expect(result.bottleneck.utilization).toBeGreaterThanOrEqual(0.945);
    expect(result.bottleneck.utilization).toBeLessThanOrEqual(0.953);
  });

  test('leaves the queue empty after the first round trip', () => {
    const afterFirstRtt = result.queueTimeline.bytes.slice(42);
    expect(Math.max(...afterFirstRtt)).toBe(0);
  });

  test('breaks no invariant', () => {
    expect(result.violations).toEqual([]);
  });
});

describe('a flow that joins another at 500 us', () => {
  const JOIN_US = 500;
  let result: Result;
  beforeAll(async () => {
    result = await run('join');
  });

  test('piles up one window of wire bytes', () => {
    const { dataAtBottleneckBytes, segmentBytes } = result.frames;
    // W_init = 100 Gb/s * 4160 ns = 52,000 bytes of payload.
    const window = (52_000 / segmentBytes) * dataAtBottleneckBytes;
    expect(result.bottleneck.queuePeakBytes / window).toBeGreaterThan(0.95);
    expect(result.bottleneck.queuePeakBytes / window).toBeLessThan(1.05);
  });

  test('lets the queue fall to 5 KB for good within 35 us', () => {
    expect(result.bottleneck.settledAtUs ?? Infinity).toBeLessThanOrEqual(JOIN_US + 35);
  });

  test('shares fairly over the next 50 us', () => {
    const next = result.jainTimeline.find(({ startUs }) => startUs >= JOIN_US + 35);
    expect(next?.jain).toBeGreaterThanOrEqual(0.99);
  });

  test('breaks no invariant', () => {
    expect(result.violations).toEqual([]);
  });
});
