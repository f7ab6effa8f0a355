import { readUint16, readUint24, readUint32 } from '../bytes';
import { writeUint16, writeUint24, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { bitCount } from '../int/int-metadata';

/**
 * IOAM Direct Export option (RFC 9326 section 3.1): nodes export by themselves.
 *
 *     | namespace 16 | flags 8 | extension flags 8 |
 *     | trace type 24 | r 8 | flow id 32, if 0x80 | sequence 32, if 0x40 | 32 per other flag |
 */
const IOAM_DEX_HEADER_LENGTH = 8;

const FLOW_ID = 0x80;
const SEQUENCE = 0x40;
const OTHERS = 0x3f;

/** The direct export option. */
export interface IoamDex {
  readonly namespaceId: number;
  readonly flags: number;
  readonly traceType: number;
  readonly flowId?: number;
  readonly sequence?: number;
  /** The other extension flags, and a word for each that is set. */
  readonly otherFlags: number;
  readonly otherWords: readonly number[];
}

/** Reads the option that fills the bytes from `offset` to `end`. */
export function parseIoamDex(bytes: Uint8Array, offset: number, end: number): IoamDex | WireFault {
  if (end < offset + IOAM_DEX_HEADER_LENGTH) {
    return truncated('ioam-dex', offset, IOAM_DEX_HEADER_LENGTH, end);
  }
  const extensions = bytes[offset + 3] as number;
  const need = IOAM_DEX_HEADER_LENGTH + 4 * bitCount(extensions);
  if (end < offset + need) return truncated('ioam-dex', offset, need, end);
  if (end > offset + need) {
    const reason = `length must be ${need} bytes for its flags, found ${end - offset}`;
    return new WireFault('ioam-dex', offset + 3, reason);
  }
  const words = Array.from({ length: bitCount(extensions) }, (_, i) =>
    readUint32(bytes, offset + IOAM_DEX_HEADER_LENGTH + 4 * i),
  );
  const flowId = (extensions & FLOW_ID) === 0 ? undefined : words.shift();
  const sequence = (extensions & SEQUENCE) === 0 ? undefined : words.shift();
  return {
    namespaceId: readUint16(bytes, offset),
    flags: bytes[offset + 2] as number,
    traceType: readUint24(bytes, offset + 4),
    ...(flowId === undefined ? {} : { flowId }),
    ...(sequence === undefined ? {} : { sequence }),
    otherFlags: extensions & OTHERS,
    otherWords: words,
  };
}

export const ioamDexLength = (dex: IoamDex): number =>
  IOAM_DEX_HEADER_LENGTH + 4 * wordsOf(dex).length;

export function emitIoamDex(dex: IoamDex, bytes: Uint8Array, offset: number): void {
  writeUint16(bytes, offset, dex.namespaceId);
  bytes[offset + 2] = dex.flags;
  bytes[offset + 3] =
    (dex.flowId === undefined ? 0 : FLOW_ID) |
    (dex.sequence === undefined ? 0 : SEQUENCE) |
    dex.otherFlags;
  writeUint24(bytes, offset + 4, dex.traceType);
  bytes[offset + 7] = 0;
  wordsOf(dex).forEach((word, i) => writeUint32(bytes, offset + 8 + 4 * i, word));
}

const wordsOf = ({ flowId, sequence, otherWords }: IoamDex): number[] => [
  ...(flowId === undefined ? [] : [flowId]),
  ...(sequence === undefined ? [] : [sequence]),
  ...otherWords,
];
