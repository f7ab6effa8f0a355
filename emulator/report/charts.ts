import type { EChartsOption, SeriesOption } from 'echarts';
import type { FlowRecord, FlowSeries, Result } from '../result/result';
import type { Chart } from './page';
import { slowdownCharts } from './slowdown-chart';
import { rateScale, timeScale } from './scale';
import type { Scale } from './scale';
import { topologyChart } from './topology-chart';

/** The charts of a report in reading order; options are plain data, rendered by ECharts. */
export function chartsOf(result: Result): Chart[] {
  const charts = [queueChart(result), rateChart(result), windowChart(result), fctChart(result)];
  charts.push(...slowdownCharts(result));
  if (result.jainTimeline.length > 0) charts.push(fairnessChart(result));
  return [...charts, topologyChart(result)];
}

type Point = [number, number];

const KILO = 1000;

function queueChart(result: Result): Chart {
  const { queueTimeline, bottleneck } = result;
  const { startUs, intervalUs, bytes } = queueTimeline;
  const time = timeScale(result);
  const data = bytes.map((value, i): Point => [
    (startUs + i * intervalUs) / time.factor,
    value / KILO,
  ]);
  const peakAt = bottleneck.queuePeakAtUs / time.factor;
  return {
    id: 'queue',
    title: 'Queue at the bottleneck',
    caption: `Bytes waiting at ${bottleneck.link}, sampled every ${sampling(intervalUs)}.`,
    heightPx: 320,
    option: {
      ...timeAxes('queue (KB)', time),
      series: [
        {
          type: 'line',
          name: 'queue',
          showSymbol: false,
          areaStyle: { opacity: 0.15 },
          lineStyle: { width: 1.5 },
          data: thinned(data),
          markPoint: {
            symbolSize: 1,
            label: { position: 'right', formatter: `peak ${kilobytes(bottleneck.queuePeakBytes)}` },
            data: [{ name: 'peak', coord: [peakAt, bottleneck.queuePeakBytes / KILO] }],
          },
        },
      ],
    },
  };
}

const sampling = (us: number): string => (us >= KILO ? `${us / KILO} ms` : `${us} us`);

function rateChart(result: Result): Chart {
  const { unit, factor } = rateScale(result);
  return {
    id: 'rates',
    title: 'Pacing rate of each flow',
    caption: 'R of HPCC++, as the sender paces its packets.',
    heightPx: 340,
    option: perFlow(result, `rate (${unit})`, (series) =>
      series.rateGbps.map((rate) => rate / factor),
    ),
  };
}

function windowChart(result: Result): Chart {
  return {
    id: 'windows',
    title: 'Window of each flow',
    caption: 'W of HPCC++ in payload bytes.',
    heightPx: 340,
    option: perFlow(result, 'window (KB)', (series) => series.windowBytes.map((w) => w / KILO)),
  };
}

function perFlow(
  result: Result,
  yName: string,
  values: (series: FlowSeries) => readonly number[],
): EChartsOption {
  const time = timeScale(result);
  const labels = new Map(result.flows.map((flow) => [flow.id, flowLabel(flow)]));
  const series = result.series.map((one): SeriesOption => {
    const ys = values(one);
    return {
      type: 'line',
      name: labels.get(one.flow) ?? String(one.flow),
      showSymbol: false,
      lineStyle: { width: 1 },
      data: thinned(one.timeUs.map((us, i): Point => [us / time.factor, ys[i] ?? 0])),
    };
  });
  return { ...timeAxes(yName, time), legend: { type: 'scroll', bottom: 28 }, series };
}

const flowLabel = (flow: { id: number; source: string; destination: string }): string =>
  `${flow.id}: ${flow.source} to ${flow.destination}`;

function fctChart(result: Result): Chart {
  const { flows, fctUs } = result;
  const { unit, factor } = timeScale(result);
  const shown = flows.slice(0, 500);
  const markLine =
    fctUs === null
      ? {}
      : {
          markLine: {
            symbol: 'none',
            label: { formatter: 'median', position: 'insideEndTop' as const },
            data: [{ yAxis: fctUs.median / factor }],
          },
        };
  const inUnit = ({ fctUs: own }: FlowRecord): number | null =>
    own === null ? null : own / factor;
  return {
    id: 'fct',
    title: 'Flow completion times',
    caption: 'From the first segment to the last acknowledgement.',
    heightPx: 260,
    option: {
      ...grid,
      tooltip: { trigger: 'axis' },
      xAxis: {
        type: 'category',
        data: shown.map(flowLabel),
        name: 'flow',
        nameLocation: 'middle',
        nameGap: 28,
      },
      yAxis: { type: 'value', name: `FCT (${unit})` },
      series: [{ type: 'bar', name: 'FCT', data: shown.map(inUnit), ...markLine }],
    },
  };
}

function fairnessChart(result: Result): Chart {
  const time = timeScale(result);
  const data = result.jainTimeline.map(({ endUs, jain }): Point => [endUs / time.factor, jain]);
  return {
    id: 'fairness',
    title: 'Fairness',
    caption: "Jain's index of the bytes that active flows delivered in each interval.",
    heightPx: 240,
    option: {
      ...timeAxes("Jain's index", time),
      yAxis: { type: 'value', name: "Jain's index", min: 0, max: 1 },
      series: [{ type: 'line', name: 'Jain', showSymbol: false, data }],
    },
  };
}

const grid: EChartsOption = {
  animation: false,
  grid: { left: 64, right: 24, top: 36, bottom: 84 },
};

function timeAxes(yName: string, { unit }: Scale): EChartsOption {
  return {
    ...grid,
    tooltip: { trigger: 'axis', confine: true, order: 'valueDesc' },
    dataZoom: [{ type: 'inside' }, { type: 'slider', height: 18, bottom: 6 }],
    xAxis: { type: 'value', name: `time (${unit})`, nameLocation: 'middle', nameGap: 24 },
    yAxis: { type: 'value', name: yName },
  };
}

const MAX_POINTS = 6000;

/** Keeps a report small: of every run of points, the highest one stays, so that peaks survive. */
function thinned(points: readonly Point[]): Point[] {
  const run = Math.ceil(points.length / MAX_POINTS);
  if (run <= 1) return [...points];
  const kept: Point[] = [];
  for (let i = 0; i < points.length; i += run) {
    const part = points.slice(i, i + run);
    kept.push(part.reduce((best, point) => (point[1] > best[1] ? point : best)));
  }
  return kept;
}

const kilobytes = (bytes: number): string => `${(bytes / KILO).toFixed(1)} KB`;
