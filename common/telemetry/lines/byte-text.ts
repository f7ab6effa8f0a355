const ZERO = 48;
const NANO = 1_000_000_000;
const FIRST_LENGTH = 1 << 16;
/** So many bytes are copied one by one, which is faster than a call. */
const SHORT = 24;

/**
 * Text that is put together as bytes, for lines by the million.
 * PERF: strings would cost a conversion of every number (0.15 us for those above 2^31) and an
 * encoding of the whole; digits are written where they will lie.
 */
export class ByteText {
  #bytes = new Uint8Array(FIRST_LENGTH);
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

  /** Bytes of a text that was encoded before. */
  encoded(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#reserve(length);
    if (length > SHORT) {
      this.#bytes.set(bytes, this.#length);
    } else {
      const own = this.#bytes;
      const at = this.#length;
      for (let i = 0; i < length; i++) own[at + i] = bytes[i] as number;
    }
    this.#length += length;
  }

  /** A number as JSON has it. */
  number(value: number): void {
    if (value >= 0 && value < 10 && Number.isInteger(value)) {
      this.character(ZERO + value);
    } else if (!Number.isSafeInteger(value) || value < 0) {
      this.text(String(value));
    } else if (value < NANO) {
      this.#digits(value | 0, digitsOf(value | 0));
    } else {
      const high = Math.floor(value / NANO);
      this.#digits(high | 0, digitsOf(high | 0));
      this.#digits((value - high * NANO) | 0, 9);
    }
  }

  /** Below 10^9, with leading zeros. */
  nineDigits(value: number): void {
    this.#digits(value, 9);
  }

  /** Repeats what has been written from `from` to `to`. */
  repeat(from: number, to: number): void {
    this.#reserve(to - from);
    this.#bytes.copyWithin(this.#length, from, to);
    this.#length += to - from;
  }

  /** Puts another ASCII character at a place that has been written. */
  replace(at: number, code: number): void {
    this.#bytes[at] = code;
  }

  /** All that has been written, which is then the caller's. */
  take(): Uint8Array {
    const all = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return all;
  }

  /** PERF: two digits at a time, by a division of 32-bit integers that becomes a multiplication. */
  #digits(value: number, count: number): void {
    this.#reserve(count);
    const bytes = this.#bytes;
    let rest = value;
    let at = this.#length + count;
    this.#length = at;
    for (let left = count; left > 1; left -= 2) {
      const next = (rest / 100) | 0;
      const pair = (rest - 100 * next) << 1;
      at -= 2;
      bytes[at] = DIGIT_PAIRS[pair] as number;
      bytes[at + 1] = DIGIT_PAIRS[pair + 1] as number;
      rest = next;
    }
    if ((count & 1) === 1) bytes[at - 1] = ZERO + rest;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * (this.#length + more));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}

/** Of a number below 10^9. */
function digitsOf(value: number): number {
  if (value < 100_000) {
    if (value < 100) return value < 10 ? 1 : 2;
    if (value < 1000) return 3;
    return value < 10_000 ? 4 : 5;
  }
  if (value < 10_000_000) return value < 1_000_000 ? 6 : 7;
  return value < 100_000_000 ? 8 : 9;
}

/** The digits of 00 to 99. */
const DIGIT_PAIRS = Uint8Array.from({ length: 200 }, (_, i) => {
  const value = i >> 1;
  return ZERO + (i % 2 === 0 ? Math.floor(value / 10) : value % 10);
});

export const encode = (text: string): Uint8Array => Buffer.from(text);
