import { assert } from '../assert';
import { RpcError } from './codes';

/**
 * Integers on the wire: big-endian byte strings, the shortest that hold the value (P4Runtime 1.5.0,
 * section "Bytestrings"). Zero is one zero byte; the empty string is never a value.
 */
export function encodeValue(value: bigint): Uint8Array {
  assert(value >= 0n, `a bit<W> value is not negative, but ${value} is`);
  if (value <= WORD_MAX) return encodeWord(Number(value));
  const hex = value.toString(16);
  return Uint8Array.from(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'));
}

/** Most values are words, and 48-bit addresses; numbers are much faster than bigints. */
const WORD_MAX = 0xffff_ffff_ffffn;

function encodeWord(value: number): Uint8Array {
  let length = 1;
  for (let rest = value / 256; rest >= 1; rest /= 256) length++;
  const bytes = new Uint8Array(length);
  for (let i = length - 1, rest = value; i >= 0; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/**
 * Name of a value in error messages; a function where building the name costs more than the check.
 */
export type Words = string | (() => string);

/** The words themselves. */
export const wordsOf = (words: Words): string => (typeof words === 'string' ? words : words());

/**
 * Reads a byte string, padded with zeroes or not, as a `bit<width>` value.
 * @param what names the value in the error message.
 * @throws RpcError OUT_OF_RANGE when it is empty or needs more than `width` bits.
 */
export function decodeValue(bytes: Uint8Array, width: number, what: Words): bigint {
  return valueOf(bytes, width) ?? refuseValue(bytes, width, what);
}

/** The value of {@link decodeValue}; undefined where that throws. PERF: nobody makes words for an error. */
export function valueOf(bytes: Uint8Array, width: number): bigint | undefined {
  if (bytes.length === 0) return undefined;
  const value = bits(bytes);
  return 8 * bytes.length <= width || fitsWidth(value, width) ? value : undefined;
}

/** Throws as {@link decodeValue} does for a value that does not fit. @throws RpcError OUT_OF_RANGE */
export function refuseValue(bytes: Uint8Array, width: number, what: Words): never {
  const reason =
    bytes.length === 0
      ? `a value of ${width} bits is needed, found none`
      : `0x${bits(bytes).toString(16)} does not fit in ${width} bits`;
  throw new RpcError('OUT_OF_RANGE', `${wordsOf(what)}: ${reason}`);
}

function bits(bytes: Uint8Array): bigint {
  if (bytes.length > 6) return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let word = 0;
  for (let i = 0; i < bytes.length; i++) word = word * 256 + (bytes[i] as number);
  return BigInt(word);
}

/**
 * The shortest two's complement of an `int<W>` value: 127 is 7f, 128 is 0080, -1 is ff (P4Runtime
 * 1.5.0, section "Bytestrings").
 */
export function encodeSigned(value: bigint): Uint8Array {
  let length = 1;
  while (BigInt.asIntN(8 * length, value) !== value) length++;
  const hex = BigInt.asUintN(8 * length, value).toString(16);
  return Uint8Array.from(Buffer.from(hex.padStart(2 * length, '0'), 'hex'));
}

/**
 * Reads a byte string, sign-extended or not, as an `int<width>` value.
 * @throws RpcError OUT_OF_RANGE when it is empty or needs more than `width` bits.
 */
export function decodeSigned(bytes: Uint8Array, width: number, what: string): bigint {
  if (bytes.length === 0) {
    throw new RpcError('OUT_OF_RANGE', `${what}: a value of ${width} bits is needed, found none`);
  }
  const value = BigInt.asIntN(8 * bytes.length, bits(bytes));
  if (fitsSigned(value, width)) return value;
  throw new RpcError('OUT_OF_RANGE', `${what}: ${value} does not fit in ${width} signed bits`);
}

/** True if `value` fits `int<width>`. */
export function fitsSigned(value: bigint, width: number): boolean {
  return BigInt.asIntN(width, value) === value;
}

/** True if `value` fits `bit<width>`. */
export function fitsWidth(value: bigint, width: number): boolean {
  const most = GREATEST[width];
  // PERF: comparing takes a fifth of the time.
  if (most !== undefined) return value >= 0n && value <= most;
  return BigInt.asUintN(width, value) === value;
}

/** The largest values of the widths that fields have, by width. */
const GREATEST = Array.from({ length: 129 }, (_, width) => (1n << BigInt(width)) - 1n);

/** The largest `bit<width>`. */
export function allOnes(width: number): bigint {
  return GREATEST[width] ?? (1n << BigInt(width)) - 1n;
}

/** The mask of a prefix of `length` bits in a field of `width` bits. */
export function prefixMask(length: number, width: number): bigint {
  assert(length >= 0 && length <= width, `a prefix of ${length} bits fits in ${width} bits`);
  return allOnes(width) ^ allOnes(width - length);
}
