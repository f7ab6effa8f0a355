import { flowSumsOf } from '../../result/flow-totals';
import type { FlowRecord, FlowSeries, Result } from '../../result/result';
import type { Timelines } from '../../result/timelines';
import type { Chart, ChartSeries, TimeWindow } from './chart';
import { flowGroups, flowName } from './flow-groups';
import { figureAxis, KILOBYTES, PLAIN, timeAxis } from './axis';
import { fairShares, targetOf } from './fair-shares';
import { rateScale, timeScale } from './scale';
import type { Scale } from '../../figures/scale';
import { slowdownCharts } from './slowdown-chart';
import { micro, rounded, thinned, within } from './thin';
import { isQueueSampled } from './verdict';

/** Part of a run that charts show, and the most points of each. */
export interface Detail extends TimeWindow {
  readonly points: number;
}

/** Most points of a whole run in a file that shall be small. */
const WHOLE_POINTS = 6000;
/** Points of the bottleneck's queue, whatever others take. */
const QUEUE_POINTS_MIN = 1000;
/** Other queues than the bottleneck's. */
const PORTS_SHOWN = 5;
const FLOWS_SHOWN = 2000;
/** Lines of a chart: more of them are a surface, and each of them costs a column of all points. */
const LINES_SHOWN = 200;

export const wholeRun = ({ durationUs }: Result, points = WHOLE_POINTS): Detail => ({
  fromUs: 0,
  toUs: durationUs,
  points,
});

/** The charts of a run in reading order. */
export function runCharts(result: Result, detail: Detail = wholeRun(result)): Chart[] {
  return [...timeCharts(result, detail), ...fctCharts(result), ...slowdownCharts(result)];
}

/** Those over time, in more detail where `detail` is a part of the run. */
export function timeCharts(result: Result, detail: Detail): Chart[] {
  const time = timeScale(result);
  const make: Making = { result, detail, time };
  const charts = [queueChart(make), ...flowCharts(make), ...fairnessChart(make)];
  const { timelines } = result;
  return timelines === undefined ? charts : [...charts, ...eventCharts(make, timelines)];
}

interface Making {
  readonly result: Result;
  readonly detail: Detail;
  readonly time: Scale;
}

type Part = Pick<ChartSeries, 'name' | 'group' | 'kind'>;

/** A line over us, cut and thinned to what the chart has room for. */
function line(
  { detail, time }: Making,
  part: Part,
  { x, y, points }: { x: readonly number[]; y: readonly number[]; points: number },
): ChartSeries {
  const kept = thinned(within({ x, y }, detail.fromUs, detail.toUs), points);
  return { ...part, x: kept.x.map((us) => micro(us / time.factor)), y: kept.y.map(rounded) };
}

function queueChart(make: Making): Chart {
  const { result, detail } = make;
  const { intervalUs, link } = result.queueTimeline;
  const { atUs: x, bytes, hasPeak } = bottleneckQueue(result);
  const others = otherQueues(make);
  // Others have a point per interval, and are not thinned.
  const taken = others.reduce((sum, series) => sum + series.x.length, 0);
  const points = Math.max(QUEUE_POINTS_MIN, detail.points - taken);
  const y = bytes.map((value) => value / KILOBYTES.factor);
  return {
    id: 'queue',
    title: 'Queues',
    caption: isQueueSampled(result.bottleneck)
      ? `Bytes waiting at ${link}, the bottleneck, sampled every ${sampling(intervalUs)}` +
        (hasPeak ? ', with its peak between two samples' : '') +
        (others.length > 0 ? '; at other ports, the longest of each interval.' : '.')
      : `The queue at ${link}, the bottleneck, was not sampled.`,
    x: timeAxis(make.time),
    y: figureAxis('queueTimeline.bytes.*', KILOBYTES, { min: 0 }),
    series: [line(make, { name: link, kind: 'area' }, { x, y, points }), ...others],
    subject: 'Queues, losses and feedback',
    followsTime: true,
    wholeFile: 'queue.csv',
  };
}

interface QueueSamples {
  readonly atUs: readonly number[];
  readonly bytes: readonly number[];
  /** True if the peak is among them, which no sample has met. */
  readonly hasPeak: boolean;
}

/** Samples of the bottleneck's queue, and its peak: what the page names as such is in its chart. */
function bottleneckQueue({ queueTimeline, bottleneck }: Result): QueueSamples {
  const { startUs, intervalUs, bytes } = queueTimeline;
  const { queuePeakBytes: peak, queuePeakAtUs: peakAtUs } = bottleneck;
  const atUs = bytes.map((_, i) => startUs + i * intervalUs);
  if (bytes.every((sample) => sample < peak)) {
    const next = atUs.findIndex((us) => us > peakAtUs);
    const place = next < 0 ? atUs.length : next;
    return {
      atUs: atUs.toSpliced(place, 0, peakAtUs),
      bytes: bytes.toSpliced(place, 0, peak),
      hasPeak: true,
    };
  }
  return { atUs, bytes, hasPeak: false };
}

const sampling = (us: number): string => (us >= 1000 ? `${us / 1000} ms` : `${us} us`);

function otherQueues(make: Making): ChartSeries[] {
  const { timelines, queueTimeline } = make.result;
  if (timelines === undefined) return [];
  const x = middles(timelines);
  return timelines.links
    .map(({ name, queuePeakBytes }) => ({
      name,
      queuePeakBytes,
      peak: queuePeakBytes.reduce((most, bytes) => Math.max(most, bytes), 0),
    }))
    .filter(({ name, peak }) => name !== queueTimeline.link && peak > 0)
    .sort((a, b) => b.peak - a.peak)
    .slice(0, PORTS_SHOWN)
    .map(({ name, queuePeakBytes }) => {
      const y = queuePeakBytes.map((bytes) => bytes / KILOBYTES.factor);
      return line(make, { name, kind: 'step' }, { x, y, points: queuePeakBytes.length });
    });
}

const middles = ({ intervalUs, droppedPackets }: Timelines): number[] =>
  droppedPackets.map((_, i) => (i + 0.5) * intervalUs);

function flowCharts(make: Making): Chart[] {
  const { result } = make;
  const scale = rateScale(result);
  const fair = fairShares(result, { time: make.time, rate: scale });
  const rates = perFlow(make, (one) => one.rateGbps.map((rate) => rate / scale.factor));
  const common = {
    subject: 'Flows',
    x: timeAxis(make.time),
    followsTime: true,
    wholeFile: 'rates.csv',
  } as const;
  const some = someOf(result);
  const charts: Chart[] = [
    {
      id: 'rates',
      title: 'Pacing rate of each flow',
      caption: `R, at which the sender paces its packets${fair.length > 0 ? `; dashed: max-min fair rates${targetOf(result) === undefined ? '' : ' times eta'}` : ''}${some}.`,
      y: figureAxis('series.*.rateGbps.*', scale, { min: 0 }),
      series: [...rates, ...fair],
      ...common,
    },
    {
      id: 'windows',
      title: 'Window of each flow',
      caption: `W in payload bytes: what may be unacknowledged${some}.`,
      y: figureAxis('series.*.windowBytes.*', KILOBYTES, { min: 0 }),
      series: perFlow(make, (one) => one.windowBytes.map((w) => w / KILOBYTES.factor)),
      ...common,
    },
    {
      id: 'u',
      title: 'U, as each flow sees it',
      caption: `Bytes in flight on the bottleneck link of the path over its bandwidth-delay product; dashed: the target, eta${some}.`,
      y: figureAxis('series.*.normalizedInflight.*', PLAIN, { min: 0 }),
      series: [...perFlow(make, (one) => one.normalizedInflight), ...target(make)],
      ...common,
    },
  ];
  // Not every algorithm has a window or U, and not every host reports them.
  return charts.filter(hasValues);
}

/** A run has more flows than anybody records one by one. */
function someOf(result: Result): string {
  const shown = Math.min(result.series.length, LINES_SHOWN);
  const { flows } = flowSumsOf(result);
  return shown < flows ? `; ${shown} of ${flows} flows` : '';
}

const hasValues = ({ series }: Chart): boolean =>
  series.some(({ kind, y }) => kind !== 'reference' && y.some((value) => (value ?? 0) > 0));

function perFlow(make: Making, values: (series: FlowSeries) => readonly number[]): ChartSeries[] {
  const { flows, series } = make.result;
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  const groupOf = flowGroups(flows);
  const shown = series.slice(0, LINES_SHOWN);
  const points = Math.max(24, Math.floor(make.detail.points / Math.max(1, shown.length)));
  return shown.map((one) => {
    const flow = byId.get(one.flow);
    const name = flow === undefined ? String(one.flow) : flowName(flow);
    const part = flow === undefined ? { name } : { name, group: groupOf(flow) };
    return line(make, part, { x: one.timeUs, y: values(one), points });
  });
}

const target = ({ result, time }: Making): ChartSeries[] => {
  const eta = targetOf(result);
  if (eta === undefined) return [];
  const x = [0, result.durationUs / time.factor];
  return [{ name: 'eta', kind: 'reference', x, y: [eta, eta] }];
};

/** The axis begins at the lowest value: near 1, a line on an axis from 0 shows nothing. */
function fairnessChart(make: Making): Chart[] {
  const { jainTimeline } = make.result;
  if (jainTimeline.length === 0) return [];
  const x = jainTimeline.map(({ startUs, endUs }) => (startUs + endUs) / 2);
  const y = jainTimeline.map(({ jain }) => jain);
  const { points } = make.detail;
  return [
    {
      id: 'fairness',
      title: 'Fairness',
      caption: "Jain's index of the bytes that active flows delivered in each interval; 1 is fair.",
      x: timeAxis(make.time),
      y: figureAxis('jainTimeline.*.jain', PLAIN, { max: 1 }),
      series: [line(make, { name: "Jain's index", kind: 'line' }, { x, y, points })],
      subject: 'Flows',
      followsTime: true,
    },
  ];
}

/** Charts of drops and of feedback to senders, where there are any. */
function eventCharts(make: Making, timelines: Timelines): Chart[] {
  const { time } = make;
  const bars = (name: string, counts: readonly number[]): ChartSeries =>
    line(make, { name, kind: 'bars' }, { x: middles(timelines), y: counts, points: counts.length });
  const every = `every ${Number((timelines.intervalUs / time.factor).toPrecision(4))} ${time.unit}`;
  const kinds = [
    ['drops', 'Drops', 'Packets that switches dropped or links lost', 'droppedPackets'],
    ['notifications', 'Notifications', 'Feedback received by senders', 'feedbackPackets'],
  ] as const;
  return kinds
    .filter(([, , , key]) => timelines[key].some((count) => count > 0))
    .map(([id, title, caption, key]) => ({
      id,
      title,
      caption: `${caption}, ${every}.`,
      x: timeAxis(time),
      y: figureAxis(`timelines.${key}.*`, { unit: 'packets', factor: 1 }, { min: 0 }),
      series: [bars(title.toLowerCase(), timelines[key])],
      subject: 'Queues, losses and feedback',
      followsTime: true,
    }));
}

/** Each flow is a point where it started; unfinished ones have none. */
function fctCharts({ flows, flowTotals, durationUs }: Result): Chart[] {
  const scale = timeScale({ durationUs });
  const finished = flows.filter(({ fctUs }) => fctUs !== null).slice(0, FLOWS_SHOWN);
  if (finished.length === 0) return [];
  const groupOf = flowGroups(flows);
  const groups = new Map<string, FlowRecord[]>();
  for (const flow of finished) {
    const group = groups.get(groupOf(flow));
    if (group === undefined) groups.set(groupOf(flow), [flow]);
    else group.push(flow);
  }
  const ordered = (of: FlowRecord[]): FlowRecord[] => of.sort((a, b) => a.id - b.id);
  return [
    {
      id: 'fct',
      title: 'Flow completion times',
      caption:
        'From the first segment to the last acknowledgement, by number of the flow' +
        (flowTotals === undefined ? '.' : `; the first ${flows.length} of ${flowTotals.flows}.`),
      x: { label: 'flow', isWhole: true },
      y: figureAxis('flows.*.fctUs', scale, { min: 0 }),
      series: [...groups].map(([name, of]) => ({
        name,
        group: name,
        kind: 'points',
        x: ordered(of).map(({ id }) => id),
        y: of.map(({ fctUs }) => rounded((fctUs ?? 0) / scale.factor)),
      })),
      subject: 'Flows',
      wholeFile: 'flows.csv',
    },
  ];
}
