import { Random } from '../../common/random/random';
import { runScenario } from '../support/shared-runs';
import { csvFiles } from '../../emulator/result/csv';
import type { Result } from '../../emulator/result/result';
import { algorithmRow } from '../../emulator/result/algorithm-comparison';
import { scenarioSchema } from '../../emulator/scenario/schema';
import { algorithmPage } from '../../emulator/view/data/algorithm-page';
import type { Chart, ChartSeries } from '../../emulator/view/data/chart';
import { contrastCharts } from '../../emulator/view/data/contrast';
import { runCharts } from '../../emulator/view/data/run-charts';
import { casesOf, SEED } from '../support/effort';
import { differingColumns } from '../support/pixels';
import type { DrawnLine } from '../support/pixels';

const CASES = Array.from({ length: casesOf(20) }, (_, i) => SEED + i);
const WIDTH = 1000;
const HEIGHT = 260;
/** Charts side by side are half as wide. */
const HALF = 500;
const ETA = 0.95;

interface Network {
  readonly kind: 'star' | 'leaf-spine';
  readonly rateGbps: number;
  readonly fabricRateGbps: number;
}

interface Drawn {
  readonly network: Network;
  readonly result: Result;
  readonly csv: (name: string) => Record<string, string>[];
}

/** A run with several receivers, starts, sizes, and links of different rates. */
async function randomRun(seed: number): Promise<Drawn> {
  const random = new Random(seed);
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;
  const network: Network = {
    kind: pick(['star', 'leaf-spine'] as const),
    rateGbps: pick([25, 100]),
    fabricRateGbps: pick([40, 100, 400]),
  };
  const { kind, rateGbps, fabricRateGbps } = network;
  const flows = Array.from({ length: 2 + random.below(6) }, () => {
    const to = 1 + random.below(3);
    const from = 4 + random.below(3);
    return {
      from: `h${from}`,
      to: `h${to}`,
      bytes: 20_000 + random.below(200_000),
      startUs: random.below(80),
    };
  });
  const scenario = scenarioSchema.parse({
    name: `charts-${seed}`,
    title: `Charts ${seed}`,
    topology:
      kind === 'star'
        ? { kind, hosts: 6, rateGbps, delayNs: 1000 }
        : { kind, leaves: 2, spines: 1, hostsPerLeaf: 3, rateGbps, fabricRateGbps, delayNs: 1000 },
    flows,
    parameters: { targetUtilization: ETA },
  });
  const { result } = await runScenario({ scenario, seed, checkInvariants: false });
  const texts = new Map([...csvFiles(result)].map(([name, lines]) => [name, [...lines].join('')]));
  return { network, result, csv: (name) => rowsOf(texts.get(name) ?? '') };
}

function rowsOf(text: string): Record<string, string>[] {
  const [heads = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((cells) => Object.fromEntries(heads.map((head, i) => [head, cells[i] ?? ''])));
}

const chartOf = (charts: readonly Chart[], id: string): Chart => {
  const chart = charts.find((each) => each.id === id);
  if (chart === undefined) throw new Error(`no chart ${id}`);
  return chart;
};

/** Columns in which a series is not what the table says, in a picture from zero to the highest value. */
function differing(series: ChartSeries, truth: DrawnLine, width = WIDTH): number[] {
  const drawn = { ...series, isStepped: series.kind === 'step' || series.isStepped === true };
  const ys = [...truth.y, ...drawn.y].map(Number);
  const picture = {
    width,
    height: HEIGHT,
    x: [0, Math.max(...truth.x, 1)] as const,
    y: [Math.min(0, ...ys), Math.max(...ys, 1e-9)] as const,
  };
  return differingColumns(drawn, truth, picture);
}

const column = (rows: readonly Record<string, string>[], name: string): number[] =>
  rows.map((row) => Number(row[name]));

/** Rates by progressive filling over explicit paths: all flows rise together until a link is full. */
function fairRates(network: Network, flows: readonly Record<string, string>[]): number[] {
  const paths = flows.map(({ source = '', destination = '' }) =>
    pathOf(network, source, destination),
  );
  const capacity = (link: string): number =>
    link.includes('spine') ? network.fabricRateGbps : network.rateGbps;
  const rates = flows.map(() => 0);
  const isOpen = flows.map(() => true);
  while (isOpen.some(Boolean)) {
    const links = new Set(paths.flatMap((path, i) => (isOpen[i] === true ? path : [])));
    const roomOf = (link: string): number => {
      const on = paths.flatMap((path, i) => (path.includes(link) ? [i] : []));
      const used = on.reduce((sum, i) => sum + (rates[i] as number), 0);
      return (capacity(link) - used) / on.filter((i) => isOpen[i] === true).length;
    };
    const step = Math.min(...[...links].map(roomOf));
    const full = [...links].filter((link) => roomOf(link) <= step * (1 + 1e-9));
    rates.forEach((rate, i) => (rates[i] = rate + (isOpen[i] === true ? step : 0)));
    paths.forEach((path, i) => {
      if (path.some((link) => full.includes(link))) isOpen[i] = false;
    });
  }
  return rates;
}

function pathOf({ kind }: Network, source: string, destination: string): string[] {
  const leaf = (host: string): string => (Number(host.slice(1)) <= 3 ? 'leaf1' : 'leaf2');
  const across =
    kind === 'leaf-spine' && leaf(source) !== leaf(destination)
      ? [`${leaf(source)}>spine`, `spine>${leaf(destination)}`]
      : [];
  return [`${source}>`, ...across, `>${destination}`];
}

/** Payload at fair rates, in steps of a fiftieth of a microsecond. */
function fluid({ network, result, csv }: Drawn): DrawnLine {
  const { segmentBytes, dataAtBottleneckBytes } = result.frames;
  const flows = csv('flows.csv');
  const left = flows.map(({ bytes }) => Number(bytes));
  const [x, y]: [number[], number[]] = [[], []];
  const step = 0.02;
  const first = Math.min(...column(flows, 'start_us'));
  let sum = 0;
  for (let us = first; left.some((bytes) => bytes > 0); us += step) {
    x.push(us);
    y.push(sum / 1e6);
    const open = flows.flatMap(({ start_us: start }, i) =>
      Number(start) <= us && (left[i] as number) > 0 ? [i] : [],
    );
    const rates = fairRates(
      network,
      open.map((i) => flows[i] as Record<string, string>),
    );
    open.forEach((i, j) => {
      const could = ((rates[j] as number) * 125 * step * segmentBytes) / dataAtBottleneckBytes;
      const sent = Math.min(left[i] as number, could);
      left[i] = (left[i] as number) - sent;
      sum += sent;
    });
  }
  return { x, y };
}

describe.each(CASES)('charts of random run %i', (seed) => {
  let drawn: Drawn;
  let charts: readonly Chart[];

  beforeAll(async () => {
    drawn = await randomRun(seed);
    charts = runCharts(drawn.result);
  });

  const queueTruth = (): DrawnLine => {
    const rows = drawn.csv('queue.csv');
    const y = column(rows, 'queue_bytes').map((bytes) => bytes / 1000);
    return { x: column(rows, 'time_us'), y };
  };
  /** With the peak, which lies between two samples where none has met it. */
  const queueWithPeak = (): DrawnLine => {
    const { queuePeakBytes, queuePeakAtUs } = drawn.result.bottleneck;
    const samples = queueTruth();
    const points = samples.x.map((us, i) => [us, Number(samples.y[i])] as const);
    if (points.some(([, kilobytes]) => kilobytes === queuePeakBytes / 1000)) return samples;
    const all = [...points, [queuePeakAtUs, queuePeakBytes / 1000] as const];
    all.sort(([a], [b]) => a - b);
    return { x: all.map(([us]) => us), y: all.map(([, kilobytes]) => kilobytes) };
  };

  test('the bottleneck’s queue', () => {
    const [line] = chartOf(charts, 'queue').series as [ChartSeries];
    expect(differing(line, queueWithPeak())).toEqual([]);
  });

  test.each([
    ['rates', 'rate_gbps', 1],
    ['windows', 'window_bytes', 1000],
    ['u', 'u', 1],
  ] as const)('%s of every flow', (id, name, unit) => {
    const rows = drawn.csv('rates.csv');
    const lines = chartOf(charts, id).series.filter(({ kind }) => kind !== 'reference');
    const flows = [...new Set(rows.map(({ flow }) => flow))];
    expect(lines).toHaveLength(flows.length);
    const wrong = lines.flatMap((line) => {
      const own = rows.filter(({ flow }) => line.name.startsWith(`${flow ?? ''}: `));
      const truth = { x: column(own, 'time_us'), y: column(own, name).map((y) => y / unit) };
      return differing(line, truth).map((at) => `${line.name} at column ${at}`);
    });
    expect(wrong).toEqual([]);
  });

  test('fair shares at every instant', () => {
    const lines = chartOf(charts, 'rates').series.filter(({ kind }) => kind === 'reference');
    const flows = drawn.csv('flows.csv');
    const ends = (flow: Record<string, string>): [number, number] => {
      const start = Number(flow['start_us']);
      return [start, start + Number(flow['fct_us'])];
    };
    const times = [...new Set(flows.flatMap(ends))].sort((a, b) => a - b);
    const wrong = times.slice(0, -1).flatMap((from, i) => {
      const us = (from + (times[i + 1] as number)) / 2;
      const running = flows.filter((flow) => ends(flow)[0] <= us && us < ends(flow)[1]);
      const truth = fairRates(drawn.network, running).map((rate) => ETA * rate);
      const shown = lines.flatMap((line) => {
        const at = line.x.findLastIndex((x) => x <= us);
        const [value = null, next = null] = [line.y[at], line.y[at + 1]];
        // Nothing is drawn from the end of a step to a gap.
        return value === null || next === null ? [] : [value];
      });
      const pixel = drawn.network.rateGbps / HEIGHT;
      const has = (values: readonly number[], rate: number): boolean =>
        values.some((value) => Math.abs(value - rate) <= pixel);
      const isSame = truth.every((rate) => has(shown, rate)) && shown.every((v) => has(truth, v));
      return isSame ? [] : [`${us} us: ${shown.join()} for ${truth.join()}`];
    });
    expect(wrong).toEqual([]);
  });

  test('completion times', () => {
    const rows = drawn.csv('flows.csv');
    const points = chartOf(charts, 'fct').series.flatMap(({ x, y }) =>
      x.map((id, i) => [id, y[i] ?? NaN] as const),
    );
    const most = Math.max(...column(rows, 'fct_us'));
    const truth = new Map(rows.map((row) => [Number(row['flow']), Number(row['fct_us'])]));
    expect(points).toHaveLength(rows.length);
    const wrong = points.filter(
      ([id, us]) => Math.abs(us - (truth.get(id) ?? NaN)) > most / HEIGHT,
    );
    expect(wrong).toEqual([]);
  });

  test('fairness of each interval', () => {
    const { jainTimeline } = drawn.result;
    const rows = drawn.csv('rates.csv');
    const byFlow = new Map<string, Record<string, string>[]>();
    for (const row of rows)
      byFlow.set(row['flow'] ?? '', [...(byFlow.get(row['flow'] ?? '') ?? []), row]);
    const deliveredAt = (own: readonly Record<string, string>[], us: number): number =>
      Number(own.findLast((row) => Number(row['time_us']) <= us)?.['delivered_bytes'] ?? 0);
    const truth = jainTimeline.map(({ startUs, endUs }) => {
      const active = [...byFlow.values()].filter(
        (own) => Number(own[0]?.['time_us']) <= startUs && Number(own.at(-1)?.['time_us']) >= endUs,
      );
      const shares = active.map((own) => deliveredAt(own, endUs) - deliveredAt(own, startUs));
      const sum = shares.reduce((total, each) => total + each, 0);
      const squares = shares.reduce((total, each) => total + each * each, 0);
      return squares === 0 ? 1 : (sum * sum) / (shares.length * squares);
    });
    const shown = charts.find(({ id }) => id === 'fairness')?.series[0]?.y ?? [];
    expect(shown).toHaveLength(truth.length);
    const wrong = truth.filter((jain, i) => Math.abs(jain - Number(shown[i])) > 1 / HEIGHT);
    expect(wrong).toEqual([]);
  });

  test('two runs beside each other: queue, and payload of all flows', () => {
    const [queue, payload] = contrastCharts([{ label: 'run', result: drawn.result }]) as [
      Chart,
      Chart,
    ];
    expect(differing(queue.series[0] as ChartSeries, queueTruth(), HALF)).toEqual([]);
    const rows = drawn.csv('rates.csv');
    const flows = drawn.csv('flows.csv').map((flow) => {
      const own = rows.filter((row) => row['flow'] === flow['flow']);
      const start = Number(flow['start_us']);
      const end = start + Number(flow['fct_us']);
      const inside = own.filter(({ time_us: us }) => Number(us) > start && Number(us) < end);
      return [
        [start, 0],
        ...inside.map((row) => [Number(row['time_us']), Number(row['delivered_bytes'])]),
        [end, Number(flow['bytes'])],
      ] as [number, number][];
    });
    const at = (points: readonly [number, number][], us: number): number => {
      const i = points.findLastIndex(([x]) => x <= us);
      const [from, to] = [points[i], points[i + 1]];
      if (from === undefined) return 0;
      if (to === undefined) return from[1];
      return from[1] + ((to[1] - from[1]) * (us - from[0])) / (to[0] - from[0]);
    };
    const x = [0, ...new Set(flows.flatMap((points) => points.map(([us]) => us)))].sort(
      (a, b) => a - b,
    );
    const y = x.map((us) => flows.reduce((sum, points) => sum + at(points, us), 0) / 1e6);
    expect(differing(payload.series[0] as ChartSeries, { x, y }, HALF)).toEqual([]);
    const ideal = payload.series.find(({ name }) => name === 'max-min fair');
    if (ideal === undefined) return;
    expect(differing(ideal, fluid(drawn), HALF)).toEqual([]);
  });

  test('algorithms beside each other: distribution and course of the queue, and fairness', () => {
    const { result } = drawn;
    const page = algorithmPage([{ row: algorithmRow('a', [result]), first: result }], {
      title: '',
      command: '',
    });
    expect(page.facts.map(([, label]) => label)).toEqual([
      'peak queue, a',
      'median FCT, a',
      'drops, a',
    ]);
    const [quantiles] = chartOf(page.charts, 'queue-distribution').series as [ChartSeries];
    const queue = queueTruth();
    const sorted = queue.y.map(Number).sort((a, b) => a - b);
    const most = sorted.at(-1) ?? 1;
    const wrong = quantiles.y.filter((percent, i) => {
      const rank = Math.max(1, Math.ceil((Number(percent) / 100) * sorted.length));
      const truth = sorted[rank - 1] ?? NaN;
      return Math.abs(truth - (quantiles.x[i] ?? NaN)) > Math.max(most, 1e-9) / WIDTH;
    });
    expect(wrong).toEqual([]);
    const [course] = chartOf(page.charts, 'queue').series as [ChartSeries];
    expect(differing(course, queue)).toEqual([]);
    const fairness = chartOf(page.charts, 'fairness').series[0];
    const intervals = result.jainTimeline.map(({ startUs, jain }) => {
      const i = fairness?.x.findLastIndex((us) => us <= startUs + 1e-6) ?? -1;
      return Math.abs(Number(fairness?.y[i]) - jain) <= 1 / HEIGHT;
    });
    expect(intervals.every(Boolean)).toBe(true);
  });
});
