import type { Random } from '../../common/random/random';
import type { Bytes, Instant } from '../../common/units/units';
import type { Program } from '../ir/nodes';
import type { ProgramState } from '../state/program-state';

/** No clone is requested. */
export const NO_SESSION = -1;

/**
 * Requests of a packet's actions to the architecture, such as clones and digests. Actions write
 * them, the architecture reads and clears them. Field lists and digests are ids; 0 means "not
 * requested".
 */
export interface PacketRequests {
  /** A clone session, or {@link NO_SESSION}. */
  cloneSession: number;
  cloneFields: number;
  digest: number;
  /** The field list that the packet keeps. */
  resubmit: number;
  /** The field list that the packet keeps. */
  recirculate: number;
  /** Largest length that may leave, or Infinity. */
  truncateTo: Bytes;
}

/** Takes all requests back. */
export function clearRequests(requests: PacketRequests): void {
  requests.cloneSession = NO_SESSION;
  requests.cloneFields = 0;
  requests.digest = 0;
  requests.resubmit = 0;
  requests.recirculate = 0;
  requests.truncateTo = Infinity;
}

/** The requests of a new packet. */
export function noRequests(): PacketRequests {
  return {
    cloneSession: NO_SESSION,
    cloneFields: 0,
    digest: 0,
    resubmit: 0,
    recirculate: 0,
    truncateTo: Infinity,
  };
}

/**
 * One packet inside the pipeline: its headers, its metadata and what parsing left. The architecture
 * around the pipeline reads and writes metadata by slot; all of it is at most 48 bits wide.
 * Executors keep values in whatever form suits them.
 */
export interface PacketState {
  /** Code of the parser's error; the code of NoError when there was none. */
  readonly parserError: number;
  /** A verified checksum was wrong. */
  readonly checksumError: boolean;
  /** Length now: at reception, plus headers added, minus headers removed. */
  readonly packetLength: Bytes;
  readonly requests: PacketRequests;
  /** When the pipeline runs, for meters and idle timeouts; the architecture sets it. */
  now: Instant;
  /** Equal bytes take the place of the stored ones that were received. */
  moveTo(bytes: Uint8Array): void;
  readMetadata(slot: number): number;
  writeMetadata(slot: number, value: number): void;
  /** Any field, however wide. */
  readField(slot: number): bigint;
  /** Writes a value that fits the field. */
  writeField(slot: number, value: bigint): void;
  /** Becomes a copy of another packet of the same executor, without its requests. */
  copyFrom(other: PacketState): void;
  /** Sets all metadata to 0. */
  clearMetadata(): void;
}

/** A field of the metadata that the architecture fills in. */
export interface FilledField {
  readonly slot: number;
  /** 2^width. */
  readonly modulus: number;
  /** True if a value that does not fit is written as the largest one; otherwise it wraps. */
  readonly saturates?: boolean;
}

/** Writes several values at once, each into the field at its place; `values` are not negative. */
export interface MetadataWriter<State extends PacketState = PacketState> {
  write(state: State, ...values: readonly number[]): void;
}

/** Reads one field of the metadata; 0 where the program has no such field. */
export interface MetadataReader<State extends PacketState = PacketState> {
  read(state: State): number;
}

/** A received packet: its stored bytes and its whole length, virtual tail included. */
export interface Reception {
  readonly bytes: Uint8Array;
  readonly length: Bytes;
}

/**
 * Source of packets' memory. PERF: a packet is a part of a larger array, since each typed array costs more
 * than the headers that are written to it.
 */
export interface PacketMemory {
  /** Makes room for one packet of so many bytes, whose contents are not defined. */
  reserve(length: Bytes): void;
  /** The array that has the room that was made last, */
  readonly bytes: Uint8Array;
  /** the same as a view, */
  readonly view: DataView;
  /** and the place where the room begins. */
  readonly start: number;
  /** The room by itself. */
  reserved(): Uint8Array;
}

/**
 * Runs one program. A packet goes through {@link reset}, {@link parse}, {@link ingress}, any time
 * in a queue, {@link egress} and {@link deparse}. No packet, however malformed, makes a step throw,
 * except that a failed `assert` of the program throws {@link ProgramAssertionError}.
 */
export interface Executor<State extends PacketState = PacketState> {
  /** A new packet state, to be used for many packets one after the other. */
  createState(): State;
  /** Executors with the same one, of whatever switches, may use each other's packet states. */
  readonly stateKind: object;
  /** Fills in metadata of its packet states, field by field; undefined: the program has no such field. */
  metadataWriter(fields: readonly (FilledField | undefined)[]): MetadataWriter<State>;
  /** Reads a field of the metadata of its packet states. */
  metadataReader(field: Pick<FilledField, 'slot'> | undefined): MetadataReader<State>;
  /** Forgets the previous packet: all fields are 0, all headers invalid. */
  reset(state: State, reception: Reception): void;
  /** Runs the parser and verifies checksums. */
  parse(state: State): void;
  ingress(state: State): void;
  egress(state: State): void;
  /**
   * Updates checksums; returns the valid headers and then the stored bytes left by the parser. The
   * memory belongs to the caller, or is that of `memory` where that is given.
   */
  deparse(state: State, memory?: PacketMemory): Uint8Array;
  /** The same, written to room of `memory`; returns the number of bytes. */
  deparseTo(memory: PacketMemory, state: State): Bytes;
}

export interface ExecutorOptions {
  readonly program: Program;
  readonly state: ProgramState;
  /** The egress port that means "drop". */
  readonly dropPort: number;
  /** Source of `random`; without one, it gives the lowest value of its range. */
  readonly random?: Random | undefined;
  /** Receives the text of `log_msg`. */
  readonly log?: ((message: string) => void) | undefined;
}

export type ExecutorFactory = (options: ExecutorOptions) => Executor;

/** An `assert` or `assume` of the P4 program does not hold: the program is wrong. */
export class ProgramAssertionError extends Error {
  override readonly name = 'ProgramAssertionError';
}

/** Fills the `{}` of the format from left to right. */
export function formatMessage(format: string, values: readonly (number | bigint)[]): string {
  let next = 0;
  return format.replace(/\{\}/g, (braces) => values[next++]?.toString() ?? braces);
}

/** @throws ProgramAssertionError always. */
export function failAssertion(place: string): never {
  throw new ProgramAssertionError(`assertion of the program fails at ${place}`);
}
