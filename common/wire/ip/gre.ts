import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * GRE header (RFC 2784, RFC 2890).
 *
 *     | C 1, r 1, K 1, S 1, r 9, version 3 | protocol 16 | checksum 16, r 16, if C |
 *     | key 32, if K | sequence 32, if S |
 */
const CHECKSUM = 0x8000;
const KEY = 0x2000;
const SEQUENCE = 0x1000;
const FIXED_LENGTH = 4;

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
  if (end < offset + FIXED_LENGTH) return truncated('gre', offset, FIXED_LENGTH, end);
  const flags = readUint16(bytes, offset);
  if ((flags & 7) !== 0) {
    return new WireFault('gre', offset, `version must be 0, found ${flags & 7}`);
  }
  const checksumWords = (flags & CHECKSUM) === 0 ? 0 : 1;
  const keyWords = (flags & KEY) === 0 ? 0 : 1;
  const sequenceWords = (flags & SEQUENCE) === 0 ? 0 : 1;
  const need = FIXED_LENGTH + 4 * (checksumWords + keyWords + sequenceWords);
  if (end < offset + need) return truncated('gre', offset, need, end);
  const keyAt = offset + FIXED_LENGTH + 4 * checksumWords;
  return {
    protocol: readUint16(bytes, offset + 2),
    ...(checksumWords === 0 ? {} : { checksum: readUint16(bytes, offset + FIXED_LENGTH) }),
    ...(keyWords === 0 ? {} : { key: readUint32(bytes, keyAt) }),
    ...(sequenceWords === 0 ? {} : { sequence: readUint32(bytes, keyAt + 4 * keyWords) }),
  };
}

export const greLength = ({ checksum, key, sequence }: GreHeader): number =>
  FIXED_LENGTH + 4 * [checksum, key, sequence].filter((field) => field !== undefined).length;

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
    .forEach((word, i) => writeUint32(bytes, offset + FIXED_LENGTH + 4 * i, word));
}
