const ZERO = 48;
const NANO = 1_000_000_000;

/**
 * Writes the last `count` digits, at most nine, of a number below 10^9 in front of `end`.
 * PERF: four digits at a time, by a division of 32-bit integers that becomes a multiplication.
 */
export function putDigits(view: DataView, end: number, value: number, count: number): void {
  let rest = value;
  let at = end;
  let left = count;
  for (; left > 3; left -= 4) {
    const next = (rest / 10_000) | 0;
    at -= 4;
    view.setUint32(at, FOUR_DIGITS[rest - 10_000 * next] as number);
    rest = next;
  }
  if (left > 1) {
    const next = (rest / 100) | 0;
    at -= 2;
    // The lower half of four digits are two.
    view.setUint16(at, FOUR_DIGITS[rest - 100 * next] as number);
    rest = next;
  }
  if ((count & 1) === 1) view.setUint8(at - 1, ZERO + rest);
}

/** The same for a number below 2^53. */
export function putWhole(view: DataView, end: number, value: number, count: number): void {
  if (count <= 9) {
    putDigits(view, end, value | 0, count);
    return;
  }
  const high = Math.floor(value / NANO);
  putDigits(view, end - 9, high | 0, count - 9);
  putDigits(view, end, (value - high * NANO) | 0, 9);
}

/** Digits of a non-negative integer below 2^53. */
export function digitsOf(value: number): number {
  if (value >= NANO) return 9 + digitsOf(Math.floor(value / NANO));
  if (value < 100_000) {
    if (value < 100) return value < 10 ? 1 : 2;
    if (value < 1000) return 3;
    return value < 10_000 ? 4 : 5;
  }
  if (value < 10_000_000) return value < 1_000_000 ? 6 : 7;
  return value < 100_000_000 ? 8 : 9;
}

/** The digits of 0000 to 9999, the first in the highest byte. */
const FOUR_DIGITS = Uint32Array.from({ length: 10_000 }, (_, value) =>
  [1000, 100, 10, 1].reduce((word, unit) => word * 256 + ZERO + (Math.floor(value / unit) % 10), 0),
);

const LOW_DIGITS = 6;
const LOW_MODULUS = 10 ** LOW_DIGITS;

/** The digits of a counter within a text, of which mostly the last six change. */
export class CounterDigits {
  /** Value of the digits in front of those that are written each time. */
  base = 0;
  /** Number of digits that are written each time. */
  readonly count: number;
  readonly #digits: number;
  #from = 0;
  #to = 0;

  constructor(
    readonly text: DataView,
    /** Offset behind the last digit. */
    readonly end: number,
    value: number,
  ) {
    this.#digits = digitsOf(value);
    this.count = Math.min(this.#digits, LOW_DIGITS);
    this.holds(value);
  }

  /**
   * True if the text in front of the last digits is right; corrects it unless `value` has more or
   * fewer digits.
   */
  holds(value: number): boolean {
    if (value >= this.#from && value < this.#to) return true;
    if (digitsOf(value) !== this.#digits) return false;
    putWhole(this.text, this.end, value, this.#digits);
    this.base = Math.floor(value / LOW_MODULUS) * LOW_MODULUS;
    this.#from = Math.max(this.base, this.#digits === 1 ? 0 : 10 ** (this.#digits - 1));
    this.#to = Math.min(this.base + LOW_MODULUS, 10 ** this.#digits);
    return true;
  }
}
