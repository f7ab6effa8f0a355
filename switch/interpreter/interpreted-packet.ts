import { toBigint } from '../runtime/bit-fields';
import { BitString } from '../runtime/bit-string';
import type { ExecutorOptions, PacketState, Reception } from '../executor';
import type { Bytes } from '../../common/units/units';
import type { HeaderLayout, Program } from '../ir/nodes';
import type { ProgramState } from '../state/program-state';

const NO_BYTES = new Uint8Array(0);
const NO_ARGUMENTS: readonly bigint[] = [];

/** A packet as the interpreter sees it: every field of every header as a bigint. */
export class InterpretedPacket implements PacketState {
  readonly program: Program;
  readonly state: ProgramState;
  readonly dropPort: bigint;
  readonly log: ((message: string) => void) | undefined;
  /** Field values by slot. Fields of invalid headers keep what was stored last. */
  readonly values: bigint[];
  /** 1 for valid headers, by header index. */
  readonly valid: Uint8Array;
  /** How many elements of each stack were extracted or pushed. */
  readonly stackCounts: number[];
  /** Scratch for hashes and checksums. */
  readonly bits = new BitString();
  /** Scratch for table keys, by table. */
  readonly keys: readonly bigint[][];
  /** Runtime data of the action that runs. */
  arguments: readonly bigint[] = NO_ARGUMENTS;
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
    this.log = options.log;
    this.values = new Array<bigint>(options.program.slots).fill(0n);
    this.valid = new Uint8Array(options.program.headers.length);
    this.stackCounts = options.program.stacks.map(() => 0);
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

  header(index: number): HeaderLayout | undefined {
    return this.program.headers[index];
  }

  isValid(header: number): boolean {
    return this.valid[header] === 1;
  }
}
