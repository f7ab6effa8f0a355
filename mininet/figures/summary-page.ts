import type { SeriesOption } from 'echarts';
import type { Chart, Page } from '../../emulator/report/page';
import { escape, htmlSection, htmlTable } from '../../emulator/report/page';
import type { ReportExtras } from '../../emulator/report/html';
import type { BarVerdict } from './bars';
import type { Figures } from './figures';
import { barTable, figureTable, machineText, verdictText } from './words';
import type { MininetResult } from './mininet-result';

/** What the report of one run says besides what reports of the emulator say. */
export function reportExtras(result: MininetResult): ReportExtras {
  const { generator, machine, figures, bars } = result;
  const subtitle =
    `Under Mininet, ${machine.wallSeconds.toFixed(1)} s of real time. Every packet crossed ` +
    `${generator.p4Program} (${generator.executor}, ${generator.queueModel}).`;
  const only = new Map([['run', figures]]);
  return {
    subtitle,
    sections: [machineSection(result), figureSection(only), ...barSection(bars)],
  };
}

/** One of several runs that a page sets side by side. */
export interface ComparedRun {
  readonly name: string;
  readonly figures: Figures;
  readonly delaysMs: readonly number[];
  /** Undefined for runs in virtual time. */
  readonly result: MininetResult | undefined;
}

/** What a page sets side by side. */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly bars: readonly BarVerdict[];
  /** Why no run is emulated, where somebody might expect it. */
  readonly notEmulated?: string | undefined;
}

/** Cases of an experiment, or real runs and emulated ones, in one page. */
export function comparisonPage(title: string, { runs, bars, notEmulated }: Comparison): Page {
  const figures = new Map(runs.map((run) => [run.name, run.figures]));
  const none = notEmulated === undefined ? '' : ` No emulated twin: ${notEmulated}.`;
  return {
    title,
    subtitle: `${runs.map(({ name }) => name).join(', ')} side by side.${none}`,
    opening: [figureSection(figures), ...barSection(bars)],
    charts: runs.some(({ delaysMs }) => delaysMs.length > 0) ? [delayChart(runs)] : [],
    closing: runs.flatMap(({ name, result }) =>
      result === undefined ? [] : [htmlSection(`Machine: ${name}`, machineHtml(result))],
    ),
  };
}

const figureSection = (figures: ReadonlyMap<string, Figures>): string =>
  htmlSection('Figures', htmlTable(figureTable(figures)));

const barSection = (bars: readonly BarVerdict[]): string[] =>
  bars.length === 0 ? [] : [htmlSection('Bars', htmlTable(barTable(bars)))];

const machineSection = (result: MininetResult): string =>
  result.machine.valid
    ? htmlSection('Machine', machineHtml(result))
    : `<section class="violations"><h2>Not valid</h2>${machineHtml(result)}</section>`;

const machineHtml = (result: MininetResult): string =>
  `<p>${escape(verdictText(result))}</p><p>${escape(machineText(result))}</p>`;

/** Share of the samples that are longer than a delay. */
function delayChart(runs: readonly ComparedRun[]): Chart {
  const series = runs.map(({ name, delaysMs }): SeriesOption => ({
    type: 'line',
    step: 'end',
    name,
    showSymbol: false,
    data: sharesAbove(delaysMs),
  }));
  return {
    id: 'delay',
    title: 'Queueing delay at the bottleneck',
    caption:
      'Share of the telemetry records with more than this delay; lower and further left is better.',
    heightPx: 340,
    option: {
      animation: false,
      grid: { left: 72, right: 24, top: 36, bottom: 64 },
      tooltip: { trigger: 'axis' },
      legend: { bottom: 0 },
      xAxis: { type: 'value', name: 'delay (ms)', nameLocation: 'middle', nameGap: 24 },
      yAxis: { type: 'log', name: 'share', min: SMALLEST_SHARE, max: 1 },
      series,
    },
  };
}

/** A line ends at the delay that is exceeded less often. */
const SMALLEST_SHARE = 1e-3;

function sharesAbove(values: readonly number[]): [number, number][] {
  const sorted = [...values].sort((a, b) => a - b);
  const points = sorted.flatMap((value, i): [number, number][] => {
    const share = (sorted.length - 1 - i) / sorted.length;
    return sorted[i + 1] === value ? [] : [[value, Math.max(SMALLEST_SHARE, share)]];
  });
  const end = points.findIndex(([, share]) => share === SMALLEST_SHARE);
  return [[0, 1], ...points.slice(0, end + 1)];
}
