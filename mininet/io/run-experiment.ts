import * as path from 'node:path';
import { convertRun } from '../figures/convert';
import { emulatedScenario } from '../figures/emulate';
import { emulatedDelays, emulatedFigures } from '../figures/emulated-figures';
import { figuresOf } from '../figures/figures';
import type { ExperimentDocument } from '../experiment/experiment';
import { ONLY_CASE } from '../experiment/load-experiment';
import type { ExperimentCase } from '../experiment/load-experiment';
import { machineOf } from '../observation/machine';
import { adviceOf, lighterLoad } from '../experiment/lighter-load';
import type { MachineSetting } from '../observation/machine';
import type { Observation } from '../observation/observation';
import { Trace } from '../observation/trace';
import type { MininetResult } from '../figures/mininet-result';
import type { MachineCapacity } from '../experiment/parameters';
import { carriedRate, delaysOf, isRampOver, judgeCases, nextCase } from '../figures/summary';
import type { FinishedCase } from '../figures/summary';
import { comparisonPage, reportExtras } from '../figures/summary-page';
import type { ComparedRun } from '../figures/summary-page';
import type { BarVerdict } from '../figures/bars';
import type { Progress } from '../plan/run-files';
import { drawPicture } from '../../emulator/view/picture/draw-picture';
import type { PageData } from '../../emulator/view/data/page-data';
import { staticPage } from '../../emulator/view/data/static-page';
import { runScenario } from '../../emulator/io/run-scenario';
import { pageAssets } from '../../emulator/io/results/page-assets';
import { writeAtomically } from '../../common/io/atomic-file';
import { writeResult } from '../../emulator/io/results/write-result';
import { generatorOf, prepareCase, runCase } from './run-case';
import type { CaseSetting, PreparedCase } from './run-case';
import type { Programs } from '../plan/commands';

export interface PlannedCase {
  readonly own: ExperimentCase;
  readonly setting: CaseSetting;
}

export interface ExperimentRun {
  readonly cases: readonly PlannedCase[];
  readonly programs: Programs;
  readonly capacity: MachineCapacity | undefined;
  /** True if the run's processes are scheduled in real time. */
  readonly realtime: boolean;
  /** True if the emulator runs the same afterwards. */
  readonly compare: boolean;
  readonly folder: string;
  /** Command line of this run. */
  readonly command: string;
  readonly onCase: (own: PreparedCase) => void;
  readonly onProgress: (progress: Progress) => void;
  /** Called before the emulator runs a case, which may take as long as the case did. */
  readonly onEmulation: (own: PreparedCase) => void;
}

export interface ExperimentEnd {
  /** Names of the cases that have run, one for each result. */
  readonly names: readonly string[];
  readonly results: readonly MininetResult[];
  readonly bars: readonly BarVerdict[];
  /** HTML, the one to look at first before others. */
  readonly pages: readonly string[];
  /** The same runs in virtual time, one for each result; none where that was not requested. */
  readonly emulated: readonly ComparedRun[];
  /** Reason why there is none although it was requested. */
  readonly notEmulated: string | undefined;
  /** Mb/s of the last step of a ramp that was carried; null when there is no ramp, or no such step. */
  readonly carriedMbps: number | null;
  readonly interrupted: boolean;
  /** Next step where a valid run has missed a bar. */
  readonly advice: string | undefined;
}

/**
 * Data kept of a finished case: all its traces, with those of others, may be larger than memory.
 */
interface Finished extends FinishedCase {
  readonly prepared: PreparedCase;
  readonly delaysMs: readonly number[];
  /** Result before bars are judged, some of which compare cases. */
  readonly result: MininetResult;
}

/**
 * Runs the cases of an experiment one after the other, until all have run or a ramp is over, and
 * writes results, reports, and a page that sets them side by side.
 * @throws InputError when a run failed.
 */
export async function runExperiment(run: ExperimentRun): Promise<ExperimentEnd> {
  const finished: Finished[] = [];
  let interrupted = false;
  const wasOver = new Map<number, boolean>();
  const isStep = run.cases.map(({ own }) => own.isStep);
  for (;;) {
    const index = nextCase(isStep, wasOver);
    const planned = run.cases[index ?? -1];
    if (index === undefined || planned === undefined) break;
    const { own, setting } = planned;
    // Not earlier: a plan may hold an instant that is soon over.
    const prepared = prepareCase(own, setting);
    run.onCase(prepared);
    const observation = await runCase(prepared, run.realtime, run.onProgress);
    interrupted = observation === undefined;
    if (observation === undefined) break;
    const last = finishedCase(run, { name: own.name, observation, prepared });
    finished.push(last);
    wasOver.set(index, isRampOver(prepared.own.document, last.result));
  }
  const document = run.cases[0]?.own.document;
  const bars = document === undefined ? [] : judgeCases(document, finished);
  const results = finished.map((each) => withBars(each, bars));
  results.forEach((result, i) => {
    writeResult(result, folderOf(finished[i]), reportExtras(result));
  });
  const notEmulated = run.compare ? reasonAgainst(document, interrupted) : undefined;
  const emulated = run.compare && notEmulated === undefined ? await emulateAll(run, finished) : [];
  const pages = writePages(run, { finished, results, bars, emulated, notEmulated });
  const carriedMbps = document === undefined ? null : carriedRate(document, results);
  const names = finished.map(({ name }) => name);
  const own = bars.every(({ isMet }) => isMet) ? undefined : run.cases[0]?.own;
  const advice = own && adviceOf(own, run.realtime);
  return { names, results, bars, pages, emulated, notEmulated, carriedMbps, interrupted, advice };
}

const reasonAgainst = (
  document: ExperimentDocument | undefined,
  interrupted: boolean,
): string | undefined => (interrupted ? 'the run was interrupted' : document?.notEmulated);

const settingOf = (
  { programs, capacity, realtime }: ExperimentRun,
  { own }: PreparedCase,
): MachineSetting => ({
  kind: programs.kind,
  capacity,
  realtime,
  lighter: lighterLoad(own),
});

const folderOf = (finished: Finished | undefined): string => finished?.prepared.plan.output ?? '';

function finishedCase(
  run: ExperimentRun,
  own: Pick<Finished, 'name' | 'observation' | 'prepared'>,
): Finished {
  const { observation, prepared } = own;
  const figures = figuresOf(observation);
  const machine = machineOf(observation, settingOf(run, prepared));
  const generator = generatorOf(run.programs, observation.plan);
  const converted = convertRun(observation, { generator, machine, figures, bars: [] });
  return {
    ...own,
    figures,
    delaysMs: delaysOf(observation),
    observation: withoutTraces(observation),
    result: { ...converted, command: run.command },
  };
}

const withoutTraces = (observation: Observation): Observation => ({
  ...observation,
  flows: observation.flows.map((flow) => ({ ...flow, trace: new Trace() })),
});

function withBars({ name, result }: Finished, bars: readonly BarVerdict[]): MininetResult {
  const own = bars.filter(({ bar }) => name === ONLY_CASE || bar.startsWith(`${name}: `));
  return { ...result, bars: own };
}

interface Written extends Pick<ExperimentEnd, 'results' | 'bars' | 'emulated' | 'notEmulated'> {
  readonly finished: readonly Finished[];
}

function writePages(run: ExperimentRun, written: Written): string[] {
  const { finished, results, bars, emulated, notEmulated } = written;
  const first = finished[0];
  if (first === undefined) return [];
  const isOne = run.cases.length === 1;
  const reports = isOne ? [path.join(folderOf(first), 'report.html')] : [];
  if (isOne && emulated.length === 0) return reports;
  const real = finished.map((each, i) => ({
    ...comparedRun(each, results[i]),
    ...(isOne && { name: 'Mininet' }),
  }));
  const runs = real.flatMap((each, i) => [each, ...emulated.slice(i, i + 1)]);
  const { title } = first.prepared.own.document;
  const page = comparisonPage(title, { runs, bars, notEmulated, command: run.command });
  return [...reports, writePage(run.folder, 'comparison.html', page)];
}

function comparedRun(
  { name, figures, delaysMs }: Finished,
  result: MininetResult | undefined,
): ComparedRun {
  return { name, figures, delaysMs, result };
}

async function emulateAll(
  { onEmulation }: ExperimentRun,
  finished: readonly Finished[],
): Promise<ComparedRun[]> {
  const runs: ComparedRun[] = [];
  for (const each of finished) {
    onEmulation(each.prepared);
    runs.push(await emulate(each));
  }
  return runs;
}

async function emulate({ name, observation }: Finished): Promise<ComparedRun> {
  const scenario = emulatedScenario(observation);
  const { result } = await runScenario({ scenario, seed: 1 });
  writeResult(result, path.join(observation.plan.output, 'emulated'));
  return {
    name: name === ONLY_CASE ? 'emulator' : `${name} emulated`,
    figures: emulatedFigures(result, observation),
    delaysMs: emulatedDelays(result, observation),
    result: undefined,
  };
}

/** The page, and each of its charts as a picture. */
function writePage(folder: string, name: string, page: PageData): string {
  const file = path.join(folder, name);
  writeAtomically(file, staticPage(page, pageAssets()));
  for (const chart of page.charts) {
    writeAtomically(path.join(folder, `${chart.id}.svg`), drawPicture([chart], page.command));
  }
  return file;
}
