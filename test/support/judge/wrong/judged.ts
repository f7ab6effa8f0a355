import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { JUDGED_CARRIERS } from '../../../../common/telemetry/judge/carriers';
import { RoleJudge } from '../../../../common/telemetry/judge/roles';
import type { IntRole } from '../../../../common/telemetry/judge/roles';
import { suiteOf } from '../../../../common/telemetry/judge/suites';
import { embeddedDevice } from '../../../../cli/int/embedded-device';
import { ROOT } from '../../paths';
import { FAULT_SETTINGS, craft } from '../fault';
import { IOAM_SET_UP, flowInRole, intSetUp, isIoam, portsInRole } from '../own-device';
import type { WrongProgram } from './fault';
import { programInRole } from './wrong-programs';
import type { FaultyProgram } from './wrong-programs';

type Judged = Pick<WrongProgram, 'role'> & Partial<WrongProgram>;

/** Compiled programs with faults, each in the embedded switch. */
export class FaultyPrograms {
  readonly #scratch: string;

  /** @param scratch folder that nobody else uses. */
  constructor(scratch: string) {
    this.#scratch = scratch;
  }

  /**
   * Makes a program in a copy of the sources, and compiles it.
   * @throws Error where a text to edit is not there once, or the compiler refuses the program.
   */
  compile({ name, edits }: FaultyProgram): void {
    const folder = path.join(this.#scratch, name);
    for (const part of ['common', 'v1model'])
      fs.cpSync(path.join(ROOT, 'p4src', part), path.join(folder, part), { recursive: true });
    for (const { file, from, to } of edits) {
      const place = path.join(folder, file);
      const parts = fs.readFileSync(place, 'utf8').split(from);
      if (parts.length !== 2)
        throw new Error(`${file}: wanted once, found ${parts.length - 1} times: ${from}`);
      fs.writeFileSync(place, parts.join(to));
    }
    const source = `v1model/profiles/${name}/${name}.p4`;
    const flags = ['--std', 'p4-16', '--Wdisable', '-I', '.', '-o', this.#json(name), source];
    execFileSync('p4c-bm2-ss', flags, { cwd: folder, stdio: 'pipe' });
  }

  #json(name: string): string {
    return path.join(this.#scratch, `${name}.json`);
  }

  /**
   * Judges a program with its fault, or with none, by all carriers, or by frames of its own.
   * @returns the clauses that fail.
   */
  async failures(wrong: Judged): Promise<readonly string[]> {
    const { role, family = 4, carriers, frames, fault } = wrong;
    const { name, numberOf } = programInRole(role);
    const setUp = path.join(this.#scratch, 'set-up.stf');
    const lines = isIoam(role) ? IOAM_SET_UP : intSetUp(role as IntRole, carriers);
    const chosen = `setdefault faults set_fault(number:${fault === undefined ? 0 : numberOf(fault)})`;
    fs.writeFileSync(setUp, [...lines, chosen, ''].join('\n'));
    const flow = isIoam(role) ? {} : flowInRole(role as IntRole, family);
    const sent = frames?.map(craft) ?? suiteOf(role, flow, FAULT_SETTINGS, JUDGED_CARRIERS);
    const { in: into, out, collector } = portsInRole(role);
    const device = embeddedDevice(this.#json(name), setUp, { in: into, out, collector });
    const judge = new RoleJudge(role, FAULT_SETTINGS);
    const failed = new Set<string>();
    for (const frame of sent) {
      for (const { clause, verdict } of judge.judge(await device.exchange(frame)))
        if (verdict === 'fail') failed.add(clause);
    }
    device.close();
    return [...failed].sort();
  }
}
