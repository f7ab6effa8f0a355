import type { SeriesOption } from 'echarts';
import type { Chart } from '../report/chart';
import { escape, htmlSection, htmlTable } from '../report/page';
import type { Page } from '../report/page';
import type { ReportExtras } from '../report/html';
import type { BarVerdict } from './bars';
import type { Figures } from './figures';
import { barTable, figureTable, machineText } from './words';
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

/** Cases of an experiment, or a real run and an emulated one, in one page. */
export function comparisonPage(
  title: string,
  runs: readonly ComparedRun[],
  bars: readonly BarVerdict[],
  charts: readonly Chart[] = [],
): Page {
  const figures = new Map(runs.map((run) => [run.name, run.figures]));
  return {
    title,
    subtitle: `${runs.map(({ name }) => name).join(', ')} side by side.`,
    opening: [figureSection(figures), ...barSection(bars)],
    charts: [delayChart(runs), ...charts],
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

const machineHtml = (result: MininetResult): string => `<p>${escape(machineText(result))}</p>`;

const POINTS = 400;

/** Share of the samples that are at most so long. */
function delayChart(runs: readonly ComparedRun[]): Chart {
  const series = runs.map(
    ({ name, delaysMs }): SeriesOption => ({
      type: 'line',
      step: 'end',
      name,
      showSymbol: false,
      data: cumulative(delaysMs),
    }),
  );
  return {
    id: 'delay',
    title: 'Queueing delay at the bottleneck',
    caption: 'Share of the telemetry records with at most this delay; further left is better.',
    heightPx: 340,
    option: {
      animation: false,
      grid: { left: 64, right: 24, top: 36, bottom: 64 },
      tooltip: { trigger: 'axis' },
      legend: { bottom: 0 },
      xAxis: { type: 'value', name: 'delay (ms)', nameLocation: 'middle', nameGap: 24 },
      yAxis: { type: 'value', name: 'share', min: 0, max: 1 },
      series,
    },
  };
}

function cumulative(values: readonly number[]): [number, number][] {
  const sorted = [...values].sort((a, b) => a - b);
  const step = Math.max(1, Math.floor(sorted.length / POINTS));
  const points = sorted.flatMap((value, i): [number, number][] =>
    i % step === 0 || i === sorted.length - 1 ? [[value, (i + 1) / sorted.length]] : [],
  );
  return points;
}
