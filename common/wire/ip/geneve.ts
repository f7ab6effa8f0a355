import { assert } from '../../assert';
import { readUint16, readUint24, writeUint16, writeUint24 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * Geneve header (RFC 8926 section 3.4).
 *
 *     | version 2, option words 6 | O 1, C 1, r 6 | protocol 16 | VNI 24, r 8 | options |
 */
export const GENEVE_PORT = 6081;
const FIXED_LENGTH = 8;

export interface GeneveHeader {
  readonly control: boolean;
  readonly critical: boolean;
  /** EtherType of the payload. */
  readonly protocol: number;
  readonly vni: number;
  /** All options with their headers; a multiple of 4 bytes. */
  readonly options: Uint8Array;
}

/** Refuses versions other than 0, and options that reach beyond `end`. */
export function parseGeneve(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): GeneveHeader | WireFault {
  if (end < offset + FIXED_LENGTH) return truncated('geneve', offset, FIXED_LENGTH, end);
  const first = bytes[offset] as number;
  if (first >>> 6 !== 0) {
    return new WireFault('geneve', offset, `version must be 0, found ${first >>> 6}`);
  }
  const need = FIXED_LENGTH + 4 * (first & 0x3f);
  if (end < offset + need) return truncated('geneve', offset, need, end);
  const flags = bytes[offset + 1] as number;
  return {
    control: (flags & 0x80) !== 0,
    critical: (flags & 0x40) !== 0,
    protocol: readUint16(bytes, offset + 2),
    vni: readUint24(bytes, offset + 4),
    options: bytes.subarray(offset + FIXED_LENGTH, offset + need),
  };
}

export const geneveLength = ({ options }: GeneveHeader): number => FIXED_LENGTH + options.length;

export function emitGeneve(header: GeneveHeader, bytes: Uint8Array, offset: number): void {
  const words = header.options.length / 4;
  assert(Number.isInteger(words) && words < 64, 'Geneve options are up to 63 whole words');
  bytes[offset] = words;
  bytes[offset + 1] = (header.control ? 0x80 : 0) | (header.critical ? 0x40 : 0);
  writeUint16(bytes, offset + 2, header.protocol);
  writeUint24(bytes, offset + 4, header.vni);
  bytes[offset + 7] = 0;
  bytes.set(header.options, offset + FIXED_LENGTH);
}
