import { assert } from '../assert';
import { RpcError } from './codes';

/**
 * Integers on the wire: big-endian byte strings, the shortest that hold the value (P4Runtime 1.5.0,
 * section "Bytestrings"). Zero is one zero byte; the empty string is never a value.
 */
export function encodeValue(value: bigint): Uint8Array {
  assert(value >= 0n, `a bit<W> value is not negative, but ${value} is`);
  const hex = value.toString(16);
  return Uint8Array.from(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'));
}

/**
 * Reads a byte string, padded with zeroes or not, as a `bit<width>` value.
 * @param what names the value in the error message.
 * @throws RpcError OUT_OF_RANGE when it is empty or needs more than `width` bits.
 */
export function decodeValue(bytes: Uint8Array, width: number, what: string): bigint {
  if (bytes.length === 0) {
    throw new RpcError('OUT_OF_RANGE', `${what}: a value of ${width} bits is needed, found none`);
  }
  const value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  if (!fitsWidth(value, width)) {
    const found = `0x${value.toString(16)}`;
    throw new RpcError('OUT_OF_RANGE', `${what}: ${found} does not fit in ${width} bits`);
  }
  return value;
}

/** Whether `value` can be a `bit<width>`. */
export function fitsWidth(value: bigint, width: number): boolean {
  return value >= 0n && value >> BigInt(width) === 0n;
}

/** The largest `bit<width>`. */
export function allOnes(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}

/** The mask of a prefix of `length` bits in a field of `width` bits. */
export function prefixMask(length: number, width: number): bigint {
  assert(length >= 0 && length <= width, `a prefix of ${length} bits fits in ${width} bits`);
  return allOnes(width) ^ allOnes(width - length);
}
