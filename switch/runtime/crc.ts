import { crc32 as crc32Register, reflectedTable } from '../../common/wire/crc32';

/**
 * Cyclic redundancy checks by table, in the three shapes that bmv2 has under fixed names. The
 * tables are made once, when the module loads.
 */

/** Table of a 16-bit CRC that takes the most significant bit first. */
function plainTable16(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1;
    return crc & 0xffff;
  });
}

const CRC16 = reflectedTable(0xa001);
const CCITT = plainTable16(0x1021);

/** Polynomial 0x8005, reflected, starting from 0 ("CRC-16/ARC"). */
export function crc16(bytes: Uint8Array, length = bytes.length): number {
  let crc = 0;
  for (let i = 0; i < length; i++) {
    crc = (crc >>> 8) ^ (CRC16[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  }
  return crc;
}

/** Polynomial 0x04C11DB7, reflected, starting from and complemented by all ones, as Ethernet's. */
export function crc32(bytes: Uint8Array, length = bytes.length): number {
  return ~crc32Register(0xffff_ffff, bytes, 0, length) >>> 0;
}

/** Polynomial 0x1021, most significant bit first, starting from 0xFFFF. */
export function crcCcitt(bytes: Uint8Array, length = bytes.length): number {
  let crc = 0xffff;
  for (let i = 0; i < length; i++) {
    crc = ((crc << 8) & 0xffff) ^ (CCITT[(crc >>> 8) ^ (bytes[i] ?? 0)] ?? 0);
  }
  return crc;
}
