import { FairRates } from '../../coordination/fair-rates';
import type { Scale } from '../../figures/scale';
import type { FlowRecord, Result } from '../../result/result';
import type { ChartSeries } from './chart';
import { micro, rounded } from './thin';

/** More lines than these say nothing: every flow has a share of its own. */
const LINES_MAX = 6;
/** Changes that a picture has room for. */
const STEPS_MAX = 1000;
/** Pairs beyond which no shares are computed: each has one at each instant. */
const PAIRS_MAX = 2000;

/** Flows of the same ends; they are many where hosts repeat. */
interface Pair {
  readonly source: string;
  readonly destination: string;
}

/** By how many the running flows of pairs grow at an instant. */
interface Change {
  readonly us: number;
  readonly pairs: [pair: string, by: number][];
}

/** Flows whose shares are equal whenever they run together. */
interface Line {
  readonly pairs: Pair[];
  /** By instant; null while none of them runs. */
  readonly shares: (number | null)[];
}

/**
 * The max-min fair rates of flows over time, times the part of a link that they aim at: water is filled
 * in at each start and end of a flow. One line where all that run have the same share, else one for each
 * share; none where they are many, or where the result does not list all flows.
 */
export function fairShares(
  result: Result,
  { time, rate }: { readonly time: Scale; readonly rate: Scale },
): ChartSeries[] {
  const { flows, flowTotals, durationUs } = result;
  if (flowTotals !== undefined || flows.length < 2) return [];
  const pairs = new Map(flows.map((flow) => [pairKey(flow), flow]));
  if (pairs.size > PAIRS_MAX) return [];
  const changes = changesOf(flows, durationUs);
  const instants = instantsOf(changes, durationUs);
  const lines: Line[] = [];
  const found = sharesByPair(pairs, { changes, instants }, fairRatesOf(result));
  for (const [key, shares] of found ?? []) {
    const pair = pairs.get(key) as Pair;
    const fitting = lines.find((line) => agree(line.shares, shares));
    if (fitting === undefined) lines.push({ pairs: [pair], shares: [...shares] });
    else join(fitting, pair, shares);
    if (lines.length > LINES_MAX) return [];
  }
  const eta = targetOf(result) ?? 1;
  const names = namesOf(lines);
  return lines.map(({ shares }, i) => ({
    name: names[i] ?? 'fair share',
    kind: 'reference',
    isStepped: true,
    ...pointsOf(instants, shares, { time: time.factor, rate: rate.factor / eta }),
  }));
}

/** Bytes that a link of 1 Gb/s carries in a microsecond. */
const BYTES_PER_US = 125;

/**
 * Payload that all flows together would have delivered at max-min fair rates of full links: each begins
 * when it did, and ends when its bytes are through. Straight between the points.
 * @param payloadShare part of the wire bytes that is payload.
 */
export function fairArrivals(
  result: Result,
  flows: readonly FlowRecord[],
  payloadShare: number,
): { readonly x: number[]; readonly y: number[] } {
  const rates = fairRatesOf(result);
  const waiting = [...flows].sort((a, b) => a.startUs - b.startUs);
  let running: { readonly flow: FlowRecord; left: number }[] = [];
  let us = waiting[0]?.startUs ?? 0;
  let delivered = 0;
  const points: [number, number][] = [];
  while (waiting.length > 0 || running.length > 0) {
    points.push([us, delivered]);
    const next = waiting[0]?.startUs ?? Infinity;
    const perUs = rates
      .of(running.map(({ flow }) => flow))
      .map((rate) => rate * BYTES_PER_US * payloadShare);
    const lasting = running.map(({ left }, i) => left / (perUs[i] as number));
    const step = Math.min(next - us, ...lasting);
    running.forEach((one, i) => {
      const sent = lasting[i] === step ? one.left : (perUs[i] as number) * step;
      one.left -= sent;
      delivered += sent;
    });
    running = running.filter(({ left }) => left > 0);
    us += step;
    while (waiting[0] !== undefined && waiting[0].startUs <= us) {
      const flow = waiting.shift() as FlowRecord;
      if (flow.deliveredBytes > 0) running.push({ flow, left: flow.deliveredBytes });
    }
  }
  points.push([us, delivered]);
  return { x: points.map(([at]) => at), y: points.map(([, bytes]) => bytes) };
}

/** Fair rates in Gb/s of all flows of a result together, as if they ran at the same time. */
export function fairRatesTogether(result: Result): number[] {
  return fairRatesOf(result).of(result.flows);
}

/** The part of the bottleneck that flows aim at. Results of 0.2 call it eta. */
export function targetOf({ parameters }: Result): number | undefined {
  const { targetUtilization: wanted = parameters['eta'] } = parameters;
  return typeof wanted === 'number' ? wanted : undefined;
}

const pairKey = ({ source, destination }: Pair): string => `${source} ${destination}`;

function fairRatesOf({ topology }: Result): FairRates {
  const links = topology.links.map(({ a, b, rateGbps, backRateGbps }) => ({
    a: { node: a },
    b: { node: b },
    rate: rateGbps,
    backRate: backRateGbps,
  }));
  const hosts = topology.nodes.flatMap(({ name, kind }) => (kind === 'host' ? [name] : []));
  return new FairRates(links, hosts);
}

/** Starts and ends of flows, in order. */
function changesOf(flows: readonly FlowRecord[], endUs: number): Change[] {
  const changes = new Map<number, Change>();
  const change = (us: number, pair: string, by: number): void => {
    const known = changes.get(us);
    if (known === undefined) changes.set(us, { us, pairs: [[pair, by]] });
    else known.pairs.push([pair, by]);
  };
  for (const flow of flows) {
    const { startUs, fctUs } = flow;
    change(startUs, pairKey(flow), 1);
    change(fctUs === null ? endUs : startUs + fctUs, pairKey(flow), -1);
  }
  return [...changes.values()].sort((a, b) => a.us - b.us);
}

/** Instants of changes, as a picture has room for them: of many, some that are as far apart. */
const instantsOf = (changes: readonly Change[], endUs: number): number[] =>
  changes.length <= STEPS_MAX
    ? changes.map(({ us }) => us)
    : Array.from({ length: STEPS_MAX + 1 }, (_, i) => (i * endUs) / STEPS_MAX);

interface Timing {
  readonly changes: readonly Change[];
  readonly instants: readonly number[];
}

/** The share of each pair from each instant on; undefined where those of one instant are too many for lines. */
function sharesByPair(
  pairs: ReadonlyMap<string, Pair>,
  { changes, instants }: Timing,
  rates: FairRates,
): Map<string, (number | null)[]> | undefined {
  const shares = new Map(
    [...pairs.keys()].map((key) => [key, instants.map((): number | null => null)]),
  );
  const running = new Map<string, number>();
  let next = 0;
  for (const [i, us] of instants.entries()) {
    for (let at = changes[next]; at !== undefined && at.us <= us; at = changes[++next]) {
      for (const [pair, by] of at.pairs) add(running, pair, by);
    }
    const asking = [...running].map(([key, count]) => {
      const { source, destination } = pairs.get(key) as Pair;
      return { key, source, destination, count };
    });
    const found = rates.of(asking);
    if (differing(found) > LINES_MAX) return undefined;
    found.forEach((share, j) => {
      const line = shares.get(asking[j]?.key ?? '');
      if (line !== undefined) line[i] = share;
    });
  }
  return shares;
}

function add(running: Map<string, number>, pair: string, by: number): void {
  const count = (running.get(pair) ?? 0) + by;
  if (count > 0) running.set(pair, count);
  else running.delete(pair);
}

/** Number of different ones among some rates. */
function differing(rates: readonly number[]): number {
  let [count, last] = [0, 0];
  for (const rate of [...new Set(rates)].sort((a, b) => a - b)) {
    if (rate - last <= EQUAL * rate) continue;
    count += 1;
    last = rate;
  }
  return count;
}

const EQUAL = 1e-6;

const agree = (one: readonly (number | null)[], other: readonly (number | null)[]): boolean =>
  one.every((share, i) => {
    const beside = other[i] ?? null;
    return share === null || beside === null || Math.abs(share - beside) <= EQUAL * share;
  });

function join(line: Line, pair: Pair, shares: readonly (number | null)[]): void {
  line.pairs.push(pair);
  shares.forEach((share, i) => (line.shares[i] ??= share));
}

/** Names of lines by what their flows have in common. */
function namesOf(lines: readonly Line[]): string[] {
  if (lines.length === 1) return ['fair share'];
  const names = lines.map(({ pairs }) => {
    const [destinations, sources] = [
      new Set(pairs.map(({ destination }) => destination)),
      new Set(pairs.map(({ source }) => source)),
    ];
    const to = destinations.size === 1 ? ` to ${[...destinations].join('')}` : '';
    const from = sources.size === 1 ? ` from ${[...sources].join('')}` : '';
    return `fair share${from}${to}` === 'fair share'
      ? 'fair share of the others'
      : `fair share${from}${to}`;
  });
  return names.map((name, i) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${i + 1})`,
  );
}

/** The points of a line: a step's end has one of its own, and none is between two times of no flow. */
function pointsOf(
  instants: readonly number[],
  shares: readonly (number | null)[],
  factors: { readonly time: number; readonly rate: number },
): Pick<ChartSeries, 'x' | 'y'> {
  const points = instants.flatMap((us, i): [number, number | null][] => {
    const [share, before, next] = [shares[i] ?? null, shares[i - 1] ?? null, instants[i + 1]];
    if (share !== null) return [[us, share]];
    if (before === null) return [[us, null]];
    return next === undefined
      ? [[us, before]]
      : [
          [us, before],
          [(us + next) / 2, null],
        ];
  });
  return {
    x: points.map(([us]) => micro(us / factors.time)),
    y: points.map(([, share]) => (share === null ? null : rounded(share / factors.rate))),
  };
}
