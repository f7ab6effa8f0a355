import type { CrcParameters } from '../control/program-control';
import type { CustomCrc } from './hash-algorithm';

/** What bmv2's custom checksums compute until somebody changes them. */
export const POLYNOMIALS: Readonly<
  Record<CustomCrc, { readonly width: number; readonly parameters: CrcParameters }>
> = {
  crc8_custom: { width: 8, parameters: standard(0x07n, 0n, false) },
  crc16_custom: { width: 16, parameters: standard(0x8005n, 0n, true) },
  crc32_custom: { width: 32, parameters: standard(0x04c11db7n, 0xffffffffn, true) },
  crc64_custom: { width: 64, parameters: standard(0x1bn, 0n, true) },
};

/** In all of them the initial remainder is also XORed at the end, and both reflections agree. */
function standard(polynomial: bigint, ends: bigint, reflected: boolean): CrcParameters {
  return {
    polynomial,
    initialRemainder: ends,
    finalXor: ends,
    dataReflected: reflected,
    remainderReflected: reflected,
  };
}
