import type { LinkHistory, TelemetryHistory } from '../../common/telemetry/plot/telemetry-history';
import type { TimeBuckets } from '../../common/telemetry/plot/time-buckets';
import { InputError } from '../../common/errors';
import { pageAssets } from '../../emulator/io/page-assets';
import { writeAtomically } from '../../common/io/atomic-file';
import type { Chart, ChartSeries } from '../../emulator/view/data/chart';
import type { PageData } from '../../emulator/view/data/page-data';
import { staticPage } from '../../emulator/view/data/static-page';

const NS_PER_MS = 1e6;
const KILO = 1000;

type Point = [ms: number, value: number];

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
      ...chart(QUEUE, links, ({ queueBytes }) => points(queueBytes, KILO)),
      ...chart(LATENCY, links, ({ latencyNs }) => points(latencyNs, KILO)),
      ...chart(RATE, links, ratePoints),
    ],
    closing: changes.length === 0 ? [] : [{ title: 'Changes of path', rows: changeRows(history) }],
  };
}

type Heading = Pick<Chart, 'id' | 'title' | 'caption'> & { readonly axis: string };

const QUEUE: Heading = {
  id: 'queue',
  title: 'Queue',
  caption: 'Bytes waiting at each link, the longest queue of each interval.',
  axis: 'queue (KB)',
};
const LATENCY: Heading = {
  id: 'latency',
  title: 'Latency',
  caption: 'Time in each switch, the longest of each interval.',
  axis: 'latency (us)',
};
const RATE: Heading = {
  id: 'rate',
  title: 'Rate',
  caption: "What left each link, by the switch's own counters and clock.",
  axis: 'rate (Gb/s)',
};

/** None where no link has a point: not every carrier tells everything. */
function chart(
  { axis, ...heading }: Heading,
  links: readonly LinkHistory[],
  of: (link: LinkHistory) => Point[],
): Chart[] {
  const series = links.flatMap((link): ChartSeries[] => {
    const data = of(link);
    if (data.length === 0) return [];
    return [{ name: link.link, x: data.map(([ms]) => ms), y: data.map(([, value]) => value) }];
  });
  if (series.length === 0) return [];
  return [{ ...heading, x: { label: 'time (ms)' }, y: { label: axis, min: 0 }, series }];
}

const points = (buckets: TimeBuckets, unit: number): Point[] =>
  [...buckets.points()].map(([ns, value]) => [ns / NS_PER_MS, value / unit]);

/** Bits per ns are gigabits per second. */
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
