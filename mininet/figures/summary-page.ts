import { figureAxis, PLAIN } from '../../emulator/view/data/axis';
import type { Chart, ChartSeries } from '../../emulator/view/data/chart';
import type { Fact, PageData, PageSection } from '../../emulator/view/data/page-data';
import { tileOf } from '../../emulator/view/data/tile';
import type { PageExtras } from '../../emulator/view/data/run-page';
import type { FigureName } from '../experiment/experiment';
import type { BarVerdict } from './bars';
import type { Figures } from './figures';
import { pathTable } from './int-figures';
import { barTable, figureTable, machineText, validityText, verdictText } from './words';
import type { MininetResult } from './mininet-result';

/** Content of a run's report beyond that of reports of the emulator. */
export function reportExtras(result: MininetResult): PageExtras {
  const { generator, machine, figures, bars, command, toldPaths } = result;
  const subtitle =
    `Under Mininet, ${machine.wallSeconds.toFixed(1)} s of real time. Every packet crossed ` +
    `${generator.p4Program} (${generator.executor}, ${generator.queueModel}).`;
  const only = new Map([['run', figures]]);
  return {
    subtitle,
    // Its sentence says by itself that flows had no control.
    ...(result.uncontrolled === undefined && { validity: validityText(result) }),
    ...(command !== undefined && { command }),
    sections: [
      machineSection(result),
      figureSection(only),
      ...barSection(bars),
      ...(toldPaths === undefined ? [] : [pathSection(toldPaths)]),
    ],
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

/** Runs that a page shows side by side. */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly bars: readonly BarVerdict[];
  /** Command that made it. */
  readonly command: string;
  /** Reason why no run is emulated, where one could be expected. */
  readonly notEmulated?: string | undefined;
}

/** Cases of an experiment, or real runs and emulated ones, in one page. */
export function comparisonPage(
  title: string,
  { runs, bars, notEmulated, command }: Comparison,
): PageData {
  const figures = new Map(runs.map((run) => [run.name, run.figures]));
  const none = notEmulated === undefined ? '' : ` No emulated twin: ${notEmulated}.`;
  return {
    title,
    subtitle: `${runs.map(({ name }) => name).join(', ')} side by side.${none}`,
    command,
    ...verdictOf(runs),
    facts: tilesOf(runs),
    opening: [figureSection(figures), ...barSection(bars)],
    charts: runs.some(({ delaysMs }) => delaysMs.length > 0) ? [delayChart(runs)] : [],
    closing: runs.flatMap(({ name, result }) =>
      result === undefined ? [] : [{ title: `Machine: ${name}`, text: machineLines(result) }],
    ),
  };
}

/** Validity of the real runs, each by its name. */
function verdictOf(runs: readonly ComparedRun[]): { readonly verdict?: string } {
  const texts = runs.flatMap(({ name, result }) =>
    result === undefined ? [] : [`${name}: ${validityText(result)}`],
  );
  return texts.length === 0 ? {} : { verdict: `${texts.join('; ')}.` };
}

/** The first figures that all runs have, of the first run with those of the others beside. */
function tilesOf([first, ...others]: readonly ComparedRun[]): Fact[] {
  if (first === undefined) return [];
  const all = [first, ...others];
  const shown = TILES.filter((key) => all.every(({ figures }) => figures[key] !== null)).slice(
    0,
    3,
  );
  return shown.map((key) => {
    const valueOf = ({ name, figures }: ComparedRun) => ({ name, value: figures[key] });
    return tileOf(`mininet.${key}`, valueOf(first), others.map(valueOf));
  });
}

const TILES = [
  'throughputMbps',
  'utilisation',
  'queueP99Packets',
  'drops',
] as const satisfies readonly FigureName[];

const figureSection = (figures: ReadonlyMap<string, Figures>): PageSection => ({
  title: 'Figures',
  rows: figureTable(figures),
});

const barSection = (bars: readonly BarVerdict[]): PageSection[] =>
  bars.length === 0 ? [] : [{ title: 'Bars', rows: barTable(bars) }];

const pathSection = (paths: NonNullable<MininetResult['toldPaths']>): PageSection => ({
  title: 'Paths by telemetry reports',
  rows: pathTable(paths),
});

const machineSection = (result: MininetResult): PageSection =>
  result.machine.valid
    ? { title: 'Machine', text: machineLines(result) }
    : { title: 'Not valid', text: machineLines(result), tone: 'bad' };

const machineLines = (result: MininetResult): string[] => [
  verdictText(result),
  machineText(result),
];

/** Share of the samples that are longer than a delay. */
function delayChart(runs: readonly ComparedRun[]): Chart {
  return {
    id: 'delay',
    title: 'Queueing delay at the bottleneck',
    caption:
      'Share of the telemetry records with more than this delay; lower and further left is better.',
    x: figureAxis('mininet.delayMs', { unit: 'ms', factor: 1 }, { min: 0 }),
    y: figureAxis('mininet.delayShare', PLAIN, {
      isLogarithmic: true,
      min: SMALLEST_SHARE,
      max: 1,
    }),
    series: runs.map(({ name, delaysMs }): ChartSeries => {
      const points = sharesAbove(delaysMs);
      return { name, kind: 'step', x: points.map(([x]) => x), y: points.map(([, y]) => y) };
    }),
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
