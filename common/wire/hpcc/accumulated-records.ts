import { readUint16, writeUint16 } from '../bytes';
import type { Bytes } from '../../units/units';

/**
 * Congestion records of all packets that one ACK acknowledges, announced by HPCC_FLAG_ACCUMULATED:
 * the latest one, where a single one would lie, then the others from the oldest on, and their number.
 * All have the same length. Big-endian:
 *
 *     | latest record | oldest | ... | second latest | records (16), at least 2 |
 */
const COUNT_LENGTH = 2;
/** What 16 bits count. */
const RECORDS_MAX = 0xffff;

/** How many records of `length` bytes fit into `room`; at least the latest, which needs no number. */
export function accumulatedMax(length: Bytes, room: Bytes): number {
  return Math.max(1, Math.min(Math.floor((room - COUNT_LENGTH) / length), RECORDS_MAX));
}

/** `records` from the oldest to the latest, at least two of equal length. */
export function emitAccumulated(records: readonly Uint8Array[]): Uint8Array {
  const length = records[0]?.length ?? 0;
  const bytes = new Uint8Array(records.length * length + COUNT_LENGTH);
  records.forEach((record, i) => {
    bytes.set(record, i === records.length - 1 ? 0 : (i + 1) * length);
  });
  writeUint16(bytes, bytes.length - COUNT_LENGTH, records.length);
  return bytes;
}

/**
 * Bytes of each of the records that take `total` bytes at `at`. Undefined if their number does not
 * divide them, or is below two.
 */
export function accumulatedLength(bytes: Uint8Array, at: number, total: Bytes): Bytes | undefined {
  if (total <= COUNT_LENGTH) return undefined;
  const length = (total - COUNT_LENGTH) / readUint16(bytes, at + total - COUNT_LENGTH);
  const isMeant = Number.isInteger(length) && length < total - COUNT_LENGTH;
  return isMeant ? length : undefined;
}
