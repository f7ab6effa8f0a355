import { readUint16, readUint32, readUint24, readUint48, writeUint16, writeUint32 } from '../bytes';
import { writeUint24, writeUint48 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * IFA 1, after the UDP header; its lengths are bytes.
 *
 *     | probe markers 64 | version 8 | message type 8 | flags 16 |
 *     | request 16, action 16 | hop limit 8, hop count 8, 0 16 |
 *     | max length 16, current length 16 | sender handle 16, sequence 16 | records, newest first |
 */
const IFA1_HEADER_LENGTH = 28;
export const IFA1_MARKERS = [0xdeadbeef, 0xa5a5deed] as const;

/** IFA 1: a header and the records of the hops. */
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

/**
 * Metadata record of IFA 1, as shown at IETF 112:
 *
 *     | device id 24, port type 8 | congestion 8, txBytes[39:32] 8, TTL 8, queue 8 |
 *     | rx seconds 48, rx ns 32, tx ns 32, queue 16, cells |
 *     | source port 16, destination port 16 | txBytes[31:0] |
 */
const IFA1_RECORD_LENGTH = 32;

/** What a hop writes in IFA 1. */
export interface Ifa1Record {
  readonly deviceId: number;
  readonly portType: number;
  readonly congestion: number;
  /** 40 bits. */
  readonly txBytes: number;
  readonly ttl: number;
  readonly queueId: number;
  /** 48 bits. */
  readonly rxSeconds: number;
  readonly rxNanoseconds: number;
  readonly txNanoseconds: number;
  readonly queueCells: number;
  readonly ingressPort: number;
  readonly egressPort: number;
}

/** Reads a record whose 32 bytes exist. */
const readIfa1Record = (bytes: Uint8Array, at: number): Ifa1Record => ({
  deviceId: readUint24(bytes, at),
  portType: bytes[at + 3] as number,
  congestion: bytes[at + 4] as number,
  txBytes: (bytes[at + 5] as number) * 0x1_0000_0000 + readUint32(bytes, at + 28),
  ttl: bytes[at + 6] as number,
  queueId: bytes[at + 7] as number,
  rxSeconds: readUint48(bytes, at + 8),
  rxNanoseconds: readUint32(bytes, at + 14),
  txNanoseconds: readUint32(bytes, at + 18),
  queueCells: readUint16(bytes, at + 22),
  ingressPort: readUint16(bytes, at + 24),
  egressPort: readUint16(bytes, at + 26),
});

function emitIfa1Record(record: Ifa1Record, bytes: Uint8Array, at: number): void {
  writeUint24(bytes, at, record.deviceId);
  bytes[at + 3] = record.portType;
  bytes[at + 4] = record.congestion;
  bytes[at + 5] = Math.floor(record.txBytes / 0x1_0000_0000);
  bytes[at + 6] = record.ttl;
  bytes[at + 7] = record.queueId;
  writeUint48(bytes, at + 8, record.rxSeconds);
  writeUint32(bytes, at + 14, record.rxNanoseconds);
  writeUint32(bytes, at + 18, record.txNanoseconds);
  writeUint16(bytes, at + 22, record.queueCells);
  writeUint16(bytes, at + 24, record.ingressPort);
  writeUint16(bytes, at + 26, record.egressPort);
  writeUint32(bytes, at + 28, record.txBytes % 0x1_0000_0000);
}
