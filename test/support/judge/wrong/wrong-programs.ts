import type { JudgedRole } from '../../../../common/telemetry/judge/roles';
import { isIoam } from '../own-device';
import { after, before, inInt, inIoam } from './fault';
import type { ProgramFault, SourceEdit, WrongProgram } from './fault';
import { IOAM_PROGRAMS, IOAM_STRUCTURE } from './ioam-faults';
import { NSH_PROGRAMS, NSH_STRUCTURE } from './nsh-faults';
import { REPORT_PROGRAMS, REPORT_STRUCTURE } from './report-faults';
import { ROLE_PROGRAMS } from './role-faults';
import { STRUCTURE, TRANSIT_PROGRAMS } from './transit-faults';

/** Our programs, each with one fault that one clause is about. */
export const WRONG_PROGRAMS: readonly WrongProgram[] = [
  ...TRANSIT_PROGRAMS,
  ...ROLE_PROGRAMS,
  ...REPORT_PROGRAMS,
  ...IOAM_PROGRAMS,
  ...NSH_PROGRAMS,
];

/** A program that has all its faults and does one of them, or none, as its table `faults` says. */
export interface FaultyProgram {
  readonly name: 'int-v2' | 'ioam';
  readonly edits: readonly SourceEdit[];
  /** Action data of `set_fault`, from 1 on. */
  readonly numberOf: (fault: ProgramFault) => number;
}

/** The number is metadata that the clone of a report keeps. */
const choice = (
  edit: typeof inInt,
  name: string,
  metadata: string,
  head: string,
): readonly SourceEdit[] => [
  before(
    edit,
    metadata,
    'struct metadata_t {',
    'struct fault_metadata_t {\n    bit<16> number;\n}\n',
  ),
  after(
    edit,
    metadata,
    'struct metadata_t {',
    '    @field_list(REPORT_FIELDS)\n    fault_metadata_t fault;',
  ),
  edit(
    `${name}.p4`,
    head,
    `    action set_fault(bit<16> number) {
        meta.fault.number = number;
    }
    table faults {
        actions = { set_fault; }
        default_action = set_fault(0);
    }

${head.replace('apply {', 'apply {\n        faults.apply();')}`,
  ),
];

function faultyProgram(name: FaultyProgram['name'], always: readonly SourceEdit[]): FaultyProgram {
  const programs = WRONG_PROGRAMS.filter(({ role }) => isIoam(role) === (name === 'ioam'));
  const faults = [...new Set(programs.map(({ fault }) => fault))];
  const numberOf = (fault: ProgramFault): number => faults.indexOf(fault) + 1;
  const edits = faults.flatMap((fault) => fault.edits(`meta.fault.number == ${numberOf(fault)}`));
  return { name, edits: [...always, ...edits], numberOf };
}

const INT_V2 = faultyProgram('int-v2', [
  ...choice(
    inInt,
    'int-v2',
    'int_v2_metadata.p4',
    '    apply {\n        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);',
  ),
  ...STRUCTURE,
  ...REPORT_STRUCTURE,
]);

const IOAM = faultyProgram('ioam', [
  ...choice(inIoam, 'ioam', 'ioam_headers.p4', '    apply {\n        if (!hdr.nsh.isValid()) {'),
  ...IOAM_STRUCTURE,
  ...NSH_STRUCTURE,
]);

/** The program that has the faults of a role. */
export const programInRole = (role: JudgedRole): FaultyProgram => (isIoam(role) ? IOAM : INT_V2);

export const FAULTY_PROGRAMS: readonly FaultyProgram[] = [INT_V2, IOAM];
