import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import type { Programs } from '../plan/commands';
import { canRun, doctorSchema, doctorText, machineCapacity } from '../experiment/doctor-report';
import { parseJson } from '../observation/outputs';
import { note, print } from '../../common/io/terminal';
import { mininetFolder } from './experiment-files';
import { machineFile, writeMachine } from './machine-file';
import { PYTHON, REALTIME } from './run-plan';

const SECONDS_MAX = 300;

export interface DoctorOptions {
  readonly asJson: boolean;
  readonly realtime: boolean;
  readonly save: boolean;
}

/**
 * Checks the machine and measures what its switches carry; with `save` it keeps that for defaults of
 * experiments. With `realtime` it measures as experiments with `--realtime` run. The exit code is 1 when something is missing that all experiments need.
 * @param examine prints a report as JSON. Default: hpccnet_doctor.py.
 */
export function runDoctor(
  programs: Programs,
  { asJson, realtime, save }: DoctorOptions,
  examine = examined,
): Promise<void> {
  const report = parseJson(examine(programs, realtime), 'hpccnet_doctor.py', doctorSchema);
  const capacity = machineCapacity(report);
  if (capacity !== undefined && save) writeMachine(capacity);
  print(asJson ? JSON.stringify(report, null, 1) : doctorText(report));
  if (!asJson && capacity !== undefined) print(`\n${savedText(save)}`);
  if (!canRun(report)) process.exitCode = 1;
  return Promise.resolve();
}

function examined(programs: Programs, realtime: boolean): string {
  if (!fs.existsSync(PYTHON)) {
    throw new InputError(`there is no ${PYTHON}: install it with: apt-get install python3`);
  }
  note('hpcc: checks and measurements take about a minute');
  const script = path.join(mininetFolder(), 'hpccnet_doctor.py');
  const argv = [script, '--hpcc', JSON.stringify(programs.hpcc), '--bmv2', programs.bmv2];
  const all: string[] = [...(realtime ? REALTIME : []), PYTHON, ...argv];
  const [command = PYTHON, ...words] = all;
  const { stdout, stderr, status } = spawnSync(command, words, {
    encoding: 'utf8',
    timeout: 1000 * SECONDS_MAX,
  });
  if (stdout.trim() === '') {
    throw new InputError(`the doctor ended with ${status ?? 'a signal'}: ${stderr.trim()}`);
  }
  return stdout;
}

const savedText = (save: boolean): string =>
  save
    ? `saved: defaults of experiments follow from ${machineFile()}`
    : 'nothing is saved: with --save, defaults of experiments follow from this';
