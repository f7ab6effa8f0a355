import { readUint16, readUint32, readUint24, writeUint16, writeUint32 } from '../bytes';
import { writeUint24 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';
import { assert } from '../../assert';

/** IP protocol of GRE, and UDP ports of the other tunnels. */
export const PROTOCOL_GRE = 47;
export const VXLAN_PORT = 4789;
export const VXLAN_GPE_PORT = 4790;
export const GENEVE_PORT = 6081;

/**
 * GRE header (RFC 2784, RFC 2890).
 *
 *     | C 1, r 1, K 1, S 1, r 9, version 3 | protocol 16 | checksum 16, r 16, if C |
 *     | key 32, if K | sequence 32, if S |
 */
const CHECKSUM = 0x8000;
const KEY = 0x2000;
const SEQUENCE = 0x1000;
const GRE_FIXED_LENGTH = 4;

/** GRE header. */
export interface GreHeader {
  /** EtherType of the payload. */
  readonly protocol: number;
  readonly checksum?: number;
  readonly key?: number;
  readonly sequence?: number;
}

/** Refuses versions other than 0. */
export function parseGre(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): GreHeader | WireFault {
  if (end < offset + GRE_FIXED_LENGTH) return truncated('gre', offset, GRE_FIXED_LENGTH, end);
  const flags = readUint16(bytes, offset);
  if ((flags & 7) !== 0) {
    return new WireFault('gre', offset, `version must be 0, found ${flags & 7}`);
  }
  const checksumWords = (flags & CHECKSUM) === 0 ? 0 : 1;
  const keyWords = (flags & KEY) === 0 ? 0 : 1;
  const sequenceWords = (flags & SEQUENCE) === 0 ? 0 : 1;
  const need = GRE_FIXED_LENGTH + 4 * (checksumWords + keyWords + sequenceWords);
  if (end < offset + need) return truncated('gre', offset, need, end);
  const keyAt = offset + GRE_FIXED_LENGTH + 4 * checksumWords;
  return {
    protocol: readUint16(bytes, offset + 2),
    ...(checksumWords === 0 ? {} : { checksum: readUint16(bytes, offset + GRE_FIXED_LENGTH) }),
    ...(keyWords === 0 ? {} : { key: readUint32(bytes, keyAt) }),
    ...(sequenceWords === 0 ? {} : { sequence: readUint32(bytes, keyAt + 4 * keyWords) }),
  };
}

export const greLength = ({ checksum, key, sequence }: GreHeader): number =>
  GRE_FIXED_LENGTH + 4 * [checksum, key, sequence].filter((field) => field !== undefined).length;

export function emitGre(header: GreHeader, bytes: Uint8Array, offset: number): void {
  const { checksum, key, sequence } = header;
  const flags =
    (checksum === undefined ? 0 : CHECKSUM) |
    (key === undefined ? 0 : KEY) |
    (sequence === undefined ? 0 : SEQUENCE);
  writeUint16(bytes, offset, flags);
  writeUint16(bytes, offset + 2, header.protocol);
  const words = [checksum === undefined ? undefined : checksum * 0x10000, key, sequence];
  words
    .filter((word) => word !== undefined)
    .forEach((word, i) => writeUint32(bytes, offset + GRE_FIXED_LENGTH + 4 * i, word));
}

/**
 * VXLAN-GPE header (draft-ietf-nvo3-vxlan-gpe section 3.1), on UDP port 4790. Flags 0x0c: the VNI is
 * valid, and a next protocol is given.
 *
 *     | flags 8 | r 16 | next protocol 8 | VNI 24 | r 8 |
 */
/** VXLAN-GPE header. */
export interface VxlanGpeHeader {
  readonly flags: number;
  readonly nextProtocol: number;
  readonly vni: number;
}

export const VXLAN_GPE = new FixedFormat<VxlanGpeHeader>('vxlan-gpe', {
  flags: 8,
  r1: 16,
  nextProtocol: 8,
  vni: 24,
  r2: 8,
});

/**
 * Geneve header (RFC 8926 section 3.4), on UDP port 6081.
 *
 *     | version 2, option words 6 | O 1, C 1, r 6 | protocol 16 | VNI 24, r 8 | options |
 */
const GENEVE_FIXED_LENGTH = 8;

/** Geneve header with its options. */
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
  if (end < offset + GENEVE_FIXED_LENGTH)
    return truncated('geneve', offset, GENEVE_FIXED_LENGTH, end);
  const first = bytes[offset] as number;
  if (first >>> 6 !== 0) {
    return new WireFault('geneve', offset, `version must be 0, found ${first >>> 6}`);
  }
  const need = GENEVE_FIXED_LENGTH + 4 * (first & 0x3f);
  if (end < offset + need) return truncated('geneve', offset, need, end);
  const flags = bytes[offset + 1] as number;
  return {
    control: (flags & 0x80) !== 0,
    critical: (flags & 0x40) !== 0,
    protocol: readUint16(bytes, offset + 2),
    vni: readUint24(bytes, offset + 4),
    options: bytes.subarray(offset + GENEVE_FIXED_LENGTH, offset + need),
  };
}

export const geneveLength = ({ options }: GeneveHeader): number =>
  GENEVE_FIXED_LENGTH + options.length;

export function emitGeneve(header: GeneveHeader, bytes: Uint8Array, offset: number): void {
  const words = header.options.length / 4;
  assert(Number.isInteger(words) && words < 64, 'Geneve options are up to 63 whole words');
  bytes[offset] = words;
  bytes[offset + 1] = (header.control ? 0x80 : 0) | (header.critical ? 0x40 : 0);
  writeUint16(bytes, offset + 2, header.protocol);
  writeUint24(bytes, offset + 4, header.vni);
  bytes[offset + 7] = 0;
  bytes.set(header.options, offset + GENEVE_FIXED_LENGTH);
}
