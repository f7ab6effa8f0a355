import { writeUint16 } from '../bytes';
import { checksumWords, finishChecksum, foldChecksum } from './checksum';

/** A TCP or UDP segment in a frame, behind an IPv4 or IPv6 header that has been parsed. */
export interface Segment {
  /** Offset of the IP header, whose addresses count. */
  readonly ipOffset: number;
  /** Offset of the TCP or UDP header. */
  readonly offset: number;
  /** End of the segment. */
  readonly end: number;
  readonly protocol: number;
}

const ADDRESSES = { 4: [12, 20], 6: [8, 40] } as const;

/** Sum of pseudo-header (RFC 9293 section 3.1, RFC 8200 section 8.1) and segment, unfolded. */
export function segmentSum(bytes: Uint8Array, segment: Segment): number {
  const { ipOffset, offset, end, protocol } = segment;
  const [from, to] = ADDRESSES[(bytes[ipOffset] as number) >>> 4 === 6 ? 6 : 4];
  return (
    checksumWords(bytes, ipOffset + from, ipOffset + to) +
    protocol +
    (end - offset) +
    checksumWords(bytes, offset, end)
  );
}

export const segmentSumIsGood = (bytes: Uint8Array, segment: Segment): boolean =>
  foldChecksum(segmentSum(bytes, segment)) === 0xffff;

/** Writes the checksum of a segment to `checksumAt`, which lies inside it. */
export function fillChecksum(bytes: Uint8Array, segment: Segment, checksumAt: number): void {
  writeUint16(bytes, checksumAt, 0);
  writeUint16(bytes, checksumAt, finishChecksum(segmentSum(bytes, segment)));
}
