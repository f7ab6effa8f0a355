import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { loadCases } from '../../mininet/experiment/load-experiment';
import { checkIncrease, withIncrease } from '../../mininet/experiment/tuning';
import type { AdditiveIncrease } from '../../mininet/experiment/tuning';
import type { Programs } from '../../mininet/plan/commands';
import type { Progress } from '../../mininet/plan/run-files';
import { BOTH_KINDS, SWITCH_KINDS } from '../../mininet/experiment/switch-kinds';
import type { SwitchKind } from '../../mininet/experiment/switch-kinds';
import { runDoctor } from '../../mininet/io/doctor';
import { experimentNames, readExperiment } from '../../mininet/io/experiment-files';
import { readMachine } from '../../mininet/io/machine-file';
import { requireMachine } from '../../mininet/io/requirements';
import { prepareCase } from '../../mininet/io/run-case';
import type { PreparedCase } from '../../mininet/io/run-case';
import { runExperiment } from '../../mininet/io/run-experiment';
import { wakeLatenessOfRunsUs } from '../../mininet/io/wake-lateness';
import { lateMachineText } from '../../mininet/observation/late-machine';
import type { ExperimentEnd } from '../../mininet/io/run-experiment';
import { documentOf, printCarried, printEnd } from '../../mininet/io/print-ends';
import type { KindEnd } from '../../mininet/io/print-ends';
import { ownProgram } from '../../common/io/loop/own-program';
import { note, print } from '../../common/io/terminal';
import { givenSetting } from '../shared/setting-options';
import { typedCommand } from '../shared/typed-command';
import { MISSED } from './flags';
import type { MininetFlags } from './flags';

/** The same with the additive increase for all hosts. */
interface GivenFlags extends MininetFlags {
  readonly increase: AdditiveIncrease;
}

/** Name that stands for --doctor in place of an experiment's. */
const DOCTOR = 'doctor';
const INTERRUPTED = 130;

/** Does what the command line of `hpcc mininet` asks for. */
export async function mininetChosen(
  experiment: string | undefined,
  flags: MininetFlags,
  command: Command,
): Promise<void> {
  const isDoctor = flags.doctor || experiment === DOCTOR;
  if (flags.save && (flags.list || !isDoctor)) throw new InputError('--save goes with doctor');
  const { json: asJson, realtime, save } = flags;
  if (flags.list) listExperiments(flags);
  else if (isDoctor) await runDoctor(programsOf(flags, 'embedded'), { asJson, realtime, save });
  else await runNamed(experiment, { ...flags, increase: givenIncrease(command) });
}

function givenIncrease(command: Command): AdditiveIncrease {
  const [waiBytes, expectedFlows] = (['waiBytes', 'expectedFlows'] as const).map((name) =>
    givenSetting(command, name, note),
  );
  return {
    ...(waiBytes !== undefined && { waiBytes: Number(waiBytes) }),
    ...(expectedFlows !== undefined && { expectedFlows: Number(expectedFlows) }),
  };
}

function programsOf({ bmv2, separate }: MininetFlags, kind: SwitchKind): Programs {
  return { hpcc: ownProgram(), bmv2, kind, separate };
}

function listExperiments(flags: MininetFlags): void {
  const found = experimentNames().map((name) => {
    const kind = flags.switch === BOTH_KINDS ? 'embedded' : flags.switch;
    const [first] = loadCases(readExperiment(name), { kind, set: [] });
    return { name, title: first?.document.title ?? '', values: first?.values ?? {}, first };
  });
  if (flags.json) {
    print(JSON.stringify(found.map(({ name, title, values }) => ({ name, title, values }))));
    return;
  }
  for (const { name, title, values, first } of found) {
    print(`${name}: ${title}`);
    for (const [key, { about }] of Object.entries(first?.document.parameters ?? {})) {
      print(`  --set ${key}=${values[key] ?? ''}  ${about}`);
    }
  }
}

async function runNamed(name: string | undefined, flags: GivenFlags): Promise<void> {
  if (name === undefined) {
    throw new InputError(`give an experiment: ${experimentNames().join(', ')}, or a file`);
  }
  const kinds = flags.switch === BOTH_KINDS ? SWITCH_KINDS : [flags.switch];
  const planned = kinds.map((kind) => planFor(kind, name, flags));
  // Faults of a later case show before the first one runs.
  const prepared = planned.map(({ cases }) =>
    cases.map(({ own, setting }) => prepareCase(own, setting)),
  );
  if (flags.dryRun) {
    print(
      JSON.stringify(
        prepared.flatMap((cases) => cases.map(({ plan }) => plan)),
        null,
        1,
      ),
    );
    return;
  }
  const firsts = prepared.flatMap((cases) => cases.slice(0, 1));
  for (const { plan } of firsts) requireMachine(plan);
  if (!flags.realtime) warnOfLateness(firsts);
  const ends: KindEnd[] = [];
  for (const { kind, ...run } of planned) {
    const watch = { onCase: announce, onProgress: showProgress, onEmulation: announceEmulation };
    const end = await runExperiment({ ...run, ...watch, command: typedCommand() });
    const kindEnd = { kind, end };
    ends.push(kindEnd);
    if (!flags.json) printEnd(kindEnd);
    if (end.interrupted) break;
  }
  if (flags.json) print(JSON.stringify(ends.map(documentOf), null, 1));
  else if (ends.length > 1) printCarried(ends);
  setExitCode(
    ends.map(({ end }) => end),
    flags,
  );
}

/** Says before anything runs which bars a machine that is busy now cannot meet. */
function warnOfLateness(firsts: readonly PreparedCase[]): void {
  const lateUs = wakeLatenessOfRunsUs();
  const texts = firsts.flatMap((first) => lateMachineText(first, lateUs) ?? []);
  for (const text of new Set(texts)) note(`hpcc: ${text}`);
}

function planFor(kind: SwitchKind, name: string, flags: GivenFlags) {
  const source = readExperiment(name);
  const capacity = readMachine();
  checkIncrease(flags.increase, flags.set);
  const loaded = loadCases(source, { kind, set: flags.set, capacity }).map((own) =>
    withIncrease(own, flags.increase),
  );
  const experiment = loaded[0]?.document.experiment ?? '';
  const base = flags.out ?? path.join('out', 'mininet', `${experiment}-${kind}`);
  const folder =
    flags.switch === BOTH_KINDS && flags.out !== undefined ? path.join(base, kind) : base;
  const programs = programsOf(flags, kind);
  const setting = { programs, pcap: flags.pcap, experimentFile: source.file };
  const cases = loaded.map((own) => ({
    own,
    setting: { ...setting, folder: loaded.length > 1 ? path.join(folder, own.name) : folder },
  }));
  const { compare, realtime } = flags;
  return { kind, cases, programs, capacity, folder, compare, realtime };
}

function announce({ own, plan }: PreparedCase): void {
  const values = Object.entries(own.values).map(([key, value]) => `${key}=${value}`);
  note(`${plan.run}: ${own.document.title} (${values.join(' ')})`);
}

function announceEmulation({ plan }: PreparedCase): void {
  note(`${plan.run}: the same flows in virtual time`);
}

function showProgress({ event, seconds, name, message }: Progress): void {
  const at = seconds === null ? '' : `${seconds.toFixed(1)} s`;
  note(`${at.padStart(8)}  ${[event, name, message].filter(Boolean).join(' ')}`);
}

function setExitCode(ends: readonly ExperimentEnd[], { check }: MininetFlags): void {
  // A ramp ends with a step that the machine does not carry.
  const isGood = ({ results, bars, carriedMbps }: ExperimentEnd): boolean =>
    (carriedMbps !== null || results.every(({ machine }) => machine.valid)) &&
    results.every(({ uncontrolled }) => uncontrolled === undefined) &&
    bars.every(({ isMet }) => isMet);
  if (ends.some(({ interrupted }) => interrupted)) process.exitCode = INTERRUPTED;
  else if (check && !ends.every(isGood)) process.exitCode = MISSED;
}
