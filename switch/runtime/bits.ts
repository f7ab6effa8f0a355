import type { Random } from '../../common/random/random';

/**
 * Arithmetic of P4 values in bigint: the reference meaning that every executor has to reproduce.
 * Intermediate results are unbounded; a field's format squeezes what is written to it.
 */

interface Format {
  /** Width in bits. */
  readonly width: number;
  readonly signed: boolean;
  readonly saturating: boolean;
}

/** Left shifts beyond this many bits exceed every field; their low bits are all zero. */
const WIDEST_SHIFT = 65_536n;

/** The value that a field of that format holds after writing `value` to it. */
export function fit(value: bigint, format: Format): bigint {
  if (format.saturating) {
    return format.signed ? clampSigned(value, format.width) : clampUnsigned(value, format.width);
  }
  return format.signed ? wrapSigned(value, format.width) : wrapUnsigned(value, format.width);
}

/** The low `width` bits, as a number from 0 to 2^width-1. */
function wrapUnsigned(value: bigint, width: number): bigint {
  return BigInt.asUintN(width, value);
}

/** The low `width` bits as a two's complement number. */
export function wrapSigned(value: bigint, width: number): bigint {
  return BigInt.asIntN(width, value);
}

/** The nearest number from 0 to 2^width-1. */
export function clampUnsigned(value: bigint, width: number): bigint {
  const largest = (1n << BigInt(width)) - 1n;
  return clamp(value, 0n, largest);
}

/** The nearest number from -2^(width-1) to 2^(width-1)-1; 0 for a width of 0. */
export function clampSigned(value: bigint, width: number): bigint {
  if (width === 0) return 0n;
  const half = 1n << BigInt(width - 1);
  return clamp(value, -half, half - 1n);
}

function clamp(value: bigint, smallest: bigint, largest: bigint): bigint {
  if (value < smallest) return smallest;
  return value > largest ? largest : value;
}

/**
 * `value * 2^count`. A count that is negative or beyond every field gives 0: P4 has no negative
 * shifts, and an arbitrary count from a packet must not exhaust memory.
 */
export function shiftLeft(value: bigint, count: bigint): bigint {
  return count < 0n || count > WIDEST_SHIFT ? 0n : value << count;
}

/** Arithmetic shift to the right, rounding towards minus infinity; 0 for a negative count. */
export function shiftRight(value: bigint, count: bigint): bigint {
  if (count < 0n) return 0n;
  return value >> (count > WIDEST_SHIFT ? WIDEST_SHIFT : count);
}

/** Quotient towards zero. Division by zero, which bmv2 aborts on, gives 0. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  return divisor === 0n ? 0n : dividend / divisor;
}

/** Remainder of {@link divide}; 0 when the divisor is 0. */
export function remainder(dividend: bigint, divisor: bigint): bigint {
  return divisor === 0n ? 0n : dividend % divisor;
}

/** A number between both bounds, which are included; the bias is below 2^-64 of the range. */
export function drawBetween(low: bigint, high: bigint, random: Random | undefined): bigint {
  if (random === undefined) return low;
  const draw = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  return low + ((draw * (high - low + 1n)) >> 64n);
}
