import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { IFA1_RECORD_LENGTH, emitIfa1Record, readIfa1Record } from './ifa1-record';
import type { Ifa1Record } from './ifa1-record';

/**
 * IFA 1, after the UDP header; its lengths are bytes.
 *
 *     | probe markers 64 | version 8 | message type 8 | flags 16 |
 *     | request 16, action 16 | hop limit 8, hop count 8, 0 16 |
 *     | max length 16, current length 16 | sender handle 16, sequence 16 | records, newest first |
 */
export const IFA1_HEADER_LENGTH = 28;
export const IFA1_MARKERS = [0xdeadbeef, 0xa5a5deed] as const;

export interface Ifa1 {
  readonly messageType: number;
  readonly flags: number;
  readonly request: number;
  readonly action: number;
  readonly hopLimit: number;
  readonly hopCount: number;
  readonly lengthMax: number;
  readonly senderHandle: number;
  readonly sequence: number;
  /** Bytes of metadata that the header announces. */
  readonly currentLength: number;
  /** Those of them that are here: a header without its records is a header all the same. */
  readonly records: readonly Ifa1Record[];
}

/**
 * Refuses other markers and versions, and a current length that is no whole number of records or
 * reaches beyond `end`.
 *
 * @param markers two words, by configuration.
 */
export function parseIfa1(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
  markers: readonly [number, number] = IFA1_MARKERS,
): Ifa1 | WireFault {
  const header = parseIfa1Header(bytes, offset, end, markers);
  if (header instanceof WireFault) return header;
  const { currentLength } = header;
  if (currentLength % IFA1_RECORD_LENGTH !== 0) {
    const reason = `current length must be a multiple of 32 bytes, found ${currentLength}`;
    return new WireFault('ifa1', offset + 22, reason);
  }
  const need = IFA1_HEADER_LENGTH + currentLength;
  if (end < offset + need) return truncated('ifa1', offset, need, end);
  const records: Ifa1Record[] = [];
  for (let at = offset + IFA1_HEADER_LENGTH; at < offset + need; at += IFA1_RECORD_LENGTH) {
    records.push(readIfa1Record(bytes, at));
  }
  return { ...header, records };
}

/** Reads the 28 bytes of the header alone. */
export function parseIfa1Header(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
  markers: readonly [number, number] = IFA1_MARKERS,
): Ifa1 | WireFault {
  if (end < offset + IFA1_HEADER_LENGTH) return truncated('ifa1', offset, IFA1_HEADER_LENGTH, end);
  if (readUint32(bytes, offset) !== markers[0] || readUint32(bytes, offset + 4) !== markers[1]) {
    const wanted = markers.map((word) => word.toString(16)).join(' ');
    return new WireFault('ifa1', offset, `probe markers must be ${wanted}`);
  }
  const version = (bytes[offset + 8] as number) >>> 4;
  if (version !== 1)
    return new WireFault('ifa1', offset + 8, `version must be 1, found ${version}`);
  return {
    messageType: readUint16(bytes, offset + 8) & 0xfff,
    flags: readUint16(bytes, offset + 10),
    request: readUint16(bytes, offset + 12),
    action: readUint16(bytes, offset + 14),
    hopLimit: bytes[offset + 16] as number,
    hopCount: bytes[offset + 17] as number,
    lengthMax: readUint16(bytes, offset + 20),
    currentLength: readUint16(bytes, offset + 22),
    senderHandle: readUint16(bytes, offset + 24),
    sequence: readUint16(bytes, offset + 26),
    records: [],
  };
}

export const ifa1Length = ({ records }: Ifa1): number =>
  IFA1_HEADER_LENGTH + records.length * IFA1_RECORD_LENGTH;

export function emitIfa1(
  ifa: Ifa1,
  bytes: Uint8Array,
  offset: number,
  markers: readonly [number, number] = IFA1_MARKERS,
): void {
  writeUint32(bytes, offset, markers[0]);
  writeUint32(bytes, offset + 4, markers[1]);
  writeUint16(bytes, offset + 8, 0x1000 | ifa.messageType);
  writeUint16(bytes, offset + 10, ifa.flags);
  writeUint16(bytes, offset + 12, ifa.request);
  writeUint16(bytes, offset + 14, ifa.action);
  bytes[offset + 16] = ifa.hopLimit;
  bytes[offset + 17] = ifa.hopCount;
  writeUint16(bytes, offset + 18, 0);
  writeUint16(bytes, offset + 20, ifa.lengthMax);
  writeUint16(bytes, offset + 22, ifa.currentLength);
  writeUint16(bytes, offset + 24, ifa.senderHandle);
  writeUint16(bytes, offset + 26, ifa.sequence);
  let at = offset + IFA1_HEADER_LENGTH;
  for (const record of ifa.records) {
    emitIfa1Record(record, bytes, at);
    at += IFA1_RECORD_LENGTH;
  }
}
