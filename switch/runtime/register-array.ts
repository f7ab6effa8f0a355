import type { RegisterControl } from '../control/program-control';

/** Widths that numbers hold exactly, and that pairs of words hold. */
const NUMBER_BITS = 52;
const PAIR_BITS = 64;

/**
 * A P4 register array: unsigned cells that start at 0 and outlive packets.
 * PERF: cells up to 64 bits lie in typed arrays, as numbers or as two words, so that generated code
 * counts bytes without making a bigint per packet.
 */
export class RegisterArray implements RegisterControl {
  /** Cells of up to 52 bits. */
  readonly #numbers: Float64Array;
  /** Cells of up to 64 bits: high word, low word. */
  readonly #words: Uint32Array;
  /** Wider cells. */
  readonly #bigints: bigint[];
  readonly #kind: 'numbers' | 'words' | 'bigints';

  constructor(
    readonly name: string,
    readonly size: number,
    /** Width of a cell in bits. */
    readonly width: number,
  ) {
    this.#kind = width <= NUMBER_BITS ? 'numbers' : width <= PAIR_BITS ? 'words' : 'bigints';
    this.#numbers = new Float64Array(this.#kind === 'numbers' ? size : 0);
    this.#words = new Uint32Array(this.#kind === 'words' ? 2 * size : 0);
    this.#bigints = new Array<bigint>(this.#kind === 'bigints' ? size : 0).fill(0n);
  }

  /** True if the array has this cell. */
  has(index: number): boolean {
    return index >= 0 && index < this.size;
  }

  /** The cell's value, or undefined when there is no such cell. */
  read(index: bigint | number): bigint | undefined {
    const cell = Number(index);
    if (!this.has(cell)) return undefined;
    if (this.#kind === 'numbers') return BigInt(this.readNumber(cell));
    if (this.#kind === 'bigints') return this.#bigints[cell];
    return (BigInt(this.readHigh(cell)) << 32n) | BigInt(this.readLow(cell));
  }

  /** Keeps the low bits. Writing outside the array does nothing, as on bmv2. */
  write(index: bigint | number, value: bigint | number): void {
    const cell = Number(index);
    if (!this.has(cell)) return;
    const kept = BigInt.asUintN(this.width, BigInt(value));
    if (this.#kind === 'numbers') this.#numbers[cell] = Number(kept);
    else if (this.#kind === 'bigints') this.#bigints[cell] = kept;
    else this.writePair(cell, Number(kept >> 32n), Number(kept & 0xffffffffn));
  }

  /** Writes one value to the cells from `first` on, and not to `end`. */
  writeRange(first: number, end: number, value: bigint): void {
    const last = Math.min(end, this.size);
    for (let index = Math.max(0, first); index < last; index++) this.write(index, value);
  }

  /** Sets all cells to 0. */
  reset(): void {
    this.#numbers.fill(0);
    this.#words.fill(0);
    this.#bigints.fill(0n);
  }

  /** A cell of up to 52 bits; 0 outside the array. */
  readNumber(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  /** High word of a cell of 53 to 64 bits; 0 outside the array. */
  readHigh(index: number): number {
    return this.#words[2 * index] ?? 0;
  }

  /** Low word of a cell of 53 to 64 bits; 0 outside the array. */
  readLow(index: number): number {
    return this.#words[2 * index + 1] ?? 0;
  }

  /** Writes a value that fits into a cell of up to 52 bits. */
  writeNumber(index: number, value: number): void {
    if (this.has(index)) this.#numbers[index] = value;
  }

  /** Writes a value that fits into a cell of 53 to 64 bits. */
  writePair(index: number, high: number, low: number): void {
    if (!this.has(index)) return;
    this.#words[2 * index] = high;
    this.#words[2 * index + 1] = low;
  }
}
