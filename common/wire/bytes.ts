/**
 * Big-endian integers in byte arrays. Callers have checked lengths; a read past the end would give
 * NaN, which no check of ours would take for a value.
 *
 * PERF: plain index arithmetic; a DataView per packet costs an allocation.
 */

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
