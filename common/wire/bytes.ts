/**
 * Big-endian integers in byte arrays. Callers have checked lengths; a read past the end would give
 * NaN, which no check of ours would take for a value.
 *
 * PERF: plain index arithmetic; a DataView per packet costs an allocation.
 */

/** A copy of some bytes; `slice` of a Buffer is none, so that writing there would change the packet. */
export const copyOf = (bytes: Uint8Array, from = 0, to = bytes.length): Uint8Array =>
  new Uint8Array(bytes.subarray(from, to));

export function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
}

export function readUint24(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 16) | readUint16(bytes, at + 1);
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return readUint16(bytes, at) * 0x10000 + readUint16(bytes, at + 2);
}

/** 48 bits, exact in a number. */
export function readUint48(bytes: Uint8Array, at: number): number {
  return readUint16(bytes, at) * 0x1_0000_0000 + readUint32(bytes, at + 2);
}

export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function writeUint24(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 16;
  writeUint16(bytes, at + 1, value & 0xffff);
}

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  writeUint16(bytes, at, (value >>> 16) & 0xffff);
  writeUint16(bytes, at + 2, value & 0xffff);
}

/** 48 bits of a non-negative integer below 2^53; higher bits are dropped. */
export function writeUint48(bytes: Uint8Array, at: number, value: number): void {
  writeUint16(bytes, at, Math.floor(value / 0x1_0000_0000) & 0xffff);
  writeUint32(bytes, at + 2, value >>> 0);
}

/**
 * An unsigned 64-bit integer as two words: a number would lose bits beyond 2^53, and a bigint per
 * field costs more than the rest of a packet's decoding.
 */
export interface Word64 {
  readonly high: number;
  readonly low: number;
}

const WORD_MODULUS = 0x1_0000_0000;
const ALL_ONES = 0xffff_ffff;

export const readWord64 = (bytes: Uint8Array, at: number): Word64 => ({
  high: readUint32(bytes, at),
  low: readUint32(bytes, at + 4),
});

export function writeWord64(bytes: Uint8Array, at: number, value: Word64): void {
  writeUint32(bytes, at, value.high);
  writeUint32(bytes, at + 4, value.low);
}

/** Modulo 2^48: what hop records keep of a 64-bit counter, exact in a number. */
export const word64Modulo48 = (value: Word64): number =>
  (value.high & 0xffff) * WORD_MODULUS + value.low;

/** The value modulo 2^53, which numbers hold exactly. */
export const word64Modulo53 = (value: Word64): number =>
  (value.high & 0x1f_ffff) * WORD_MODULUS + value.low;

/**
 * A counter and what it wraps at: the lower word alone where the upper one is all ones, the mark of
 * what is not available, and else modulo 2^48.
 */
export const wrappingCounter = (word: Word64): { value: number; modulus: number } =>
  word.high === ALL_ONES
    ? { value: word.low, modulus: WORD_MODULUS }
    : { value: word64Modulo48(word), modulus: 0x1_0000 * WORD_MODULUS };

/** All ones: the mark of a value that is not available, in INT and IOAM alike. */
export const isAllOnes64 = (value: Word64): boolean =>
  value.high === ALL_ONES && value.low === ALL_ONES;

/** The 16 hexadecimal digits. */
export const word64Hex = (value: Word64): string =>
  value.high.toString(16).padStart(8, '0') + value.low.toString(16).padStart(8, '0');

/** `later - earlier`: exact up to 2^53, rounded and of the right sign beyond. */
export const word64Difference = (later: Word64, earlier: Word64): number =>
  (later.high - earlier.high) * WORD_MODULUS + (later.low - earlier.low);

/** Adds a number to bits that are zero; what does not fit into them is cut off. */
export function addBits(bytes: Uint8Array, bit: number, bits: number, value: number): void {
  let at = Math.floor((bit + bits - 1) / 8);
  let rest = (value % 2 ** bits) * 2 ** (8 * at + 8 - bit - bits);
  for (; rest > 0; at--) {
    bytes[at] = (bytes[at] as number) | (rest % 256);
    rest = Math.floor(rest / 256);
  }
}
