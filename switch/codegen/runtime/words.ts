/**
 * Arithmetic that JavaScript's operators lack, on the representations of generated code: numbers
 * are exact integers below 2^53 in magnitude, a pair is a 64-bit unsigned number in two words.
 */

const WORD = 2 ** 32;
const LOW_WORD = 0xffffffffn;

/** The number modulo a power of two. */
export function wrapNumber(value: number, modulus: number): number {
  return value - Math.floor(value / modulus) * modulus;
}

/** A number below `modulus` in two's complement. */
export function toSigned(value: number, modulus: number): number {
  return value >= modulus / 2 ? value - modulus : value;
}

/** The nearest bigint between two bounds. */
export function clampBigint(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low;
  return value > high ? high : value;
}

/** At least 1. */
export function atLeastOne(value: bigint): bigint {
  return value < 1n ? 1n : value;
}

export function clampNumber(value: number, low: number, high: number): number {
  if (value < low) return low;
  return value > high ? high : value;
}

/** Quotient towards zero, exact below 2^53; 0 when dividing by 0. Adding 0 makes -0 a 0. */
export function divideNumbers(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : Math.trunc(dividend / divisor) + 0;
}

/** Remainder of {@link divideNumbers}; 0 when the divisor is 0. */
export function remainderOfNumbers(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : (dividend % divisor) + 0;
}

/** Low word of `value * 2^count`; 0 for a negative count. */
export function shiftLeftWord(value: number, count: number): number {
  return count < 0 || count > 31 ? 0 : (value << count) >>> 0;
}

/** `value / 2^count`, rounded towards minus infinity; 0 for a negative count. */
export function shiftRightNumber(value: number, count: number): number {
  if (count < 0) return 0;
  return count > 53 ? (value < 0 ? -1 : 0) : Math.floor(value / 2 ** count);
}

/** High word of the 64-bit sum whose low words add up to `lowSum`. */
export function carry(highSum: number, lowSum: number): number {
  return (lowSum >= WORD ? highSum + 1 : highSum) >>> 0;
}

/** High word of the 64-bit difference whose low words differ by `lowDifference`. */
export function borrow(highDifference: number, lowDifference: number): number {
  return (lowDifference < 0 ? highDifference - 1 : highDifference) >>> 0;
}

/** High word of the product of two words. PERF: four products of 16 bits each, no bigint. */
export function productHigh(left: number, right: number): number {
  const a = left >>> 16;
  const b = left & 0xffff;
  const c = right >>> 16;
  const d = right & 0xffff;
  const low = b * d;
  const middle = a * d + (low >>> 16);
  const middleLow = (middle & 0xffff) + b * c;
  return a * c + (middle >>> 16) + (middleLow >>> 16);
}

/** A pair as bigint. */
export function pairToBigint(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

/** High word of the low 64 bits. */
export function highWord(value: bigint): number {
  return Number((value >> 32n) & LOW_WORD);
}

/** Low word. */
export function lowWord(value: bigint): number {
  return Number(value & LOW_WORD);
}
