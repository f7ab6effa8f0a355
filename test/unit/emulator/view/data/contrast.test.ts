import { Random } from '../../../../../common/random/random';
import type { Result } from '../../../../../emulator/result/result';
import { contrastCharts } from '../../../../../emulator/view/data/contrast';
import { valueAt } from '../../../../../emulator/view/data/thin';
import { RESULT } from '../../../../support/result';

/** Payload that a link of 100 Gb/s carries in a microsecond, in the frames of RESULT. */
const PAYLOAD_PER_US = (100 * 125 * 1000) / 1074;

interface Flow {
  readonly id: number;
  readonly destination: string;
  readonly startUs: number;
  readonly bytes: number;
  /** Bytes that have arrived after each microsecond from the start on. */
  readonly arrived: number[];
}

/** Flows whose receivers' links are shared at random, microsecond by microsecond. */
function randomFlows(random: Random): Flow[] {
  const receivers = 1 + random.below(3);
  const flows: Flow[] = Array.from({ length: 1 + random.below(6) }, (_, id) => ({
    id,
    destination: `h${1 + random.below(receivers)}`,
    startUs: random.below(120),
    bytes: 50_000 + random.below(400_000),
    arrived: [],
  }));
  const done = ({ arrived, bytes }: Flow): boolean => arrived.at(-1) === bytes;
  for (let us = 0; flows.some((flow) => !done(flow)); us++) {
    for (const destination of new Set(flows.map((flow) => flow.destination))) {
      let left = PAYLOAD_PER_US;
      for (const flow of flows) {
        if (flow.destination !== destination || flow.startUs > us || done(flow)) continue;
        const before = flow.arrived.at(-1) ?? 0;
        const part = Math.min(flow.bytes - before, (left * (50 + random.below(51))) / 100);
        left -= part;
        flow.arrived.push(before + part > flow.bytes - 1 ? flow.bytes : before + part);
      }
    }
  }
  return flows;
}

function resultOf(flows: readonly Flow[]): Result {
  const ends = flows.map(({ startUs, arrived }) => startUs + arrived.length);
  const [first] = RESULT.flows as [Result['flows'][number]];
  return {
    ...RESULT,
    durationUs: Math.max(...ends),
    topology: {
      nodes: [
        { name: 's1', kind: 'switch' },
        ...[1, 2, 3, 9].map((n) => ({ name: `h${n}`, kind: 'host' as const })),
      ],
      links: [1, 2, 3, 9].map((n) => ({ a: 's1', b: `h${n}`, rateGbps: 100, delayUs: 1 })),
    },
    frames: { ...RESULT.frames, dataAtBottleneckBytes: 1074 },
    flows: flows.map(({ id, destination, startUs, bytes, arrived }) => ({
      ...first,
      id,
      source: 'h9',
      destination,
      bytes,
      startUs,
      fctUs: arrived.length,
      deliveredBytes: bytes,
    })),
    series: flows.map(({ id, startUs, arrived }) => {
      return {
        flow: id,
        timeUs: arrived.map((_, i) => startUs + i + 1),
        rateGbps: arrived.map(() => 1),
        windowBytes: arrived.map(() => 1),
        normalizedInflight: arrived.map(() => 1),
        deliveredBytes: arrived,
      };
    }),
  };
}

/** All flows together at an instant, straight from what each had been given by then. */
function truth(flows: readonly Flow[], us: number): number {
  return flows.reduce((sum, { startUs, arrived }) => {
    const since = us - startUs;
    if (since <= 0) return sum;
    const whole = Math.min(Math.floor(since), arrived.length);
    const before = whole === 0 ? 0 : (arrived[whole - 1] as number);
    const next = arrived[whole] ?? before;
    return sum + before + (next - before) * (since - whole);
  }, 0);
}

const seriesOf = (result: Result) => {
  const [queue, payload] = contrastCharts([{ label: 'one', result }]);
  const [run, bound] = payload?.series ?? [];
  if (queue === undefined || run === undefined || bound === undefined) throw new Error('no chart');
  const numbers = (y: readonly (number | null)[]): number[] => y.map((value) => value ?? NaN);
  return {
    queue,
    payload,
    run: { x: run.x, y: numbers(run.y) },
    bound: { x: bound.x, y: numbers(bound.y) },
  };
};

describe('payload that has arrived', () => {
  const cases = Array.from({ length: 200 }, (_, seed) => seed);

  test('is that of all flows at that time, of any receivers and starts, to a pixel', () => {
    for (const seed of cases) {
      const flows = randomFlows(new Random(seed));
      const { run } = seriesOf(resultOf(flows));
      const total = flows.reduce((sum, { bytes }) => sum + bytes, 0);
      const endUs = run.x.at(-1) ?? 0;
      const [pixelUs, pixel] = [endUs / 440, total / 380];
      for (let us = 0; us <= endUs; us += 0.7) {
        const shown = valueAt(run, us) * 1e6;
        const [low, high] = [truth(flows, us - pixelUs), truth(flows, us + pixelUs)];
        if (shown < low - pixel || shown > high + pixel) {
          throw new Error(`seed ${seed}: ${shown} at ${us} us, not ${truth(flows, us)}`);
        }
      }
      expect(Math.abs((run.y.at(-1) ?? 0) * 1e6 - total)).toBeLessThan(pixel);
    }
  });

  test('is never beyond what the receivers’ links carry', () => {
    for (const seed of cases) {
      const { run, bound } = seriesOf(resultOf(randomFlows(new Random(seed))));
      const pixel = (bound.y.at(-1) ?? 0) / 380;
      const beyond = run.x.filter((us, i) => (run.y[i] as number) > valueAt(bound, us) + pixel);
      expect([seed, beyond]).toEqual([seed, []]);
    }
  });

  test('says how many flows of a run it has', () => {
    const result = resultOf(randomFlows(new Random(3)));
    const some = { ...result, series: result.series.slice(1) };
    expect(seriesOf(result).payload?.caption).toMatch(/^All flows together;/);
    expect(seriesOf(some).payload?.caption).toMatch(
      new RegExp(`^${result.flows.length - 1} of ${result.flows.length} flows together;`),
    );
  });
});

test('the queue is shown from the beginning to the end', () => {
  const bytes = Array.from({ length: 4000 }, (_, i) => (i > 2000 && i < 3700 ? 50_000 : 0));
  const queueTimeline = { ...RESULT.queueTimeline, bytes };
  const { queue } = seriesOf({ ...resultOf(randomFlows(new Random(1))), queueTimeline });
  const [{ x, y } = { x: [], y: [] }] = queue.series;
  expect(queue.x.max).toBeUndefined();
  expect(x.at(-1)).toBeGreaterThan(399);
  expect(x.filter((_, i) => y[i] === 50).every((us) => us > 200 && us < 370)).toBe(true);
  expect(Math.max(...y.map(Number))).toBe(50);
});
