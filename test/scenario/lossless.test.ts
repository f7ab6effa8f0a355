import { runScenario } from '../support/shared-runs';
import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import { textSummary } from '../../cli/shared/summary';
import { runPage } from '../../emulator/view/data/run-page';
import type { Result } from '../../emulator/result/result';

async function run(name: string, variant: string): Promise<Result> {
  const scenario = scenarioVariant(loadScenario(name), variant);
  return (await runScenario({ scenario, seed: 1 })).result;
}

const retransmitted = ({ flows }: Result): number =>
  flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0);

describe('64 hosts that send to one at line rate through 2 MB of shared buffer', () => {
  let result: Result;
  beforeAll(async () => {
    result = await run('lossless-incast', 'pfc');
  });

  test('lose nothing with PFC: all pauses end, and the link to the receiver stays full', () => {
    const { lossless } = result;
    expect(result.violations).toEqual([]);
    expect(result.counters.drops).toEqual({});
    expect(retransmitted(result)).toBe(0);
    expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(result.bottleneck.utilization).toBeGreaterThan(0.98);
    expect(lossless?.pauses).toBeGreaterThanOrEqual(64);
    expect(lossless?.resumes).toBe(lossless?.pauses);
    expect(lossless?.losslessDrops).toBe(0);
    expect(lossless?.deadlocks).toEqual([]);
    expect(lossless?.links).toHaveLength(64);
    expect(lossless?.pausedUs).toBeGreaterThan(64 * 100);
  });

  test('make a victim of the one flow whose own path is free', () => {
    const { lossless, flows } = result;
    const victims = lossless?.flows.filter(({ victimUs }) => victimUs > 0);
    expect(victims).toEqual([
      {
        id: 65,
        heldUs: expect.any(Number) as number,
        victimUs: expect.any(Number) as number,
        because: ['s1:1->h1:1'],
      },
    ]);
    const { closing } = runPage(result);
    expect(closing.find(({ title }) => title === 'Victims of pauses')?.rows).toHaveLength(2);
    expect(closing.find(({ title }) => title === 'Paused links')?.rows).toHaveLength(65);
    expect(victims?.[0]?.victimUs).toBe(victims?.[0]?.heldUs);
    expect(flows[64]?.slowdown).toBeGreaterThan(10);
  });

  test('lose packets without PFC, and send them again', async () => {
    const lossy = await run('lossless-incast', 'lossy');
    expect(lossy.violations).toEqual([]);
    expect(lossy.lossless?.pauses).toBe(0);
    expect(lossy.lossless?.lossyDrops).toBeGreaterThan(1000);
    expect(lossy.counters.drops['s1: queue-full']).toBe(lossy.lossless?.lossyDrops);
    expect(retransmitted(lossy)).toBeGreaterThan(1000);
    expect(lossy.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
  });
});

describe('the same hosts under DCQCN, which has no windows', () => {
  const leastRate = ({ series }: Result): number =>
    Math.min(...series.flatMap(({ rateGbps }) => rateGbps));

  test('lose nothing with PFC, and are slowed down by marks too', async () => {
    const result = await run('lossless-incast', 'dcqcn');
    expect(result.violations).toEqual([]);
    expect(result.counters.drops).toEqual({});
    expect(retransmitted(result)).toBe(0);
    expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(result.lossless?.pauses).toBeGreaterThanOrEqual(64);
    expect(result.lossless?.resumes).toBe(result.lossless?.pauses);
    expect(result.lossless?.losslessDrops).toBe(0);
    expect(leastRate(result)).toBeLessThan(50);
  });

  test('lose packets without, and send them again', async () => {
    const lossy = await run('lossless-incast', 'dcqcn-lossy');
    expect(lossy.violations).toEqual([]);
    expect(lossy.lossless?.pauses).toBe(0);
    expect(lossy.lossless?.lossyDrops).toBeGreaterThan(1000);
    expect(retransmitted(lossy)).toBeGreaterThan(1000);
    expect(lossy.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
  });
});

describe('a ring whose buffers depend on each other in a circle', () => {
  test('stands still without windows, and the circle is named in its order', async () => {
    const result = await run('lossless-ring', 'pfc');
    const { lossless, flows, violations } = result;
    expect(violations).toEqual([]);
    expect(flows.every(({ fctUs }) => fctUs === null)).toBe(true);
    expect(lossless?.losslessDrops).toBe(0);
    expect(lossless?.deadlocks.map(({ cycle, endedAtUs }) => ({ cycle, endedAtUs }))).toEqual([
      {
        cycle: ['s1:2->s2:2', 's2:3->s3:2', 's3:3->s4:2', 's4:3->s5:2', 's5:3->s1:3'],
        endedAtUs: null,
      },
    ]);
    // On the terminal and at the head of the page.
    const circle = 's1:2->s2:2 waits for s2:3->s3:2 waits for s3:3->s4:2';
    const printed = textSummary({ result, wallSeconds: 1 });
    expect(printed).toMatch(
      /^deadlock, 200.000 us to the end +s1:2->s2:2\n +waits for s2:3->s3:2\n/m,
    );
    const [section] = runPage(result).opening;
    expect(section).toMatchObject({ tone: 'bad', text: [expect.stringContaining(circle)] });
  });

  test('moves again with a watchdog, which drops what waits in the circle', async () => {
    const { lossless, flows, counters } = await run('lossless-ring', 'watchdog');
    expect(flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(lossless?.storms).toBeGreaterThan(0);
    expect(lossless?.stormDrops).toBeGreaterThan(0);
    expect(Object.keys(counters.drops).every((name) => name.endsWith('pause-storm'))).toBe(true);
  });

  test('moves with HPCC++, which needs no pauses', async () => {
    const { lossless, flows } = await run('lossless-ring', 'hpccpp');
    expect(flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(lossless?.deadlocks).toEqual([]);
    expect(lossless?.pauses).toBe(0);
  });
});

test('pauses of one class leave the other ones alone', async () => {
  const base = loadScenario('priorities');
  const scenario = {
    ...base,
    buffer: {
      bytes: 400_000,
      alpha: 1,
      reservedBytes: 0,
      pfc: { priorities: [0], quanta: 65535, deadlockAfterUs: 100 },
    },
    parameters: { ...base.parameters, algorithm: 'none' as const, queueMeasure: 'length' as const },
    untilUs: 240,
  };
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  expect(result.lossless?.losslessDrops).toBe(0);
  expect(result.lossless?.flows.map(({ id }) => id)).toEqual([1, 2]);
  expect(result.flows[2]?.deliveredBytes).toBeGreaterThan(150_000);
});

test.each([
  [{ bytes: 100_000, pfc: {} }, 'leaves nothing to share'],
  [{ bytes: 2_000_000, pfc: { priorities: [1] } }, 'the queues of s1 are 0 to 0, found 1'],
])('a buffer of %j is refused with the reason', async (buffer, reason) => {
  const base = loadScenario('lossless-incast');
  const document = { ...base, variants: { bad: { buffer } } };
  await expect(
    (async () => {
      await runScenario({ scenario: scenarioVariant(document, 'bad'), seed: 1 });
    })(),
  ).rejects.toThrow(reason);
});
