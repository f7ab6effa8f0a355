import { unreachable } from '../../common/assert';
import { internetChecksum } from '../../common/wire/ip/checksum';
import { readBits, toBigint } from './bit-fields';
import { crc16, crc32, crcCcitt } from './crc';
import { xxh64 } from './xxh64';

/** The hash functions that depend on nothing but their input, as bmv2 defines them. */
export type HashName =
  | 'crc16'
  | 'crcCCITT'
  | 'crc32'
  | 'csum16'
  | 'xor16'
  | 'xor32'
  | 'identity'
  | 'xxh64'
  | 'hash_ex';

/** Checksums whose parameters the control plane can change, calculation by calculation. */
export type CustomCrc = 'crc8_custom' | 'crc16_custom' | 'crc32_custom' | 'crc64_custom';

/** All that a calculation can be: the first kind, and those that keep settings or state. */
export type HashAlgorithm =
  | HashName
  | CustomCrc
  | 'toeplitz'
  | 'round_robin'
  | 'round_robin_consistent';

/** Those among them whose result has at most 32 bits. */
type NarrowHash = Exclude<HashName, 'identity' | 'xxh64'>;

/** The hash of a byte string, as an unsigned integer of up to 64 bits. */
export function hash(name: HashName, bytes: Uint8Array): bigint {
  if (name === 'identity') return readBits(bytes, 0, Math.min(8, bytes.length) * 8);
  if (name === 'xxh64') return xxh64(bytes);
  return toBigint(hashNumber(name, bytes));
}

/** As {@link hash}, for the functions whose result has at most 32 bits. */
export function hashNumber(name: NarrowHash, bytes: Uint8Array): number {
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
    case 'hash_ex':
      return fowlerNollVo(bytes);
    default:
      return unreachable(name);
  }
}

/** Zero bytes at the end of the input leave these unchanged, so a virtual tail need not exist. */
export function ignoresTrailingZeros(name: HashAlgorithm): boolean {
  return name === 'csum16' || name === 'xor16' || name === 'xor32' || name === 'round_robin';
}

/** XOR of all big-endian words of `size` bytes; the last one is filled up with zeros. */
function xorWords(bytes: Uint8Array, size: 2 | 4): number {
  let result = 0;
  bytes.forEach((byte, i) => {
    result ^= byte << (8 * (size - 1 - (i % size)));
  });
  return result >>> 0;
}

/** simple_switch's `hash_ex`: FNV-1a over signed bytes, and then a final mixing. */
function fowlerNollVo(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ ((byte << 24) >> 24), 0x01000193);
  hash += hash << 13;
  hash ^= hash >>> 7;
  hash += hash << 3;
  hash ^= hash >>> 17;
  hash += hash << 5;
  return hash >>> 0;
}
