const [ZERO, POINT, MINUS] = [0x30, 0x2e, 0x2d];
const MICRO = 1e6;
const FRACTION_DIGITS = 6;
/** Most bytes of a number, with sign and point. */
const NUMBER_BYTES_MAX = 32;
const ROOM = 512;
const BILLION = 1e9;
const BILLION_ZEROS = 9;
const POWERS_OF_TEN = Array.from({ length: BILLION_ZEROS }, (_, exponent) => 10 ** exponent);

/** ASCII text in bytes, for {@link LineBytes.text}. */
export const asciiBytes = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

const NULL = asciiBytes('null');

/**
 * One line of JSON, made as bytes. PERF: numbers as strings are kept by the engine for a while, so that
 * each collection of garbage would copy those of ten thousand lines, and hold packets up meanwhile.
 */
export class LineBytes {
  #bytes = new Uint8Array(ROOM);
  #end = 0;

  text(text: Uint8Array): this {
    this.#reserve(text.length);
    this.#bytes.set(text, this.#end);
    this.#end += text.length;
    return this;
  }

  /** A whole number. JSON has no infinite ones: they are null, as null is. */
  whole(value: number | null): this {
    return this.decimal(value === null ? null : Math.round(value));
  }

  /** A number with at most six decimals; null likewise. */
  decimal(value: number | null): this {
    if (value === null || !Number.isFinite(value)) return this.text(NULL);
    this.#reserve(NUMBER_BYTES_MAX);
    let whole = Math.floor(Math.abs(value));
    let fraction = Math.round((Math.abs(value) - whole) * MICRO);
    if (fraction === MICRO) [whole, fraction] = [whole + 1, 0];
    if (value < 0 && whole + fraction > 0) this.#bytes[this.#end++] = MINUS;
    this.#digits(whole, 1);
    if (fraction > 0) this.#fraction(fraction);
    return this;
  }

  /** The line so far, lent until the next one begins, which it does then. */
  finish(): Uint8Array {
    const line = this.#bytes.subarray(0, this.#end);
    this.#end = 0;
    return line;
  }

  #fraction(millionths: number): void {
    let digits = FRACTION_DIGITS;
    let rest = millionths;
    for (; rest % 10 === 0; digits--) rest /= 10;
    this.#bytes[this.#end++] = POINT;
    this.#digits(rest, digits);
  }

  /** @param least so many digits, with zeros before them. */
  #digits(value: number, least: number): void {
    if (value < BILLION) {
      this.#smallDigits(value, least);
      return;
    }
    const billions = Math.floor(value / BILLION);
    this.#digits(billions, 1);
    this.#smallDigits(value - billions * BILLION, BILLION_ZEROS);
  }

  /** Digits of a number below a billion. PERF: the engine divides numbers of 32 bits by multiplying. */
  #smallDigits(value: number, least: number): void {
    let count = least;
    while ((POWERS_OF_TEN[count] ?? Infinity) <= value) count++;
    let rest = value | 0;
    for (let at = this.#end + count - 1; at >= this.#end; at--) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = ZERO + rest - 10 * next;
      rest = next;
    }
    this.#end += count;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length + bytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
