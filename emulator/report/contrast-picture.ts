import type { EChartsOption, SeriesOption } from 'echarts';
import type { Result } from '../result/result';

/** One of the runs that a picture shows side by side. */
export interface ContrastRun {
  readonly label: string;
  readonly color: string;
  readonly result: Result;
}

/** Of the picture, in px. */
export const CONTRAST_SIZE = { width: 1040, height: 380 } as const;

/** The left half shows so much: a queue that is drained is drained within a few round trips. */
const QUEUE_SHOWN_US = 250;
const KILO = 1000;
const MEGA = 1e6;
const NEUTRAL = '#8a94a0';
/** Axes that name themselves in the middle, and lines that do not outshine the data. */
const AXIS = {
  nameLocation: 'middle',
  nameTextStyle: { fontSize: 12 },
  axisLine: { show: true, lineStyle: { color: NEUTRAL } },
  splitLine: { lineStyle: { color: NEUTRAL, opacity: 0.2 } },
} as const;

/**
 * The same traffic in several ways: the bottleneck's queue in the first microseconds, and what arrives
 * from beginning to end beside what the link could carry. It is drawn without a browser.
 */
export function contrastPicture(runs: readonly ContrastRun[]): EChartsOption {
  const endUs = Math.max(...runs.map(({ result }) => lastFlowUs(result)));
  const total = Math.max(...runs.map(({ result }) => delivered(result).at(-1)?.[1] ?? 0));
  return {
    animation: false,
    backgroundColor: 'transparent',
    legend: {
      top: 0,
      itemGap: 28,
      icon: 'roundRect',
      itemHeight: 4,
      itemWidth: 22,
      textStyle: { fontSize: 13 },
    },
    title: [
      { text: 'Queue at the receiver’s link', left: '25%', top: 28, ...TITLE },
      { text: 'Payload that has arrived', left: '76%', top: 28, ...TITLE },
    ],
    grid: [
      { left: 64, top: 58, width: 410, bottom: 48 },
      { left: 584, top: 58, width: 420, bottom: 48 },
    ],
    xAxis: [
      { ...AXIS, type: 'value', name: 'time (us)', nameGap: 26, min: 0, max: QUEUE_SHOWN_US },
      {
        ...AXIS,
        type: 'value',
        gridIndex: 1,
        name: 'time (us)',
        nameGap: 26,
        min: 0,
        max: Math.ceil(endUs / 100) * 100,
      },
    ],
    yAxis: [
      { ...AXIS, type: 'value', name: 'queue (KB)', nameGap: 44, min: 0 },
      {
        ...AXIS,
        type: 'value',
        gridIndex: 1,
        name: 'payload (MB)',
        nameGap: 34,
        min: 0,
        max: Math.ceil(total),
      },
    ],
    series: [...runs.flatMap(seriesOf), ...fairShare(runs[0], total)],
  };
}

const TITLE = { textAlign: 'center', textStyle: { fontSize: 14, fontWeight: 'bold' } } as const;

function seriesOf({ label, color, result }: ContrastRun): SeriesOption[] {
  const { startUs, intervalUs, bytes } = result.queueTimeline;
  const queue = bytes
    .map((value, i): Point => [startUs + i * intervalUs, value / KILO])
    .filter(([us]) => us <= QUEUE_SHOWN_US);
  const line = { type: 'line', name: label, showSymbol: false, color } as const;
  return [
    { ...line, lineStyle: { width: 2 }, areaStyle: { opacity: 0.12 }, data: queue },
    { ...line, xAxisIndex: 1, yAxisIndex: 1, lineStyle: { width: 2.5 }, data: delivered(result) },
  ];
}

type Point = [us: number, amount: number];

/** All flows together, in MB: what arrived in order, at the times of the samples and the end. */
function delivered({ series, flows }: Result): Point[] {
  const points: Point[] = [];
  const longest = series.reduce((most, { timeUs }) => Math.max(most, timeUs.length), 0);
  for (let i = 0; i < longest; i++) {
    const us = series.find(({ timeUs }) => timeUs.length > i)?.timeUs[i] ?? 0;
    const sum = series.reduce(
      (all, one) => all + (one.deliveredBytes[i] ?? one.deliveredBytes.at(-1) ?? 0),
      0,
    );
    points.push([us, sum / MEGA]);
  }
  const all = flows.reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0);
  return [...points, [lastFlowUs({ flows }), all / MEGA]];
}

const lastFlowUs = ({ flows }: Pick<Result, 'flows'>): number =>
  flows.reduce((last, { startUs, fctUs }) => Math.max(last, startUs + (fctUs ?? 0)), 0);

/** What the link carries if all senders share it without a gap: the slope that nobody exceeds. */
function fairShare(run: ContrastRun | undefined, total: number): SeriesOption[] {
  if (run === undefined) return [];
  const { topology, frames } = run.result;
  const rateGbps = Math.min(...topology.links.map((link) => link.rateGbps));
  const share = frames.segmentBytes / frames.dataAtBottleneckBytes;
  const endUs = (total * 8 * KILO) / (rateGbps * share);
  return [
    {
      ...{ type: 'line', name: 'all senders share the link without a gap', showSymbol: false },
      ...{ xAxisIndex: 1, yAxisIndex: 1, color: NEUTRAL },
      lineStyle: { type: 'dashed', width: 1.5 },
      data: [
        [0, 0],
        [endUs, total],
      ],
    },
  ];
}
