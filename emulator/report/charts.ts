import type { EChartsOption, SeriesOption } from 'echarts';
import type { FlowSeries, Result } from '../record/result';
import type { Chart } from './chart';
import { topologyChart } from './topology-chart';

/** The charts of a report in reading order; options are plain data, rendered by ECharts. */
export function chartsOf(result: Result): Chart[] {
  const charts = [queueChart(result), rateChart(result), windowChart(result), fctChart(result)];
  if (result.jainTimeline.length > 0) charts.push(fairnessChart(result));
  return [...charts, topologyChart(result)];
}

type Point = [number, number];

const KILO = 1000;

function queueChart({ queueTimeline, bottleneck }: Result): Chart {
  const { startUs, intervalUs, bytes } = queueTimeline;
  const data = bytes.map((value, i): Point => [startUs + i * intervalUs, value / KILO]);
  return {
    id: 'queue',
    title: 'Queue at the bottleneck',
    caption: `Bytes waiting at ${bottleneck.link}, sampled every ${intervalUs} us.`,
    heightPx: 320,
    option: {
      ...timeAxes('queue (KB)'),
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
            data: [
              { name: 'peak', coord: [bottleneck.queuePeakAtUs, bottleneck.queuePeakBytes / KILO] },
            ],
          },
        },
      ],
    },
  };
}

function rateChart(result: Result): Chart {
  return {
    id: 'rates',
    title: 'Pacing rate of each flow',
    caption: 'R of HPCC++, as the sender paces its packets.',
    heightPx: 340,
    option: perFlow(result, 'rate (Gb/s)', (series) => series.rateGbps),
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
  const labels = new Map(result.flows.map((flow) => [flow.id, flowLabel(flow)]));
  const series = result.series.map((one): SeriesOption => {
    const ys = values(one);
    return {
      type: 'line',
      name: labels.get(one.flow) ?? String(one.flow),
      showSymbol: false,
      lineStyle: { width: 1 },
      data: thinned(one.timeUs.map((time, i): Point => [time, ys[i] ?? 0])),
    };
  });
  return { ...timeAxes(yName), legend: { type: 'scroll', bottom: 28 }, series };
}

const flowLabel = (flow: { id: number; source: string; destination: string }): string =>
  `${flow.id}: ${flow.source} to ${flow.destination}`;

function fctChart({ flows, fctUs }: Result): Chart {
  const shown = flows.slice(0, 500);
  const markLine =
    fctUs === null
      ? {}
      : {
          markLine: {
            symbol: 'none',
            label: { formatter: 'median', position: 'insideEndTop' as const },
            data: [{ yAxis: fctUs.median }],
          },
        };
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
      yAxis: { type: 'value', name: 'FCT (us)' },
      series: [{ type: 'bar', name: 'FCT', data: shown.map((flow) => flow.fctUs), ...markLine }],
    },
  };
}

function fairnessChart({ jainTimeline }: Result): Chart {
  const data = jainTimeline.map(({ endUs, jain }): Point => [endUs, jain]);
  return {
    id: 'fairness',
    title: 'Fairness',
    caption: "Jain's index of the bytes that active flows delivered in each interval.",
    heightPx: 240,
    option: {
      ...timeAxes("Jain's index"),
      yAxis: { type: 'value', name: "Jain's index", min: 0, max: 1 },
      series: [{ type: 'line', name: 'Jain', showSymbol: false, data }],
    },
  };
}

const grid: EChartsOption = {
  animation: false,
  grid: { left: 64, right: 24, top: 36, bottom: 84 },
};

function timeAxes(yName: string): EChartsOption {
  return {
    ...grid,
    tooltip: { trigger: 'axis', confine: true, order: 'valueDesc' },
    dataZoom: [{ type: 'inside' }, { type: 'slider', height: 18, bottom: 6 }],
    xAxis: { type: 'value', name: 'time (us)', nameLocation: 'middle', nameGap: 24 },
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
