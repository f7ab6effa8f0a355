import { readUint16, readUint24, readUint32, readUint48 } from '../bytes';
import { writeUint16, writeUint24, writeUint32, writeUint48 } from '../bytes';

/**
 * Metadata record of IFA 1, as shown at IETF 112:
 *
 *     | device id 24, port type 8 | congestion 8, txBytes[39:32] 8, TTL 8, queue 8 |
 *     | rx seconds 48, rx ns 32, tx ns 32, queue 16, cells |
 *     | source port 16, destination port 16 | txBytes[31:0] |
 */
export const IFA1_RECORD_LENGTH = 32;

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
export const readIfa1Record = (bytes: Uint8Array, at: number): Ifa1Record => ({
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

export function emitIfa1Record(record: Ifa1Record, bytes: Uint8Array, at: number): void {
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
