import { assert } from '../../assert';
import { readUint16, readUint24, writeUint16, writeUint24 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * HPCC's own telemetry between UDP and BTH (HPCC paper, section 4.1 and figure 7), big-endian:
 *
 *     | nHop 4 | pathID 12 |
 *     oldest hop first, 8 bytes each: | B 4 | TS 24 | txBytes 20 | qLen 16 |
 *
 * pathID is the XOR of the 12-bit ids of all switches. A later figure has 16 bits of padding after
 * it, so that records start at words: `aligned`.
 */
export const HPCC_PADDING_HOPS_MAX = 15;
/** Bytes before the records, and of each. */
export const HPCC_PADDING_FIXED_LENGTH = 2;
export const HPCC_PADDING_RECORD_LENGTH = 8;
/** DSCP that marks packets with it: the format has no mark of its own. */
export const HPCC_PADDING_DSCP = 0x17;

/** Units of the counters in bytes. */
export const HPCC_TX_UNIT = 128;
export const HPCC_QUEUE_UNIT = 80;
export const HPCC_TIME_MODULUS = 2 ** 24;
export const HPCC_TX_MODULUS = 2 ** 20 * HPCC_TX_UNIT;

/** Record that a switch writes into the padding of HPCC. */
export interface HpccPaddingRecord {
  /** Speed of the link; the paper does not publish the codes. */
  readonly speedCode: number;
  /** 24 bits; ns, as in the public simulator. */
  readonly timestamp: number;
  /** Units of 128 bytes, modulo 2^20. */
  readonly txUnits: number;
  /** Units of 80 bytes, 16 bits. */
  readonly queueUnits: number;
}

/** HPCC's padding: who was passed, and what each switch wrote. */
export interface HpccPadding {
  readonly pathId: number;
  /** In path order. */
  readonly records: readonly HpccPaddingRecord[];
  readonly aligned: boolean;
}

export function parseHpccPadding(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
  aligned = false,
): HpccPadding | WireFault {
  const fixed = aligned ? 4 : HPCC_PADDING_FIXED_LENGTH;
  if (end < offset + fixed) return truncated('hpcc-padding', offset, fixed, end);
  const count = (bytes[offset] as number) >>> 4;
  const need = fixed + count * HPCC_PADDING_RECORD_LENGTH;
  if (end < offset + need) return truncated('hpcc-padding', offset, need, end);
  const records: HpccPaddingRecord[] = [];
  for (let i = 0; i < count; i++) {
    records.push(readRecord(bytes, offset + fixed + i * HPCC_PADDING_RECORD_LENGTH));
  }
  return { pathId: readUint16(bytes, offset) & 0xfff, records, aligned };
}

const readRecord = (bytes: Uint8Array, at: number): HpccPaddingRecord => ({
  speedCode: (bytes[at] as number) >>> 4,
  timestamp: (((bytes[at] as number) & 0xf) << 20) | (readUint24(bytes, at + 1) >>> 4),
  txUnits: readUint24(bytes, at + 3) & 0xf_ffff,
  queueUnits: readUint16(bytes, at + 6),
});

export const hpccPaddingLength = ({ records, aligned }: HpccPadding): number =>
  (aligned ? 4 : HPCC_PADDING_FIXED_LENGTH) + records.length * HPCC_PADDING_RECORD_LENGTH;

export function emitHpccPadding(padding: HpccPadding, bytes: Uint8Array, offset: number): void {
  const { pathId, records, aligned } = padding;
  assert(records.length <= HPCC_PADDING_HOPS_MAX, 'HPCC padding holds at most 15 hops');
  writeUint16(bytes, offset, (records.length << 12) | pathId);
  if (aligned) writeUint16(bytes, offset + 2, 0);
  let at = offset + (aligned ? 4 : HPCC_PADDING_FIXED_LENGTH);
  for (const record of records) {
    emitRecord(record, bytes, at);
    at += HPCC_PADDING_RECORD_LENGTH;
  }
}

function emitRecord(record: HpccPaddingRecord, bytes: Uint8Array, at: number): void {
  const { speedCode, timestamp, txUnits, queueUnits } = record;
  bytes[at] = (speedCode << 4) | (timestamp >>> 20);
  writeUint24(bytes, at + 1, ((timestamp & 0xf_ffff) << 4) | (txUnits >>> 16));
  writeUint16(bytes, at + 4, txUnits & 0xffff);
  writeUint16(bytes, at + 6, queueUnits);
}

/** Adds one switch's record to the padding and XORs its 12-bit id into the path id. */
export const pushHpccPadding = (
  padding: HpccPadding,
  switchId: number,
  record: HpccPaddingRecord,
): HpccPadding => ({
  ...padding,
  pathId: padding.pathId ^ (switchId & 0xfff),
  records: [...padding.records, record],
});
