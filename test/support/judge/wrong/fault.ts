import type { IntRole, JudgedRole } from '../../../../common/telemetry/judge/roles';
import type { Layers } from '../fault';
import type { SourceCarriers } from '../own-device';

/** A text that stands once in a source, and what stands there instead. */
export interface SourceEdit {
  /** Below p4src. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Something that a program does wrong where it is told to by the number of the fault. */
export interface ProgramFault {
  /** Words for what it does. */
  readonly does: string;
  /** @param told condition in P4 that the program has been told to. */
  readonly edits: (told: string) => readonly SourceEdit[];
}

/** Our program as a device in a role, with one fault. */
export interface WrongProgram {
  readonly role: JudgedRole;
  /** The clause that it fails, and no other. */
  readonly clause: string;
  readonly fault: ProgramFault;
  readonly carriers?: SourceCarriers;
  readonly family?: 6;
  /** Frames in place of the role's own ones. */
  readonly frames?: readonly Layers[];
}

const sourceIn =
  (folder: string) =>
  (file: string, from: string, to: string): SourceEdit => ({ file: `${folder}/${file}`, from, to });

/** A text in a source of int-v2 is another. */
export const inInt = sourceIn('v1model/profiles/int-v2');
/** A text in a source of ioam is another. */
export const inIoam = sourceIn('v1model/profiles/ioam');

/** Code in front of a text, and behind it. */
export const before = (
  edit: typeof inInt,
  file: string,
  anchor: string,
  code: string,
): SourceEdit => edit(file, anchor, `${code}\n${anchor}`);
export const after = (edit: typeof inInt, file: string, anchor: string, code: string): SourceEdit =>
  edit(file, anchor, `${anchor}\n${code}`);

/** A fault that is code at one place, for all packets or those of a condition. */
export const faultAt =
  (place: (code: string) => SourceEdit) =>
  (does: string, code: string, condition?: string): ProgramFault => ({
    does,
    edits: (told) => [
      place(`if (${told}${condition === undefined ? '' : ` && (${condition})`}) { ${code} }`),
    ],
  });

/** A fault in a condition of the program, which then does not hold. */
export const faultInCondition = (
  does: string,
  edit: typeof inInt,
  [file, from, to]: readonly [file: string, from: string, to: (not: string) => string],
): ProgramFault => ({ does, edits: (told) => [edit(file, from, to(`!(${told})`))] });

/** A fault of several. */
export const faultOf = (does: string, ...parts: readonly ProgramFault[]): ProgramFault => ({
  does,
  edits: (told) => parts.flatMap(({ edits }) => edits(told)),
});

/** A field is greater by a number. */
export const more = (field: string, by: string | number = 1): string =>
  `${field} = ${field} + ${by};`;

/** Where all packets leave but reports. */
export const leaving = faultAt((code) =>
  before(inInt, 'int-v2.p4', '            decision.apply(hdr, meta, standard_metadata);', code),
);

/**
 * The same, and the checksum follows, so that another clause than that of checksums fails.
 * @param weight what the change adds to the sum of 16-bit words.
 */
export const leavingRight = (
  does: string,
  code: string,
  weight: string | number,
  condition?: string,
): ProgramFault =>
  leaving(
    does,
    `${code} if (hdr.gre.isValid()) {
        hdr.gre_checksum.checksum = checksum_plus(hdr.gre_checksum.checksum, ${weight});
    } else if (hdr.tcp.isValid()) {
        hdr.tcp.checksum = checksum_plus(hdr.tcp.checksum, ${weight});
    } else {
        hdr.udp.checksum = udp_checksum_plus(hdr.udp.checksum, ${weight});
    }`,
    condition,
  );

const summing =
  (file: string, anchor: string, sum: string) =>
  (does: string, code: string, weight: string | number, condition?: string): ProgramFault =>
    faultAt((inserted) => before(inInt, file, anchor, inserted))(
      does,
      `${code} ${more(sum, weight)}`,
      condition,
    );

/** Where a hop has pushed its block, and its checksum or complement follows. */
export const pushing = summing('hop_push.p4', '        meta.change.sum = sum;', 'sum');

/** Where a source has put INT into a packet, and its checksum follows. */
export const inserting = summing(
  'int_insertion.p4',
  '            change.apply(hdr, meta, false);',
  'meta.change.sum',
);

/** Where a sink takes INT out, and the checksum follows. */
export const removing = summing(
  'int_removal.p4',
  '            change.apply(hdr, meta, false);',
  'meta.change.sum',
);

/** Where the watchlist has been asked what to do with a packet. */
export const watching = faultAt((code) =>
  before(inInt, 'flow_watch.p4', '            sampling.apply(meta);', code),
);

/** Where a packet leaves the node of IOAM. */
export const leavingIoam = faultAt((code) =>
  before(inIoam, 'ioam.p4', '            dex.apply(hdr, meta, standard_metadata);', code),
);

/** The same fault in several roles, and the clause of each. */
export const inRoles = (
  roles: readonly IntRole[],
  clause: string,
  fault: ProgramFault,
): WrongProgram[] => roles.map((role) => ({ role, clause: `${role}-${clause}`, fault }));
