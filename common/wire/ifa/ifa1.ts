import { readUint32, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';

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

/** Fields behind the markers; the version is the first reserved field. */
const FIELDS = new FixedFormat<Omit<Ifa1, 'records'>>('ifa1', {
  r1: 4,
  messageType: 12,
  flags: 16,
  request: 16,
  action: 16,
  hopLimit: 8,
  hopCount: 8,
  r2: 16,
  lengthMax: 16,
  currentLength: 16,
  senderHandle: 16,
  sequence: 16,
});

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
  return { ...FIELDS.read(bytes, offset + 8), records: [] };
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
  FIELDS.emit(ifa, bytes, offset + 8);
  bytes[offset + 8] = 0x10 | (bytes[offset + 8] as number);
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
export const IFA1_RECORD_LENGTH = 32;

/** Record of one hop in IFA 1. */
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

const RECORD = new FixedFormat<Omit<Ifa1Record, 'txBytes'> & Record<'txHigh' | 'txLow', number>>(
  'ifa1',
  {
    deviceId: 24,
    portType: 8,
    congestion: 8,
    txHigh: 8,
    ttl: 8,
    queueId: 8,
    rxSeconds: 48,
    rxNanoseconds: 32,
    txNanoseconds: 32,
    queueCells: 16,
    ingressPort: 16,
    egressPort: 16,
    txLow: 32,
  },
);

/** Reads a record whose 32 bytes exist. */
function readIfa1Record(bytes: Uint8Array, at: number): Ifa1Record {
  const { txHigh, txLow, ...record } = RECORD.read(bytes, at);
  return { ...record, txBytes: txHigh * 0x1_0000_0000 + txLow };
}

function emitIfa1Record({ txBytes, ...record }: Ifa1Record, bytes: Uint8Array, at: number): void {
  const txHigh = Math.floor(txBytes / 0x1_0000_0000);
  RECORD.emit({ ...record, txHigh, txLow: txBytes % 0x1_0000_0000 }, bytes, at);
}
