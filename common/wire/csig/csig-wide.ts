import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * CSIG wide tag (UEC only); it has a TPID of its own.
 *
 *     | TPID 16 | locator 15 | D 1 | type 4 | signal 20 | r 8 |
 */
export const CSIG_WIDE_LENGTH = 8;

export interface CsigWideTag {
  readonly tpid: number;
  readonly locator: number;
  readonly doNotUpdate: boolean;
  readonly type: number;
  /** (value - base) / step, with base and step of the domain. */
  readonly signal: number;
}

export function parseCsigWide(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): CsigWideTag | WireFault {
  if (end < offset + CSIG_WIDE_LENGTH) return truncated('csig-wide', offset, CSIG_WIDE_LENGTH, end);
  const locator = readUint16(bytes, offset + 2);
  const value = readUint32(bytes, offset + 4);
  return {
    tpid: readUint16(bytes, offset),
    locator: locator >>> 1,
    doNotUpdate: (locator & 1) !== 0,
    type: value >>> 28,
    signal: (value >>> 8) & 0xf_ffff,
  };
}

export function emitCsigWide(tag: CsigWideTag, bytes: Uint8Array, offset: number): void {
  writeUint16(bytes, offset, tag.tpid);
  writeUint16(bytes, offset + 2, (tag.locator << 1) | Number(tag.doNotUpdate));
  writeUint32(bytes, offset + 4, ((tag.type << 20) | tag.signal) * 256);
}
