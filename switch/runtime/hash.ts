import { unreachable } from '../../common/assert';
import { readBits, toBigint } from './bit-fields';
import { crc16, crc32, crcCcitt } from './crc';
import { internetChecksum } from './internet-checksum';

/** The hash functions that a program may name, as bmv2 defines them. */
export type HashName = 'crc16' | 'crcCCITT' | 'crc32' | 'csum16' | 'xor16' | 'xor32' | 'identity';

/** The hash of a byte string, as an unsigned integer of up to 64 bits. */
export function hash(name: HashName, bytes: Uint8Array): bigint {
  if (name === 'identity') return readBits(bytes, 0, Math.min(8, bytes.length) * 8);
  return toBigint(hashNumber(name, bytes));
}

/** As {@link hash}, for the functions whose result has at most 32 bits. */
export function hashNumber(name: Exclude<HashName, 'identity'>, bytes: Uint8Array): number {
  switch (name) {
    case 'crc16':
      return crc16(bytes);
    case 'crcCCITT':
      return crcCcitt(bytes);
    case 'crc32':
      return crc32(bytes);
    case 'csum16':
      return internetChecksum(bytes);
    case 'xor16':
      return xorWords(bytes, 2);
    case 'xor32':
      return xorWords(bytes, 4);
    default:
      return unreachable(name);
  }
}

/** Zero bytes at the end of the input leave these unchanged, so a virtual tail need not exist. */
export function ignoresTrailingZeros(name: HashName): boolean {
  return name === 'csum16' || name === 'xor16' || name === 'xor32';
}

/** XOR of all big-endian words of `size` bytes; the last one is filled up with zeros. */
function xorWords(bytes: Uint8Array, size: 2 | 4): number {
  let result = 0;
  bytes.forEach((byte, i) => {
    result ^= byte << (8 * (size - 1 - (i % size)));
  });
  return result >>> 0;
}
