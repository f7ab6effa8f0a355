import { assert } from '../../../common/assert';
import { clearRequests, noRequests } from '../../executor/executor';
import { PooledPacket } from '../../executor/packet-pool';
import { SlabMemory } from '../../executor/slab-memory';
import { wholeOf } from './whole-buffer';
import { highWord, lowWord, pairToBigint } from './words';
import type { HeaderGroups, HeaderPacket } from '../../executor/header-operations';
import type { Bytes, Instant } from '../../../common/units/units';
import type { PacketMemory, PacketRequests, PacketState, Reception } from '../../executor/executor';

const NO_BYTES = new Uint8Array(0);
/** For packets that nothing is written of. */
const NO_MEMORY: PacketMemory = new SlabMemory();
const NUMBER_BYTES = 8;
const WORD_BYTES = 4;
/** Place of a slot that is wider than a number; beyond all cells. */
const NO_CELL = 0x7fff_ffff;

/**
 * A packet as generated code sees it. Header fields are cells of flat arrays, whose places are
 * constants of the generated text.
 * PERF: all typed arrays share one buffer, so that forgetting a packet is one copy.
 */
export class GeneratedPacket implements PacketState, HeaderPacket<HeaderExtent> {
  /** Fields of up to 32 bits, and the halves of pairs. */
  readonly words: Uint32Array;
  /** Fields of up to 52 bits, and signed ones. */
  readonly numbers: Float64Array;
  /** Wider fields. */
  readonly bigints: bigint[];
  /** 1 for valid headers, by header index. */
  readonly valid: Uint8Array;
  /** Number of elements of each stack that were extracted or pushed; stacks of unions come last. */
  readonly counts: Int32Array;
  /** Present widths of varbit fields, in bits, by header index. */
  readonly widths: Int32Array;
  readonly shape: StateShape;
  readonly requests: PacketRequests = noRequests();
  now: Instant = 0;
  /** The array in which the stored bytes lie that were received, */
  bytes: Uint8Array = NO_BYTES;
  /** the same as a view, */
  input: DataView = NO_MEMORY.view;
  /** from here */
  start = 0;
  /** to here. */
  end = 0;
  /** Place of the first of them that is not parsed. */
  offset = 0;
  receivedLength: Bytes = 0;
  packetLength: Bytes = 0;
  parserError = 0;
  checksumError = false;
  exited = false;
  /** Where the deparser takes memory from. */
  memory: PacketMemory = NO_MEMORY;
  /** Cells of the shape's slots. PERF: written about fifteen times per packet. */
  readonly #cells: Int32Array;
  readonly #all: Uint8Array;
  /** Packet before anything is parsed: only metadata is valid. */
  readonly #empty: Uint8Array;
  readonly #metadata: readonly number[];

  /** @param objects what the switch has for itself. */
  constructor(
    shape: StateShape,
    public objects: object,
  ) {
    const { words, numbers, bigints, headers, stacks } = shape;
    const stackCount = stacks.length + shape.unionStacks.length;
    const wordsAt = numbers * NUMBER_BYTES;
    const countsAt = wordsAt + words * WORD_BYTES;
    const widthsAt = countsAt + stackCount * WORD_BYTES;
    const validAt = widthsAt + headers.length * WORD_BYTES;
    const buffer = new ArrayBuffer(validAt + headers.length);
    this.shape = shape;
    this.#cells = Int32Array.from(shape.slots, (cell) => cell ?? NO_CELL);
    this.numbers = new Float64Array(buffer, 0, numbers);
    this.words = new Uint32Array(buffer, wordsAt, words);
    this.counts = new Int32Array(buffer, countsAt, stackCount);
    this.widths = new Int32Array(buffer, widthsAt, headers.length);
    this.valid = new Uint8Array(buffer, validAt, headers.length);
    this.bigints = new Array<bigint>(bigints).fill(0n);
    this.#all = new Uint8Array(buffer);
    this.#metadata = headers.filter((header) => header.metadata).map((header) => header.index);
    this.#empty = new Uint8Array(buffer.byteLength);
    for (const header of this.#metadata) this.#empty[validAt + header] = 1;
  }

  /** Starts a new packet: all fields are 0, all headers but metadata invalid. */
  reset(reception: Reception): void {
    const { length } = reception;
    this.#all.set(this.#empty);
    for (let i = 0; i < this.bigints.length; i++) this.bigints[i] = 0n;
    if (reception instanceof PooledPacket) this.#lie(reception.slab, reception);
    else this.moveTo(reception.bytes);
    this.offset = this.start;
    this.receivedLength = length;
    this.packetLength = length;
    this.parserError = 0;
    this.checksumError = false;
    this.exited = false;
    clearRequests(this.requests);
  }

  moveTo(bytes: Uint8Array): void {
    const parsed = this.offset - this.start;
    const { byteOffset: start } = bytes;
    this.#lie(wholeOf(bytes), { start, end: start + bytes.length });
    this.offset = start + parsed;
  }

  #lie(
    { bytes, view }: Pick<PacketMemory, 'bytes' | 'view'>,
    { start, end }: { readonly start: number; readonly end: number },
  ): void {
    this.bytes = bytes;
    this.input = view;
    this.start = start;
    this.end = end;
  }

  readMetadata(slot: number): number {
    const cell = this.#cells[slot] as number;
    return (cell >= 0 ? this.words[cell] : this.numbers[~cell]) ?? 0;
  }

  writeMetadata(slot: number, value: number): void {
    const cell = this.#cells[slot] as number;
    if (cell === NO_CELL) return;
    if (cell >= 0) this.words[cell] = value;
    else this.numbers[~cell] = value;
  }

  readField(slot: number): bigint {
    const place = this.shape.wide[slot];
    if (place === undefined) return BigInt(this.readMetadata(slot));
    if (place.representation === 'bits') return this.#readBits(place);
    if (place.representation === 'bigint') return this.bigints[place.cell] ?? 0n;
    return pairToBigint(this.words[place.cell] ?? 0, this.words[place.cell + 1] ?? 0);
  }

  writeField(slot: number, value: bigint): void {
    const place = this.shape.wide[slot];
    if (place === undefined) {
      this.writeMetadata(slot, Number(value));
    } else if (place.representation === 'bits') {
      this.#writeBits(place, value);
    } else if (place.representation === 'bigint') {
      this.bigints[place.cell] = value;
    } else {
      this.words[place.cell] = highWord(value);
      this.words[place.cell + 1] = lowWord(value);
    }
  }

  #readBits(range: BitRange): bigint {
    const { whole, behind } = this.#wordsAround(range);
    return BigInt.asUintN(range.width, whole >> behind);
  }

  #writeBits(range: BitRange, value: bigint): void {
    const { whole, behind, cells } = this.#wordsAround(range);
    const mask = ((1n << BigInt(range.width)) - 1n) << behind;
    let rest = (whole & ~mask) | (value << behind);
    for (let i = cells - 1; i >= 0; i--, rest >>= 32n) this.words[range.cell + i] = lowWord(rest);
  }

  /** The words that have the bits as one number, and how many other bits are behind them. */
  #wordsAround({ cell, bit, width }: BitRange): { whole: bigint; behind: bigint; cells: number } {
    const cells = Math.ceil((bit + width) / 32);
    let whole = 0n;
    for (let i = 0; i < cells; i++) whole = (whole << 32n) | BigInt(this.words[cell + i] ?? 0);
    return { whole, behind: BigInt(cells * 32 - bit - width), cells };
  }

  copyFrom(other: PacketState): void {
    assert(other instanceof GeneratedPacket, 'packets of one executor are of one kind');
    assert(other.shape === this.shape, 'packets of one executor have one shape');
    this.objects = other.objects;
    this.#all.set(other.#all);
    for (const [i, value] of other.bigints.entries()) this.bigints[i] = value;
    this.#lie({ bytes: other.bytes, view: other.input }, other);
    this.offset = other.offset;
    this.receivedLength = other.receivedLength;
    this.packetLength = other.packetLength;
    this.parserError = other.parserError;
    this.checksumError = other.checksumError;
    this.exited = false;
    this.now = other.now;
    clearRequests(this.requests);
  }

  clearMetadata(): void {
    for (const index of this.#metadata) {
      const extent = this.shape.headers[index];
      if (extent !== undefined) this.clearFields(extent);
    }
  }

  clearFields(extent: HeaderExtent): void {
    this.words.fill(0, extent.firstWord, extent.endWord);
    this.numbers.fill(0, extent.firstNumber, extent.endNumber);
    this.bigints.fill(0n, extent.firstBigint, extent.endBigint);
  }

  copyFields(to: HeaderExtent, from: HeaderExtent): void {
    this.words.copyWithin(to.firstWord, from.firstWord, from.endWord);
    this.numbers.copyWithin(to.firstNumber, from.firstNumber, from.endNumber);
    this.bigints.copyWithin(to.firstBigint, from.firstBigint, from.endBigint);
  }

  copyVarbit(to: HeaderExtent, from: HeaderExtent): void {
    if (to.varbitCell === undefined || from.varbitCell === undefined) return;
    this.bigints[to.varbitCell] = this.bigints[from.varbitCell] ?? 0n;
  }

  equalFields(a: HeaderExtent, b: HeaderExtent): boolean {
    const { words, numbers, bigints } = this;
    return (
      equalCells(words, { from: a.firstWord, end: a.endWord, other: b.firstWord }) &&
      equalCells(numbers, { from: a.firstNumber, end: a.endNumber, other: b.firstNumber }) &&
      equalCells(bigints, { from: a.firstBigint, end: a.endBigint, other: b.firstBigint })
    );
  }
}

function equalCells(
  cells: ArrayLike<number | bigint>,
  { from, end, other }: { from: number; end: number; other: number },
): boolean {
  for (let i = 0; i < end - from; i++) if (cells[from + i] !== cells[other + i]) return false;
  return true;
}

/** Shape of a packet state; the generator decides it once per program. */
export interface StateShape extends HeaderGroups {
  /** Lengths of the arrays. */
  readonly words: number;
  readonly numbers: number;
  readonly bigints: number;
  /** Cell of each slot: of the words, or complemented of the numbers; undefined when wider. */
  readonly slots: readonly (number | undefined)[];
  /** Where the fields are that {@link slots} leaves out. */
  readonly wide: readonly (WidePlace | undefined)[];
  readonly headers: readonly HeaderExtent[];
}

/** The first cell of a field of more than 52 bits, or bits of words. */
export type WidePlace =
  | { readonly representation: 'pair' | 'bigint'; readonly cell: number }
  | BitRange;

/** Bits from bit `bit` of a word on, counted from its most significant one. */
interface BitRange {
  readonly representation: 'bits';
  readonly cell: number;
  readonly bit: number;
  readonly width: number;
}

/** Which cells a header occupies. */
export interface HeaderExtent {
  readonly index: number;
  readonly typeName: string;
  readonly metadata: boolean;
  /** Length without the varbit field. */
  readonly byteLength: number;
  /** Union that the header is a member of. */
  readonly union: number | undefined;
  /** Cell of the varbit field, a bigint. */
  readonly varbitCell: number | undefined;
  readonly firstWord: number;
  readonly endWord: number;
  readonly firstNumber: number;
  readonly endNumber: number;
  readonly firstBigint: number;
  readonly endBigint: number;
}
