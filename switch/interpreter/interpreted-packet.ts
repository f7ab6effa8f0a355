import { toBigint } from '../runtime/bit-fields';
import { BitString } from '../runtime/bit-string';
import { assert } from '../../common/assert';
import { clearRequests, noRequests } from '../executor/executor';
import { headerGroups } from '../executor/header-operations';
import type { ExecutorOptions, PacketState, Reception } from '../executor/executor';
import type { HeaderGroups, HeaderPacket } from '../executor/header-operations';
import type { Random } from '../../common/random/random';
import type { Bytes, Instant } from '../../common/units/units';
import type { HeaderLayout, Program } from '../ir/nodes';
import type { ProgramState } from '../state/program-state';

const NO_BYTES = new Uint8Array(0);
const NO_ARGUMENTS: readonly bigint[] = [];

/** A packet as the interpreter sees it: every field of every header as a bigint. */
export class InterpretedPacket implements PacketState, HeaderPacket<HeaderLayout> {
  readonly program: Program;
  readonly state: ProgramState;
  readonly dropPort: bigint;
  readonly random: Random | undefined;
  readonly log: ((message: string) => void) | undefined;
  /** Field values by slot. Fields of invalid headers keep what was stored last. */
  readonly values: bigint[];
  /** 1 for valid headers, by header index. */
  readonly valid: Uint8Array;
  readonly shape: HeaderGroups & { readonly headers: readonly HeaderLayout[] };
  /** Number of elements of each stack that were extracted or pushed; stacks of unions come last. */
  readonly counts: Int32Array;
  /** Present widths of varbit fields, in bits, by header index. */
  readonly widths: Int32Array;
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
    const { headers, stacks, unionStacks } = options.program;
    this.shape = { ...headerGroups(options.program), headers };
    this.counts = new Int32Array(stacks.length + unionStacks.length);
    this.widths = new Int32Array(headers.length);
    this.keys = options.program.tables.map((table) => table.key.map(() => 0n));
  }

  /**
   * Starts a new packet. All fields become 0, where bmv2 clears metadata only and lets invalid
   * headers keep values of earlier packets: a result must not depend on which packets came before.
   */
  reset({ bytes, length }: Reception): void {
    this.values.fill(0n);
    for (const header of this.program.headers) this.valid[header.index] = header.metadata ? 1 : 0;
    this.counts.fill(0);
    this.widths.fill(0);
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

  moveTo(bytes: Uint8Array): void {
    this.bytes = bytes;
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
    for (const [slot, value] of other.values.entries()) this.values[slot] = value;
    this.valid.set(other.valid);
    this.counts.set(other.counts);
    this.widths.set(other.widths);
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
    for (const header of this.program.headers) {
      if (header.metadata) this.clearFields(header);
    }
  }

  header(index: number): HeaderLayout | undefined {
    return this.program.headers[index];
  }

  equalFields(left: HeaderLayout, right: HeaderLayout): boolean {
    return left.fields.every(
      ({ slot }, i) => this.values[slot] === this.values[right.firstSlot + i],
    );
  }

  copyFields(target: HeaderLayout, source: HeaderLayout): void {
    const { firstSlot, fields } = source;
    this.values.copyWithin(target.firstSlot, firstSlot, firstSlot + fields.length);
  }

  copyVarbit(target: HeaderLayout, source: HeaderLayout): void {
    const value = this.values[source.firstSlot + (source.varbit ?? 0)] ?? 0n;
    this.values[target.firstSlot + (target.varbit ?? 0)] = value;
  }

  clearFields({ firstSlot, fields }: HeaderLayout): void {
    this.values.fill(0n, firstSlot, firstSlot + fields.length);
  }
}
