import { assert } from '../../assert';
import { digitsOf, putDigits, putWhole } from './digits';

const FIRST_LENGTH = 1 << 16;
/**
 * Bytes that are copied at once, as a number of 64 bits; a copy may write so many beyond its end.
 * PERF: by 32 bits at a time it takes twice as long. An engine may change the bits of a number that is
 * none (NaN), which needs a first byte of 0x7f or 0xff: text has none, see {@link encode}.
 */
const WORD = 8;
const DELETE = 0x7f;
/** Digits of the largest number. */
const DIGITS_MAX = 16;

/** A text that is written often: its bytes, as whole words. */
export interface EncodedText {
  readonly length: number;
  readonly words: Float64Array;
}

/** Room for a text of so many bytes, and to read it by words. */
export const paddedLength = (length: number): number => WORD * Math.ceil(length / WORD);

export function encode(text: string): EncodedText {
  const bytes = Buffer.from(text);
  assert(!bytes.includes(DELETE), 'a text of lines has no control characters');
  const room = Buffer.alloc(paddedLength(bytes.length));
  const words = new Float64Array(room.length / WORD);
  bytes.copy(room);
  for (let i = 0; i < words.length; i++) words[i] = room.readDoubleBE(WORD * i);
  return { length: bytes.length, words };
}

/**
 * Text that is put together as bytes, for lines by the million.
 * PERF: strings would cost a conversion of every number (0.15 us for those above 2^31) and an
 * encoding of the whole; digits are written where they will lie.
 */
export class ByteText {
  #bytes = new Uint8Array(FIRST_LENGTH);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** One ASCII character. */
  character(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = code;
  }

  text(text: string): void {
    this.#reserve(3 * text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) {
        this.#length += Buffer.from(this.#bytes.buffer).write(text.slice(i), this.#length);
        return;
      }
      this.#bytes[this.#length++] = code;
    }
  }

  /** PERF: a word at a time; a call of the library costs more than the lengths that there are. */
  encoded({ length, words }: EncodedText): void {
    this.#reserve(length);
    const view = this.#view;
    let at = this.#length;
    for (let i = 0; i < words.length; i++, at += WORD) view.setFloat64(at, words[i] as number);
    this.#length += length;
  }

  /** A number as JSON has it. */
  number(value: number): void {
    if (Number.isSafeInteger(value) && value >= 0) this.whole(value);
    else this.text(String(value));
  }

  /** A non-negative integer below 2^53. */
  whole(value: number): void {
    this.#reserve(DIGITS_MAX);
    const count = digitsOf(value);
    putWhole(this.#view, (this.#length += count), value, count);
  }

  /** Below 10^9, with leading zeros. */
  nineDigits(value: number): void {
    this.#reserve(DIGITS_MAX);
    putDigits(this.#view, (this.#length += 9), value, 9);
  }

  /** The last `count` digits of a number below 10^9 in front of `end`, where there is text already. */
  replaceDigits(end: number, value: number, count: number): void {
    putDigits(this.#view, end, value, count);
  }

  /** Text in memory that has up to seven bytes more than it. PERF: as {@link encoded}. */
  padded(text: DataView, length: number): void {
    this.#reserve(length);
    const view = this.#view;
    const start = this.#length;
    for (let at = 0; at < length; at += WORD) view.setFloat64(start + at, text.getFloat64(at));
    this.#length += length;
  }

  /** Repeats what has been written from `from` to `to`. PERF: as {@link encoded}. */
  repeat(from: number, to: number): void {
    this.#reserve(to - from);
    const view = this.#view;
    let at = this.#length;
    // Whole words are copied; bytes written past the end are never read.
    for (let i = from; i < to; i += WORD, at += WORD) view.setFloat64(at, view.getFloat64(i));
    this.#length += to - from;
  }

  /** Puts another ASCII character at a place that has been written. */
  replace(at: number, code: number): void {
    this.#bytes[at] = code;
  }

  /** All that has been written, in memory that is written again after {@link clear}. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets what has been written from `at` on. */
  clear(at = 0): void {
    this.#length = at;
  }

  #reserve(more: number): void {
    if (this.#length + more + WORD > this.#bytes.length) this.#grow(more);
  }

  #grow(more: number): void {
    const bytes = new Uint8Array(2 * (this.#length + more + WORD));
    bytes.set(this.written);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
