import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { figureAt } from '../../emulator/figures/dictionary';
import { figureText } from '../../emulator/figures/figure-text';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { Run, RunOptions } from '../../emulator/io/run-scenario';
import {
  loadScenario,
  loadSimulatorFiles,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import { loadWorkload } from '../../emulator/io/inputs/workload-scenario';
import { note, print } from '../../common/io/terminal';
import { causeVerdict } from '../../emulator/result/cause-text';
import { comparisonRow } from '../../emulator/result/comparison';
import type { ComparisonRow } from '../../emulator/result/comparison';
import { flowSumsOf } from '../../emulator/result/flow-totals';
import { withFlowRows } from '../../emulator/io/results/flow-rows';
import { resultWarnings } from '../../emulator/view/data/warnings';
import { writeResult } from '../../emulator/io/results/write-result';
import type { ExecutorName } from '../../switch/codegen/executor-names';
import { withOutputFolder } from '../../common/io/output-folder';
import { comparisonTable } from '../shared/comparison-table';
import { withGivenSettings } from '../shared/scenario-settings';
import { checkTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';
import { openCaptures } from '../shared/pcap-options';
import type { PortCaptureOption } from '../shared/pcap-options';
import { openTrace } from '../shared/trace-options';
import type { TraceFlags } from '../shared/trace-options';
import { reportViolations, runWithProgress } from '../shared/run-with-progress';
import { jsonSummary, textSummary } from '../shared/summary';
import { typedCommand } from '../shared/typed-command';

const INTERRUPTED = 130;

export interface RunFlags extends TraceFlags, TrustFlags {
  readonly list?: true;
  readonly topology?: string;
  readonly flows?: string;
  readonly workload?: string;
  readonly workloadBytes?: number;
  readonly placement?: string;
  readonly seed: number;
  readonly out?: string;
  readonly json?: true;
  readonly check: boolean;
  readonly executor: ExecutorName;
  readonly untilUs?: number;
  readonly variant?: string;
  readonly pcap?: readonly PortCaptureOption[];
  readonly why?: readonly number[];
}

/** Runs what the command line of `hpcc run` names, with the settings that were given. */
export async function runChosen(
  name: string | undefined,
  flags: RunFlags,
  command: Command,
): Promise<void> {
  const chosen = withGivenSettings(chooseScenario(name, flags), command);
  const scenario = withParameters(chosen, { untilUs: flags.untilUs });
  if (scenario.sideBySide === undefined || flags.variant !== undefined) await run(scenario, flags);
  else await runSideBySide(scenario, scenario.sideBySide, flags);
}

function chooseScenario(name: string | undefined, flags: RunFlags): ScenarioDocument {
  const { topology, flows, workload } = flags;
  if (workload !== undefined) return workloadScenario(name, workload, flags);
  const idle = (['placement', 'workloadBytes'] as const).find((each) => flags[each] !== undefined);
  if (idle !== undefined) {
    throw new InputError(`--${idle === 'placement' ? idle : 'workload-bytes'} needs --workload`);
  }
  const byFiles = topology !== undefined || flows !== undefined;
  if (name !== undefined && byFiles) {
    throw new InputError('give either a scenario or --topology and --flows, not both');
  }
  if (name !== undefined) return namedScenario(name, flags);
  if (flags.variant !== undefined) throw new InputError('--variant needs a scenario that has it');
  if (topology === undefined || flows === undefined) {
    throw new InputError(
      'give a scenario (a name of --list, or a file), or --topology and --flows',
    );
  }
  return loadSimulatorFiles(topology, flows);
}

function workloadScenario(
  name: string | undefined,
  trace: string,
  { topology, flows, placement, workloadBytes, variant }: RunFlags,
): ScenarioDocument {
  if (flows !== undefined) throw new InputError('give either --flows or --workload, not both');
  if (name !== undefined && topology !== undefined) {
    throw new InputError('give either a scenario or --topology, not both');
  }
  if (variant !== undefined) throw new InputError('--variant needs a scenario that has it');
  return loadWorkload({ trace, placement, bytes: workloadBytes, scenario: name, topology });
}

function namedScenario(name: string, { variant }: RunFlags): ScenarioDocument {
  const scenario = loadScenario(name);
  return variant === undefined ? scenario : scenarioVariant(scenario, variant);
}

const folderOf = ({ name }: ScenarioDocument, { out, seed }: RunFlags): string =>
  out ?? path.join('out', `${name}-seed${seed}`);

function run(scenario: ScenarioDocument, flags: RunFlags): Promise<void> {
  checkTrust(flags, [scenario.parameters.algorithm]);
  const folder = folderOf(scenario, flags);
  return withOutputFolder(folder, () => runInto(folder, scenario, flags));
}

async function runInto(folder: string, scenario: ScenarioDocument, flags: RunFlags): Promise<void> {
  const { seed, check, executor, trust } = flags;
  const workers: RunOptions['workers'] = flags.workers ?? 'auto';
  checkWhy(flags);
  const trace = openTrace(flags) ?? openCaptures(flags);
  const options = {
    seed,
    check,
    executor,
    workers,
    trust,
    keepsPart: true,
    observer: trace?.observer,
    causesOf: flags.why,
  };
  const done = await withFlowRows(folder, (flowSink) =>
    runWithProgress(scenario, { ...options, flowSink }),
  ).finally(() => trace?.close());
  const written = writeResult(done.result, folder, { command: typedCommand(), scenario });
  if (flags.json === true) {
    print(JSON.stringify(jsonSummary(done)));
  } else {
    print(`${scenario.title}\n\n${textSummary(done)}\n\nreport: ${written.report}`);
    for (const line of whyLines(done, flags)) print(line);
    for (const warning of resultWarnings(done.result)) note(`hpcc: ${warning}`);
  }
  reportViolations(done);
  reportInterruption(done, written.folder);
}

/** @throws InputError for workers, of which none sees all packets. */
function checkWhy({ why, workers = 1 }: RunFlags): void {
  if (why === undefined || workers === 1) return;
  throw new InputError(
    `--why follows packets through the whole network, of which each of ${workers} workers has a part: ` +
      'use --workers 1',
  );
}

/** Why each flow that was asked about took so long. */
function whyLines({ result: { causes = [] } }: Run, { why = [] }: RunFlags): string[] {
  return why.map((flow) => {
    const found = causes.find((each) => each.flow === flow);
    return found === undefined ? `Flow ${flow} did not finish.` : causeVerdict(found);
  });
}

/** Runs variants into folders of their own, and prints one table of them. */
async function runSideBySide(
  scenario: ScenarioDocument,
  variants: readonly string[],
  flags: RunFlags,
): Promise<void> {
  if ([flags.trace, flags.pcap, flags.why].some((flag) => flag !== undefined)) {
    throw new InputError(
      `a trace, a capture or --why is of one run: give --variant, of ${variants.join(', ')}`,
    );
  }
  const base = folderOf(scenario, flags);
  const { seed, check, executor, trust } = flags;
  const options = { seed, check, executor, trust, workers: flags.workers ?? ('auto' as const) };
  // A fault of a later one shows before the first one runs.
  const scenarios = variants.map((name) => [name, scenarioVariant(scenario, name)] as const);
  checkTrust(
    flags,
    scenarios.map(([, { parameters }]) => parameters.algorithm),
  );
  const rows: ComparisonRow[] = [];
  const warnings = new Set<string>();
  for (const [name, variant] of scenarios) {
    const folder = path.join(base, name);
    await withOutputFolder(folder, async () => {
      const done = await withFlowRows(folder, (flowSink) =>
        runWithProgress(variant, { ...options, flowSink }),
      );
      writeResult(done.result, folder, { command: typedCommand(), scenario: variant });
      rows.push(comparisonRow(name, done.result));
      for (const warning of resultWarnings(done.result)) warnings.add(warning);
      reportViolations(done);
    });
  }
  if (flags.json === true) print(JSON.stringify({ scenario: scenario.name, seed, rows }));
  else {
    print(`${scenario.title}\n\n${comparisonTable(rows)}\n\nreports: ${base}`);
    for (const warning of warnings) note(`hpcc: ${warning}`);
  }
}

/** Who sees half a run must know that it is one. */
function reportInterruption({ result }: Run, folder: string): void {
  const { interruptedAtUs } = result;
  if (interruptedAtUs === undefined) return;
  const { flows, finished } = flowSumsOf(result);
  const when = `after ${figureText(figureAt('interruptedAtUs'), interruptedAtUs)} of virtual time`;
  const what = `${flows - finished} of ${flows} flows unfinished`;
  note(`hpcc: interrupted ${when}, ${what}; ${folder} holds what there is`);
  process.exitCode = INTERRUPTED;
}
