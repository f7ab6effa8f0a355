import { readUint16, readUint24, readUint32, writeUint16, writeUint24 } from '../bytes';
import { writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * IFA 2 header, between IP and the original transport header.
 *
 *     | version 4 | GNS 4 | next header 8 | r 3, MF TS I TA C | max length 8, words |
 */
export const IFA_HEADER_LENGTH = 4;
/** IP protocol of IFA: none is assigned; 253 is for experiments (RFC 3692). */
export const IFA_PROTOCOL = 253;
/** The global namespace that says: each record names its own format. */
export const IFA_OWN_NAMESPACES = 0xf;

export const IFA_FLAG_FRAGMENTED = 0x10;
export const IFA_FLAG_TAIL_STAMP = 0x08;
/** Real traffic carries the metadata; without it the packet is a clone. */
export const IFA_FLAG_IN_BAND = 0x04;
export const IFA_FLAG_CHECKSUM = 0x01;

const FLAGS = 0x1f;

/** The IFA 2 header. */
export interface IfaHeader {
  /** 2, or the 3 that one implementation of draft -08 writes. */
  readonly version: number;
  /** Global namespace; 0xf when each record names its own format. */
  readonly globalNamespace: number;
  /** The IP protocol before IFA. */
  readonly nextHeader: number;
  /** Sum of IFA_FLAG_*. */
  readonly flags: number;
  /** Words of metadata allowed. */
  readonly wordsMax: number;
}

/** Refuses versions other than 2 and 3. */
export function parseIfaHeader(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IfaHeader | WireFault {
  if (end < offset + IFA_HEADER_LENGTH) return truncated('ifa', offset, IFA_HEADER_LENGTH, end);
  const first = bytes[offset] as number;
  const version = first >>> 4;
  if (version !== 2 && version !== 3) {
    return new WireFault('ifa', offset, `version must be 2 or 3, found ${version}`);
  }
  return {
    version,
    globalNamespace: first & 0xf,
    nextHeader: bytes[offset + 1] as number,
    flags: (bytes[offset + 2] as number) & FLAGS,
    wordsMax: bytes[offset + 3] as number,
  };
}

export function emitIfaHeader(header: IfaHeader, bytes: Uint8Array, offset: number): void {
  bytes[offset] = (header.version << 4) | header.globalNamespace;
  bytes[offset + 1] = header.nextHeader;
  bytes[offset + 2] = header.flags;
  bytes[offset + 3] = header.wordsMax;
}

/**
 * IFA 2 metadata, after the transport header: a header of one word and records of eight words,
 * newest first.
 *
 *     | request 8 | action 8 | hop limit 8 | current length 8, words |
 *     record: | LNS 4 | device id 20 | TTL 8 | speed 4, congestion 2, queue 6, rx seconds 20 |
 *             | egress port 16, ingress port 16 | rx ns 32 | residence ns 32 |
 *             | opaque 32 | opaque 32 | opaque 32 |
 *
 * The opaque words are the vendor's; for HPCC++ they are txBytes, queue length in the low half,
 * and reserved (draft-miao-tsv-hpcc-info).
 */
export const IFA_METADATA_HEADER_LENGTH = 4;
export const IFA_RECORD_LENGTH = 32;
export const IFA_RECORD_WORDS = 8;

/** The metadata stack of IFA 2 with its header. */
export interface IfaMetadata {
  readonly request: number;
  readonly action: number;
  readonly hopLimit: number;
  /** Newest first, as on the wire. */
  readonly records: readonly IfaRecord[];
}

/** Record of one hop in IFA 2. */
export interface IfaRecord {
  readonly localNamespace: number;
  readonly deviceId: number;
  readonly ttl: number;
  /** 0 = 10G, 1 = 25G, 2 = 40G, 3 = 50G, 4 = 100G, 5 = 200G, 6 = 400G. */
  readonly speedCode: number;
  readonly congestion: number;
  readonly queueId: number;
  /** Time of reception in seconds, modulo 2^20. */
  readonly rxSeconds: number;
  readonly egressPort: number;
  readonly ingressPort: number;
  /** Nanoseconds of the time of reception, below 10^9. */
  readonly rxNanoseconds: number;
  readonly residenceNs: number;
  readonly opaque: readonly [number, number, number];
}

/** Refuses a current length that is no whole number of records. */
export function parseIfaMetadata(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IfaMetadata | WireFault {
  if (end < offset + IFA_METADATA_HEADER_LENGTH) {
    return truncated('ifa-metadata', offset, IFA_METADATA_HEADER_LENGTH, end);
  }
  const words = bytes[offset + 3] as number;
  const need = IFA_METADATA_HEADER_LENGTH + 4 * words;
  if (end < offset + need) return truncated('ifa-metadata', offset, need, end);
  if (words % IFA_RECORD_WORDS !== 0) {
    const reason = `current length must be a multiple of 8 words, found ${words}`;
    return new WireFault('ifa-metadata', offset + 3, reason);
  }
  const records: IfaRecord[] = [];
  for (let at = offset + IFA_METADATA_HEADER_LENGTH; at < offset + need; at += IFA_RECORD_LENGTH) {
    records.push(readIfaRecord(bytes, at));
  }
  return {
    request: bytes[offset] as number,
    action: bytes[offset + 1] as number,
    hopLimit: bytes[offset + 2] as number,
    records,
  };
}

/** Reads a record whose 32 bytes exist. */
function readIfaRecord(bytes: Uint8Array, at: number): IfaRecord {
  const second = readUint32(bytes, at + 4);
  return {
    localNamespace: (bytes[at] as number) >>> 4,
    deviceId: (readUint24(bytes, at) & 0xf_ffff) >>> 0,
    ttl: bytes[at + 3] as number,
    speedCode: second >>> 28,
    congestion: (second >>> 26) & 3,
    queueId: (second >>> 20) & 0x3f,
    rxSeconds: second & 0xf_ffff,
    egressPort: readUint16(bytes, at + 8),
    ingressPort: readUint16(bytes, at + 10),
    rxNanoseconds: readUint32(bytes, at + 12),
    residenceNs: readUint32(bytes, at + 16),
    opaque: [readUint32(bytes, at + 20), readUint32(bytes, at + 24), readUint32(bytes, at + 28)],
  };
}

export const ifaMetadataLength = ({ records }: IfaMetadata): number =>
  IFA_METADATA_HEADER_LENGTH + records.length * IFA_RECORD_LENGTH;

export function emitIfaMetadata(metadata: IfaMetadata, bytes: Uint8Array, offset: number): void {
  bytes[offset] = metadata.request;
  bytes[offset + 1] = metadata.action;
  bytes[offset + 2] = metadata.hopLimit;
  bytes[offset + 3] = metadata.records.length * IFA_RECORD_WORDS;
  let at = offset + IFA_METADATA_HEADER_LENGTH;
  for (const record of metadata.records) {
    emitIfaRecord(record, bytes, at);
    at += IFA_RECORD_LENGTH;
  }
}

function emitIfaRecord(record: IfaRecord, bytes: Uint8Array, at: number): void {
  writeUint24(bytes, at, (record.localNamespace << 20) | record.deviceId);
  bytes[at + 3] = record.ttl;
  const high = (record.speedCode << 12) | (record.congestion << 10) | (record.queueId << 4);
  writeUint32(bytes, at + 4, high * 0x10000 + record.rxSeconds);
  writeUint16(bytes, at + 8, record.egressPort);
  writeUint16(bytes, at + 10, record.ingressPort);
  writeUint32(bytes, at + 12, record.rxNanoseconds);
  writeUint32(bytes, at + 16, record.residenceNs);
  record.opaque.forEach((word, i) => writeUint32(bytes, at + 20 + 4 * i, word));
}
