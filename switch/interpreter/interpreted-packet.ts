import { toBigint } from '../runtime/bit-fields';
import { BitString } from '../runtime/bit-string';
import { assert } from '../../common/assert';
import { clearRequests, noRequests } from '../executor/executor';
import type { ExecutorOptions, PacketState, Reception } from '../executor/executor';
import type { Random } from '../../common/random/random';
import type { Bytes, Instant } from '../../common/units/units';
import type { HeaderLayout, Program } from '../ir/nodes';
import type { ProgramState } from '../state/program-state';

const NO_BYTES = new Uint8Array(0);
const NO_ARGUMENTS: readonly bigint[] = [];

/** A packet as the interpreter sees it: every field of every header as a bigint. */
export class InterpretedPacket implements PacketState {
  readonly program: Program;
  readonly state: ProgramState;
  readonly dropPort: bigint;
  readonly random: Random | undefined;
  readonly log: ((message: string) => void) | undefined;
  /** Field values by slot. Fields of invalid headers keep what was stored last. */
  readonly values: bigint[];
  /** 1 for valid headers, by header index. */
  readonly valid: Uint8Array;
  /** How many elements of each stack were extracted or pushed. */
  readonly stackCounts: number[];
  readonly unionStackCounts: number[];
  /** Present widths of varbit fields, in bits, by header index. */
  readonly varbitWidths: number[];
  readonly requests = noRequests();
  /** Scratch for hashes and checksums. */
  readonly bits = new BitString();
  /** Scratch for table keys, by table. */
  readonly keys: readonly bigint[][];
  /** Runtime data of the action that runs. */
  arguments: readonly bigint[] = NO_ARGUMENTS;
  now: Instant = 0;
  exited = false;
  bytes: Uint8Array = NO_BYTES;
  /** Position of the first stored byte that is not parsed. */
  offset = 0;
  receivedLength: Bytes = 0;
  packetLength: Bytes = 0;
  parserError = 0;
  checksumError = false;

  constructor(options: ExecutorOptions) {
    this.program = options.program;
    this.state = options.state;
    this.dropPort = BigInt(options.dropPort);
    this.random = options.random;
    this.log = options.log;
    this.values = new Array<bigint>(options.program.slots).fill(0n);
    this.valid = new Uint8Array(options.program.headers.length);
    this.stackCounts = options.program.stacks.map(() => 0);
    this.unionStackCounts = options.program.unionStacks.map(() => 0);
    this.varbitWidths = options.program.headers.map(() => 0);
    this.keys = options.program.tables.map((table) => table.key.map(() => 0n));
  }

  /**
   * Starts a new packet. All fields become 0, where bmv2 clears metadata only and lets invalid
   * headers keep values of earlier packets: a result must not depend on which packets came before.
   */
  reset({ bytes, length }: Reception): void {
    this.values.fill(0n);
    for (const header of this.program.headers) this.valid[header.index] = header.metadata ? 1 : 0;
    this.stackCounts.fill(0);
    this.unionStackCounts.fill(0);
    this.varbitWidths.fill(0);
    clearRequests(this.requests);
    this.arguments = NO_ARGUMENTS;
    this.exited = false;
    this.bytes = bytes;
    this.offset = 0;
    this.receivedLength = length;
    this.packetLength = length;
    this.parserError = 0;
    this.checksumError = false;
  }

  readMetadata(slot: number): number {
    return Number(this.values[slot] ?? 0n);
  }

  writeMetadata(slot: number, value: number): void {
    this.values[slot] = toBigint(value);
  }

  readField(slot: number): bigint {
    return this.values[slot] ?? 0n;
  }

  writeField(slot: number, value: bigint): void {
    this.values[slot] = value;
  }

  copyFrom(other: PacketState): void {
    assert(other instanceof InterpretedPacket, 'packets are copied within one executor');
    copyInto(this.values, other.values);
    this.valid.set(other.valid);
    copyInto(this.stackCounts, other.stackCounts);
    copyInto(this.unionStackCounts, other.unionStackCounts);
    copyInto(this.varbitWidths, other.varbitWidths);
    clearRequests(this.requests);
    this.arguments = NO_ARGUMENTS;
    this.now = other.now;
    this.exited = false;
    this.bytes = other.bytes;
    this.offset = other.offset;
    this.receivedLength = other.receivedLength;
    this.packetLength = other.packetLength;
    this.parserError = other.parserError;
    this.checksumError = other.checksumError;
  }

  clearMetadata(): void {
    for (const { metadata, firstSlot, fields } of this.program.headers) {
      if (metadata) this.values.fill(0n, firstSlot, firstSlot + fields.length);
    }
  }

  /** Makes a header valid; of a union's members only the last one stays so. */
  validate({ index, union }: HeaderLayout): void {
    if (union !== undefined) {
      for (const member of this.program.unions[union]?.headers ?? []) this.valid[member] = 0;
    }
    this.valid[index] = 1;
  }

  /** Length of a header on the wire, with the present width of its varbit field. */
  headerLength({ byteLength, varbit, index }: HeaderLayout): Bytes {
    return varbit === undefined ? byteLength : byteLength + (this.varbitWidths[index] ?? 0) / 8;
  }

  header(index: number): HeaderLayout | undefined {
    return this.program.headers[index];
  }

  isValid(header: number): boolean {
    return this.valid[header] === 1;
  }
}

function copyInto<T>(target: T[], source: readonly T[]): void {
  for (let i = 0; i < source.length; i++) {
    const value = source[i];
    if (value !== undefined) target[i] = value;
  }
}
