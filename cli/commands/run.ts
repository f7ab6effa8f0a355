import * as path from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { ALGORITHMS } from '../../host-agent/algorithm/library/algorithms';
import { askedTuning } from '../../host-agent/algorithm/library/asked-tuning';
import { InputError } from '../../common/errors';
import { parametersSchema } from '../../emulator/scenario/schema';
import type { Parameters, ScenarioDocument } from '../../emulator/scenario/schema';
import { runScenario } from '../../emulator/io/run-scenario';
import type { Run, RunOptions } from '../../emulator/io/run-scenario';
import type { RunProgress } from '../../emulator/io/run-progress';
import {
  loadScenario,
  loadSimulatorFiles,
  scenarioNames,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/scenario-files';
import { note, print, progressBar } from '../../common/io/terminal';
import { writeResult } from '../../emulator/io/write-result';
import { DEFAULT_EXECUTOR, EXECUTOR_NAMES } from '../../switch/codegen/executors';
import type { ExecutorName } from '../../switch/codegen/executors';
import { withOutputFolder } from '../../common/io/output-folder';
import { countOption, numberOption, wholeOption } from '../shared/option-values';
import { openTrace } from '../shared/trace-options';
import type { TraceFlags } from '../shared/trace-options';
import { jsonSummary, textSummary } from '../shared/summary';
import { typedCommand } from '../shared/typed-command';

/** The first one ends the run, a second one the process. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const INTERRUPTED = 130;

interface RunFlags extends TraceFlags {
  readonly topology?: string;
  readonly flows?: string;
  readonly seed: number;
  readonly out?: string;
  readonly json?: true;
  readonly check: boolean;
  readonly executor: ExecutorName;
  readonly eta?: number;
  readonly maxStage?: number;
  readonly waiBytes?: number;
  readonly baseRttNs?: number;
  readonly segmentBytes?: number;
  readonly queueCapacityBytes?: number;
  readonly queueUnitBytes?: number;
  readonly txUnitBytes?: number;
  readonly untilUs?: number;
  readonly algorithm?: Parameters['algorithm'];
  readonly feedback?: Parameters['feedback'];
  readonly roundsEndBy?: Parameters['roundsEndBy'];
  readonly lossRecovery?: Parameters['lossRecovery'];
  readonly collectEvery?: number;
  readonly samplesPerWindow?: number;
  readonly acknowledgeEvery?: number;
  readonly flowCount?: Parameters['flowCount'];
  readonly links?: Parameters['links'];
  readonly paths?: number;
  readonly switchResponses?: Parameters['switchResponses'];
  readonly queueMeasure?: Parameters['queueMeasure'];
  readonly authentication?: Parameters['authentication'];
  readonly plausibility?: Parameters['plausibility'];
  readonly variant?: string;
}

export function registerRun(program: Command): void {
  program
    .command('run')
    .summary('run a scenario in virtual time')
    .description(
      'Runs a scenario in deterministic virtual time: one that comes with the project ' +
        `(${scenarioNames().join(', ')}), a YAML or JSON file, or topology and flow files of the ` +
        'HPCC simulator, which run in the telemetry units of that simulator unless others are ' +
        'given. Writes result.json, CSV series and report.html.',
    )
    .argument('[scenario]', 'name or file of a scenario')
    .option('--topology <file>', "topology in the HPCC simulator's format")
    .option('--flows <file>', "flows in the HPCC simulator's format")
    .option('--variant <name>', 'of those that hpcc compare runs')
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--out <folder>', 'folder of the results (default: out/<scenario>-seed<n>)')
    .option('--trace <file>', 'write a trace for https://ui.perfetto.dev (docs/traces.md)')
    .option('--trace-flows <numbers>', 'only these flows, from 1, separated by commas')
    .option('--trace-ports <names>', 'only these switch ports, as NODE:PORT')
    .option('--trace-from-us <n>', 'from this virtual time on', numberOption)
    .option('--trace-to-us <n>', 'up to this virtual time', numberOption)
    .option('--trace-max-mb <n>', 'longest trace; the rest is left out', numberOption, 1000)
    .option('--json', 'print one JSON object instead of a table')
    .option('--no-check', 'do not check invariants on every packet; faster')
    .addOption(
      new Option('--executor <name>', 'what runs the P4 program')
        .choices(EXECUTOR_NAMES)
        .default(DEFAULT_EXECUTOR),
    )
    .option(
      '--workers <n>',
      'threads that share the work; the result is the same (default: one per core, up to 8, ' +
        'for long runs that can be divided, else 1)',
      countOption,
    )
    .option('--eta <ratio>', 'target utilisation', numberOption)
    .option('--max-stage <n>', 'additive rounds before a multiplicative one', wholeOption)
    .option('--wai-bytes <n>', 'additive increase W_ai in bytes', numberOption)
    .option('--base-rtt-ns <n>', 'base RTT T in ns', numberOption)
    .option('--segment-bytes <n>', 'payload bytes of a full segment', wholeOption)
    .option('--queue-capacity-bytes <n>', 'capacity of each switch queue', wholeOption)
    .option('--queue-unit-bytes <n>', 'unit of the queue length in telemetry', wholeOption)
    .option('--tx-unit-bytes <n>', 'unit of txBytes in telemetry, a power of two', wholeOption)
    .option('--algorithm <name>', `what steers flows: ${ALGORITHMS.join(', ')}, or ./FILE.mjs`)
    .addOption(choiceOption('feedback', 'what brings telemetry to the algorithm'))
    .addOption(choiceOption('roundsEndBy', 'what ends a round at the receiver'))
    .addOption(choiceOption('lossRecovery', 'what flows over UDP send again'))
    .option('--collect-every <n>', 'one of n data packets collects telemetry', wholeOption)
    .option('--samples-per-window <n>', 'n data packets of a window collect it', wholeOption)
    .option('--acknowledge-every <n>', 'one acknowledgement for n packets', wholeOption)
    .addOption(choiceOption('flowCount', 'flows that share the additive increase'))
    .addOption(choiceOption('links', 'whether feedback shows the links of the path'))
    .addOption(choiceOption('switchResponses', 'whether flows use answers of switches'))
    .addOption(choiceOption('queueMeasure', 'what tells of waiting packets'))
    .addOption(choiceOption('authentication', 'whether feedback is signed'))
    .addOption(choiceOption('plausibility', 'whether telemetry is checked'))
    .option('--paths <n>', 'source ports that a flow may choose from', wholeOption)
    .option('--until-us <n>', 'end of the run in us of virtual time', numberOption)
    .action(async (name: string | undefined, flags: RunFlags) => {
      await run(chooseScenario(name, flags), flags);
    });
}

type Choice =
  | 'feedback'
  | 'roundsEndBy'
  | 'lossRecovery'
  | 'flowCount'
  | 'links'
  | 'switchResponses'
  | 'queueMeasure'
  | 'authentication'
  | 'plausibility';

/** An option for a parameter that is one of a few words. */
function choiceOption(name: Choice, text: string): Option {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const { options } = parametersSchema.shape[name].unwrap();
  return new Option(`--${flag} <kind>`, text).choices(options);
}

function chooseScenario(name: string | undefined, flags: RunFlags): ScenarioDocument {
  const { topology, flows } = flags;
  const byFiles = topology !== undefined || flows !== undefined;
  if (name !== undefined && byFiles) {
    throw new InputError('give either a scenario or --topology and --flows, not both');
  }
  if (name !== undefined) return withFlags(namedScenario(name, flags), flags);
  if (flags.variant !== undefined) throw new InputError('--variant needs a scenario that has it');
  if (topology === undefined || flows === undefined) {
    const names = scenarioNames().join(', ');
    throw new InputError(`give a scenario (${names}, or a file), or --topology and --flows`);
  }
  return withFlags(loadSimulatorFiles(topology, flows), flags);
}

function withFlags(scenario: ScenarioDocument, flags: RunFlags): ScenarioDocument {
  const parameters = { ...parametersIn(flags), ...tuningIn(scenario.parameters, flags) };
  return withParameters(scenario, parameters);
}

/** What steers flows, as the algorithm takes it: another one than HPCC++ has constants. */
function tuningIn(
  { algorithm, constants }: Parameters,
  { eta, maxStage, waiBytes, ...rest }: RunFlags,
) {
  const name = rest.algorithm ?? algorithm;
  if (name === 'hpccpp') return { eta, maxStage, waiBytes };
  const asked = { targetUtilization: eta, maxStage, additiveIncreaseBytes: waiBytes };
  return { constants: { ...constants, ...askedTuning(name, asked).constants } };
}

function namedScenario(name: string, { variant }: RunFlags): ScenarioDocument {
  const scenario = loadScenario(name);
  return variant === undefined ? scenario : scenarioVariant(scenario, variant);
}

const parametersIn = ({ baseRttNs, ...rest }: RunFlags) => ({
  baseRttNs,
  segmentBytes: rest.segmentBytes,
  queueCapacityBytes: rest.queueCapacityBytes,
  queueUnitBytes: rest.queueUnitBytes,
  txUnitBytes: rest.txUnitBytes,
  untilUs: rest.untilUs,
  algorithm: rest.algorithm,
  feedback: rest.feedback,
  roundsEndBy: rest.roundsEndBy,
  lossRecovery: rest.lossRecovery,
  collectEvery: rest.collectEvery,
  samplesPerWindow: rest.samplesPerWindow,
  acknowledgeEvery: rest.acknowledgeEvery,
  flowCount: rest.flowCount,
  links: rest.links,
  paths: rest.paths,
  switchResponses: rest.switchResponses,
  queueMeasure: rest.queueMeasure,
  authentication: rest.authentication,
  plausibility: rest.plausibility,
});

function run(scenario: ScenarioDocument, flags: RunFlags): Promise<void> {
  const folder = flags.out ?? path.join('out', `${scenario.name}-seed${flags.seed}`);
  return withOutputFolder(folder, () => runInto(folder, scenario, flags));
}

async function runInto(folder: string, scenario: ScenarioDocument, flags: RunFlags): Promise<void> {
  const { seed, check, executor } = flags;
  const workers: RunOptions['workers'] = flags.workers ?? 'auto';
  const trace = openTrace(flags);
  const options = { seed, check, executor, workers, keepsPart: true, watcher: trace?.watcher };
  const done = await runWithProgress(scenario, options).finally(() => trace?.close());
  const written = writeResult(done.result, folder, { command: typedCommand(), scenario });
  if (flags.json === true) {
    print(JSON.stringify(jsonSummary(done)));
  } else {
    print(`${scenario.title}\n\n${textSummary(done)}\n\nreport: ${written.report}`);
  }
  reportViolations(done);
  reportInterruption(done, written.folder);
}

interface ProgressOptions {
  readonly seed: number;
  readonly check: boolean;
  readonly executor?: ExecutorName;
  readonly workers?: RunOptions['workers'];
  /** What an interrupted run has is wanted, and said to be a part. Default false. */
  readonly keepsPart?: boolean;
  readonly received?: RunOptions['received'];
  readonly watcher?: RunOptions['watcher'] | undefined;
}

/** Runs with a progress bar on the terminal; an interrupt ends the run. */
export async function runWithProgress(
  scenario: ScenarioDocument,
  { seed, check, executor, received, watcher, workers = 1, keepsPart = false }: ProgressOptions,
): Promise<Run> {
  const bar = progressBar(scenario.name);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    const run = await runScenario({
      scenario,
      seed,
      checkInvariants: check,
      workers,
      ...(watcher !== undefined && { watcher }),
      ...(executor !== undefined && { executor }),
      ...(received !== undefined && { received }),
      signal: interruption.signal,
      onProgress: (progress) => bar.update(progress.fraction, progressDetail(progress)),
    });
    if (keepsPart || run.result.interruptedAtUs === undefined) return run;
    throw new InputError(`interrupted while ${scenario.name} ran; nothing is left of it`);
  } finally {
    bar.stop();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** Who sees half a run must know that it is one. */
function reportInterruption({ result }: Run, folder: string): void {
  const { interruptedAtUs, flows } = result;
  if (interruptedAtUs === undefined) return;
  const unfinished = flows.filter(({ fctUs }) => fctUs === null).length;
  const when = `after ${interruptedAtUs.toFixed(1)} us of virtual time`;
  const what = `${unfinished} of ${flows.length} flows unfinished`;
  note(`hpcc: interrupted ${when}, ${what}; ${folder} holds what there is`);
  process.exitCode = INTERRUPTED;
}

/** Speed, what is left of real time, and memory. */
export function progressDetail({ fraction, packetHops, wallSeconds }: RunProgress): string {
  const left = fraction > 0 ? Math.ceil((wallSeconds * (1 - fraction)) / fraction) : undefined;
  const speed = `${Math.round(packetHops / wallSeconds / 1000)} k packet-hops/s`;
  const memory = `${Math.round(process.memoryUsage.rss() / 1e6)} MB`;
  return [speed, ...(left === undefined ? [] : [`${left} s left`]), memory].join(', ');
}

/** A run that broke a law is no result: say so and fail. */
export function reportViolations({ result }: Run): void {
  if (result.violations.length === 0) return;
  note(`hpcc: ${result.violations.length} broken invariants:\n${result.violations.join('\n')}`);
  process.exitCode = 1;
}
