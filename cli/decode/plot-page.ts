import type { LinkHistory, TelemetryHistory } from '../../common/telemetry/plot/telemetry-history';
import type { TimeBuckets } from '../../common/telemetry/plot/time-buckets';
import { InputError } from '../../common/errors';
import { pageAssets } from '../../emulator/io/results/page-assets';
import { writeAtomically } from '../../common/io/atomic-file';
import { figureAxis, timeAxis } from '../../emulator/view/data/axis';
import type { Chart, ChartSeries } from '../../emulator/view/data/chart';
import type { PageData } from '../../emulator/view/data/page-data';
import { staticPage } from '../../emulator/view/data/static-page';

const NS_PER_MS = 1e6;

type Point = [ms: number, value: number];

/** Units of a quantity, the smallest first, each with its size in that of the history. */
type Units = readonly (readonly [unit: string, size: number])[];

const BYTES: Units = [
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
];
const TIMES: Units = [
  ['ns', 1],
  ['us', 1e3],
  ['ms', 1e6],
];
/** Bits per ns are gigabits per second. */
const RATES: Units = [
  ['kb/s', 1e-6],
  ['Mb/s', 1e-3],
  ['Gb/s', 1],
];

/** @throws InputError when the file cannot be written. */
export function writePlot(file: string, capture: string, history: TelemetryHistory): void {
  try {
    const page = plotPage(capture, history, `./hpcc decode ${capture} --plot ${file}`);
    writeAtomically(file, staticPage(page, pageAssets()));
  } catch (error) {
    throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** A page of what telemetry said over time: queue, latency and rate of each link, and path changes. */
function plotPage(capture: string, history: TelemetryHistory, command: string): PageData {
  const { links, changes, otherHops, otherChanges } = history;
  const left = [
    otherHops > 0 ? `${otherHops} records of further links are left out.` : '',
    otherChanges > 0 ? `${otherChanges} further changes of path are left out.` : '',
  ].filter((text) => text !== '');
  return {
    title: `Telemetry of ${capture}`,
    subtitle: [`${links.length} links.`, ...left].join(' '),
    command,
    facts: [],
    opening: links.length === 0 ? [{ title: 'No telemetry that names its links' }] : [],
    charts: [
      ...chart(QUEUE, links, ({ queueBytes }) => points(queueBytes)),
      ...chart(LATENCY, links, ({ latencyNs }) => points(latencyNs)),
      ...chart(RATE, links, ratePoints),
    ],
    closing: changes.length === 0 ? [] : [{ title: 'Changes of path', rows: changeRows(history) }],
  };
}

type Heading = Pick<Chart, 'id' | 'title' | 'caption'> & {
  /** Path of the dictionary. */
  readonly figure: string;
  readonly units: Units;
};

const QUEUE: Heading = {
  id: 'queue',
  title: 'Queue',
  caption: 'Bytes waiting at each link, the longest queue of each interval.',
  figure: 'capture.queueBytes',
  units: BYTES,
};
const LATENCY: Heading = {
  id: 'latency',
  title: 'Latency',
  caption: 'Time in each switch, the longest of each interval.',
  figure: 'capture.latencyNs',
  units: TIMES,
};
const RATE: Heading = {
  id: 'rate',
  title: 'Rate',
  caption: "What left each link, by the switch's own counters and clock.",
  figure: 'capture.rate',
  units: RATES,
};

/** None where no link has a point: not every carrier tells everything. */
function chart(
  { figure, units, ...heading }: Heading,
  links: readonly LinkHistory[],
  of: (link: LinkHistory) => Point[],
): Chart[] {
  const told = links.map((link) => [link.link, of(link)] as const);
  const shown = told.filter(([, data]) => data.length > 0);
  if (shown.length === 0) return [];
  const [unit, size] = unitFor(units, shown);
  const series = shown.map(([name, data]): ChartSeries => ({
    name,
    x: data.map(([ms]) => ms),
    y: data.map(([, value]) => value / size),
  }));
  const y = figureAxis(figure, { unit, factor: size }, { min: 0 });
  return [{ ...heading, x: timeAxis({ unit: 'ms', factor: 1 }), y, series }];
}

/** The largest unit in which the highest value is at least 1. */
function unitFor(
  units: Units,
  shown: readonly (readonly [string, readonly Point[]])[],
): Units[number] {
  const highest = Math.max(...shown.map(([, data]) => Math.max(...data.map(([, value]) => value))));
  const fitting = units.filter(([, size]) => highest >= size);
  return (fitting.at(-1) ?? units[0]) as Units[number];
}

const points = (buckets: TimeBuckets): Point[] =>
  [...buckets.points()].map(([ns, value]) => [ns / NS_PER_MS, value]);

function ratePoints({ sentBytes, sentNs }: LinkHistory): Point[] {
  const elapsed = new Map(sentNs.points());
  return [...sentBytes.points()].map(([ns, bytes]) => [
    ns / NS_PER_MS,
    (bytes * 8) / (elapsed.get(ns) ?? NaN),
  ]);
}

function changeRows({ changes }: TelemetryHistory): string[][] {
  const rows = changes.map(({ ns, flow, from, to }) => [
    (ns / NS_PER_MS).toFixed(3),
    flow,
    from,
    to,
  ]);
  return [['time (ms)', 'flow', 'from', 'to'], ...rows];
}
