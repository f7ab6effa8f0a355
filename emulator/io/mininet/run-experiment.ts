import * as path from 'node:path';
import { convertRun } from '../../mininet/convert';
import { emulatedDelays, emulatedFigures, emulatedScenario } from '../../mininet/emulate';
import { figuresOf } from '../../mininet/figures';
import type { Figures } from '../../mininet/figures';
import { ONLY_CASE } from '../../mininet/load-experiment';
import type { ExperimentCase } from '../../mininet/load-experiment';
import { machineOf } from '../../mininet/machine';
import type { MachineSetting } from '../../mininet/machine';
import type { MininetResult } from '../../mininet/mininet-result';
import type { Observation } from '../../mininet/observation';
import type { MachineCapacity } from '../../mininet/parameters';
import { carriedRate, delaysOf, isRampOver, judgeCases } from '../../mininet/summary';
import type { FinishedCase } from '../../mininet/summary';
import { comparisonPage, reportExtras } from '../../mininet/summary-page';
import type { ComparedRun } from '../../mininet/summary-page';
import type { BarVerdict } from '../../mininet/bars';
import type { Progress } from '../../mininet/run-files';
import { renderPage } from '../../report/page';
import type { Page } from '../../report/page';
import { runScenario } from '../run-scenario';
import { echartsSource, writeResult, writeWhole } from '../write-result';
import { generatorOf, prepareCase, runCase } from './run-case';
import type { CaseSetting, PreparedCase } from './run-case';
import type { Programs } from '../../mininet/commands';

export interface PlannedCase {
  readonly own: ExperimentCase;
  readonly setting: CaseSetting;
}

export interface ExperimentRun {
  readonly cases: readonly PlannedCase[];
  readonly programs: Programs;
  readonly capacity: MachineCapacity | undefined;
  /** Whether the run's processes are scheduled in real time. */
  readonly realtime: boolean;
  /** Whether the emulator runs the same afterwards. */
  readonly compare: boolean;
  readonly folder: string;
  readonly onCase: (own: PreparedCase) => void;
  readonly onProgress: (progress: Progress) => void;
}

export interface ExperimentEnd {
  readonly results: readonly MininetResult[];
  readonly bars: readonly BarVerdict[];
  /** HTML, the one to look at first before others. */
  readonly pages: readonly string[];
  /** Mb/s of the last step of a ramp that was carried; null when there is no ramp, or no such step. */
  readonly carriedMbps: number | null;
  readonly interrupted: boolean;
}

interface Finished extends FinishedCase {
  readonly prepared: PreparedCase;
}

/**
 * Runs the cases of an experiment one after the other, until all have run or a ramp is over, and
 * writes results, reports, and a page that sets them side by side.
 * @throws InputError when a run failed.
 */
export async function runExperiment(run: ExperimentRun): Promise<ExperimentEnd> {
  const finished: Finished[] = [];
  let interrupted = false;
  for (const { own, setting } of run.cases) {
    // Not earlier: a plan may hold an instant that is soon over.
    const prepared = prepareCase(own, setting);
    run.onCase(prepared);
    const observation = await runCase(prepared, run.realtime, run.onProgress);
    interrupted = observation === undefined;
    if (observation === undefined) break;
    const figures = figuresOf(observation);
    finished.push({ name: own.name, observation, figures, prepared });
    if (isOver(run, finished)) break;
  }
  const document = run.cases[0]?.own.document;
  const bars = document === undefined ? [] : judgeCases(document, finished);
  const results = finished.map((each) => resultOf(run, each, bars));
  results.forEach((result, i) => {
    writeResult(result, folderOf(finished[i]), reportExtras(result));
  });
  const pages = await writePages(run, { finished, results, bars, interrupted });
  const carriedMbps = document === undefined ? null : carriedRate(document, results);
  return { results, bars, pages, carriedMbps, interrupted };
}

const settingOf = ({ programs, capacity, realtime }: ExperimentRun): MachineSetting => ({
  ...{ kind: programs.kind, capacity, realtime },
});

const folderOf = (finished: Finished | undefined): string => finished?.prepared.plan.output ?? '';

function isOver(run: ExperimentRun, finished: readonly Finished[]): boolean {
  const last = finished.at(-1);
  if (last === undefined) return false;
  const { observation, figures, prepared } = last;
  const machine = machineOf(observation, settingOf(run));
  return isRampOver(prepared.own.document, { machine, figures });
}

function resultOf(
  run: ExperimentRun,
  { observation, figures, name }: Finished,
  bars: readonly BarVerdict[],
): MininetResult {
  const machine = machineOf(observation, settingOf(run));
  const own = bars.filter(({ bar }) => name === ONLY_CASE || bar.startsWith(`${name}: `));
  const generator = generatorOf(run.programs, observation.plan);
  return convertRun(observation, { generator, machine, figures, bars: own });
}

interface Written {
  readonly finished: readonly Finished[];
  readonly results: readonly MininetResult[];
  readonly bars: readonly BarVerdict[];
  readonly interrupted: boolean;
}

async function writePages(run: ExperimentRun, written: Written): Promise<string[]> {
  const { finished, results, bars } = written;
  const first = finished[0];
  if (first === undefined) return [];
  const real = finished.map((each, i) => comparedRun(each, results[i]));
  const { title } = first.prepared.own.document;
  if (run.cases.length > 1) {
    return [writePage(run.folder, 'comparison.html', comparisonPage(title, real, bars))];
  }
  const report = path.join(folderOf(first), 'report.html');
  const { notEmulated } = first.prepared.own.document;
  if (!run.compare || written.interrupted || notEmulated !== undefined) return [report];
  const emulated = await emulate(first.observation);
  const runs = [...real.map((each) => ({ ...each, name: 'Mininet' })), emulated];
  return [report, writePage(run.folder, 'comparison.html', comparisonPage(title, runs, bars))];
}

function comparedRun(
  { name, figures, observation }: Finished,
  result: MininetResult | undefined,
): ComparedRun {
  return { name, figures, delaysMs: delaysOf(observation), result };
}

async function emulate(observation: Observation): Promise<ComparedRun> {
  const scenario = emulatedScenario(observation);
  const { result } = await runScenario({ scenario, seed: 1 });
  writeResult(result, path.join(observation.plan.output, 'emulated'));
  const figures: Figures = emulatedFigures(result, observation.own.document.frameBytes);
  return { name: 'emulator', figures, delaysMs: emulatedDelays(result), result: undefined };
}

function writePage(folder: string, name: string, page: Page): string {
  const file = path.join(folder, name);
  writeWhole(file, renderPage(page, echartsSource()));
  return file;
}
