import type { CaptureTime } from './records';

const MAGIC_NANOSECONDS = 0xa1b23c4d;
const SNAP_LENGTH = 262_144;
const HEADER_LENGTH = 24;
const RECORD_LENGTH = 16;

/** The header of a pcap file with times in nanoseconds, for frames of one link type. */
export function pcapHeader(linkType: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(HEADER_LENGTH));
  header.setUint32(0, MAGIC_NANOSECONDS, true);
  header.setUint16(4, 2, true);
  header.setUint16(6, 4, true);
  header.setUint32(16, SNAP_LENGTH, true);
  header.setUint32(20, linkType, true);
  return new Uint8Array(header.buffer);
}

/** A record of such a file. @param originalLength bytes of the frame on the wire, of which `frame` may hold fewer. */
export function pcapRecord(
  { seconds, nanoseconds }: CaptureTime,
  frame: Uint8Array,
  originalLength = frame.length,
): Uint8Array {
  const record = new Uint8Array(RECORD_LENGTH + frame.length);
  const header = new DataView(record.buffer);
  header.setUint32(0, seconds, true);
  header.setUint32(4, nanoseconds, true);
  header.setUint32(8, frame.length, true);
  header.setUint32(12, originalLength, true);
  record.set(frame, RECORD_LENGTH);
  return record;
}
