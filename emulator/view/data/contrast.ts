import { flowSumsOf } from '../../result/flow-totals';
import type { FlowRecord, FlowSeries, Result } from '../../result/result';
import { figureAxis, KILOBYTES, MEGABYTES, MICROSECONDS, timeAxis } from './axis';
import type { Chart, ChartSeries } from './chart';
import { fairArrivals } from './fair-shares';
import { micro, rounded, thinned, valueAt } from './thin';

/** One of the runs that are shown side by side. */
export interface ContrastRun {
  readonly label: string;
  readonly result: Result;
}

/** Instants of a line that sums flows up. */
const POINTS = 500;
/** Points of a queue: four for each column of a picture of half the page. */
const QUEUE_POINTS = 2400;
/** Bytes that a link of 1 Gb/s carries in a microsecond. */
const BYTES_PER_US = 125;

/**
 * The same traffic in several ways, from beginning to end: the bottleneck's queue, and what arrives beside
 * what the receivers' links could carry.
 */
export function contrastCharts(runs: readonly ContrastRun[]): Chart[] {
  const ideal = fairIdeal(runs);
  const also = ideal.length > 0 ? ', and what max-min fair rates would have delivered' : '';
  return [
    {
      id: 'contrast-queue',
      title: 'Queue at the receiver’s link',
      caption: `Bytes that wait, ${runs.map(({ label }) => label).join(' and ')}.`,
      x: timeAxis(MICROSECONDS, { min: 0 }),
      y: figureAxis('queueTimeline.bytes.*', KILOBYTES, { min: 0 }),
      series: runs.map(({ label, result }) => ({ name: label, kind: 'area', ...queue(result) })),
    },
    {
      id: 'contrast-payload',
      title: 'Payload that has arrived',
      caption: `${together(runs)}; dashed: what links to receivers carry if they are shared without a gap${also}.`,
      x: timeAxis(MICROSECONDS, { min: 0 }),
      y: figureAxis('series.*.deliveredBytes.*', MEGABYTES, { min: 0 }),
      series: [
        ...runs.map(({ label, result }) => ({ name: label, ...delivered(result) })),
        ...withoutGap(runs),
        ...ideal,
      ],
    },
  ];
}

/** A run with many flows records some of them over time. */
function together(runs: readonly ContrastRun[]): string {
  const isWhole = runs.every(({ result }) => result.series.length >= flowSumsOf(result).flows);
  if (isWhole) return 'All flows together';
  const shown = runs.map(({ result }) => `${result.series.length} of ${flowSumsOf(result).flows}`);
  return `${[...new Set(shown)].join(' and ')} flows together`;
}

type Points = Pick<ChartSeries, 'x'> & { readonly y: readonly number[] };

function queue({ queueTimeline }: Result): Points {
  const { startUs, intervalUs, bytes } = queueTimeline;
  const y = bytes.map((value) => value / KILOBYTES.factor);
  return thinned({ x: y.map((_, i) => micro(startUs + i * intervalUs)), y }, QUEUE_POINTS);
}

/** All recorded flows together, in MB: what had arrived in order at equally many instants of the run. */
function delivered(result: Result): Points {
  const arrivals = recorded(result).map(({ flow, series }) => arrivalsOf(flow, series, result));
  if (arrivals.length === 0) return { x: [], y: [] };
  const endUs = arrivals.reduce((latest, { x }) => Math.max(latest, last(x)), 0);
  const x = Array.from({ length: POINTS + 1 }, (_, i) => (i * endUs) / POINTS);
  const y = x.map((us) => arrivals.reduce((sum, line) => sum + valueAt(line, us), 0));
  return { x: x.map(micro), y: y.map((bytes) => rounded(bytes / MEGABYTES.factor)) };
}

interface RecordedFlow {
  readonly flow: FlowRecord;
  readonly series: FlowSeries;
}

function recorded({ flows, series }: Result): RecordedFlow[] {
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  return series.flatMap((one) => {
    const flow = byId.get(one.flow);
    return flow === undefined ? [] : [{ flow, series: one }];
  });
}

/** Payload of one flow over time: nothing at its start, what it has delivered at its end, samples between. */
function arrivalsOf(flow: FlowRecord, series: FlowSeries, { durationUs }: Result): Points {
  const { startUs, fctUs, deliveredBytes } = flow;
  const endUs = fctUs === null ? durationUs : startUs + fctUs;
  const inside = series.timeUs.flatMap((us, i) => (us > startUs && us < endUs ? [i] : []));
  return {
    x: [startUs, ...inside.map((i) => series.timeUs[i] as number), endUs],
    y: [0, ...inside.map((i) => series.deliveredBytes[i] as number), deliveredBytes],
  };
}

/** Flows beyond which no ideal is computed. */
const IDEAL_FLOWS_MAX = 200;
/** The ideal is drawn where it differs from what links carry without a gap by more of the whole. */
const IDEAL_DIFFERS = 0.01;

/** Payload of the same flows at max-min fair rates; none where links to receivers alone decide it. */
function fairIdeal(runs: readonly ContrastRun[]): ChartSeries[] {
  const [run] = runs;
  if (run === undefined) return [];
  const { result } = run;
  const flows = recorded(result).map(({ flow }) => flow);
  if (flows.length === 0 || flows.length > IDEAL_FLOWS_MAX) return [];
  if (flows.length < flowSumsOf(result).flows) return [];
  const { segmentBytes, dataAtBottleneckBytes } = result.frames;
  const ideal = fairArrivals(result, flows, segmentBytes / dataAtBottleneckBytes);
  const bound = boundOf(result);
  const differs = ideal.x.some(
    (us, i) =>
      Math.abs((ideal.y[i] as number) - valueAt(bound, us)) > IDEAL_DIFFERS * last(ideal.y),
  );
  if (!differs) return [];
  const y = ideal.y.map((bytes) => rounded(bytes / MEGABYTES.factor));
  return [{ name: 'max-min fair', kind: 'reference', x: ideal.x.map(micro), y }];
}

/** The line that no run exceeds: each link to a receiver is full from its first flow to its last byte. */
function withoutGap(runs: readonly ContrastRun[]): ChartSeries[] {
  const lines = runs.map(({ result }) => boundOf(result));
  const [best] = lines
    .filter(({ x }) => x.length > 0)
    .sort((a, b) => last(b.y) - last(a.y) || last(a.x) - last(b.x));
  if (best === undefined) return [];
  const y = best.y.map((bytes) => rounded(bytes / MEGABYTES.factor));
  return [{ name: 'without a gap', kind: 'reference', x: best.x.map(micro), y }];
}

const last = (values: readonly number[]): number => values.at(-1) ?? 0;

function boundOf(result: Result): Points {
  const byDestination = new Map<string, FlowRecord[]>();
  for (const { flow } of recorded(result)) {
    const others = byDestination.get(flow.destination);
    if (others === undefined) byDestination.set(flow.destination, [flow]);
    else others.push(flow);
  }
  const lines = [...byDestination].map(([to, flows]) => boundAt(to, flows, result));
  const x = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  return { x, y: x.map((us) => lines.reduce((sum, line) => sum + valueAt(line, us), 0)) };
}

function boundAt(destination: string, flows: readonly FlowRecord[], result: Result): Points {
  const { topology, frames } = result;
  const rateGbps = topology.links.reduce((sum, { a, b, rateGbps: there, ...link }) => {
    if (b === destination) return sum + there;
    return a === destination ? sum + (link.backRateGbps ?? there) : sum;
  }, 0);
  // Frames grow with each switch: on a path with fewer of them more of the link is payload.
  const isBottleneck = result.bottleneck.link.split('->')[1]?.startsWith(`${destination}:`);
  const frameBytes = isBottleneck === true ? frames.dataAtBottleneckBytes : frames.dataAtHostBytes;
  const payloadPerUs = (rateGbps * BYTES_PER_US * frames.segmentBytes) / frameBytes;
  const startUs = flows.reduce((first, flow) => Math.min(first, flow.startUs), Infinity);
  const bytes = flows.reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0);
  return { x: [startUs, startUs + bytes / payloadPerUs], y: [0, bytes] };
}
