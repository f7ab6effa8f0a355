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
/** Largest count of records: the field has 16 bits. */
const RECORDS_MAX = 0xffff;

/**
 * Number of records of `length` bytes that fit into `room`; at least the latest, which needs no
 * number.
 */
function accumulatedMax(length: Bytes, room: Bytes): number {
  return Math.max(1, Math.min(Math.floor((room - COUNT_LENGTH) / length), RECORDS_MAX));
}

/**
 * Records of one length as they come, the latest of which are kept where not all have room. PERF: they
 * lie as they will be sent, so that a record costs a copy and no allocation.
 */
export class AccumulatedRecords {
  readonly #room: Bytes;
  #bytes = NOTHING;
  #length = 0;
  #max = 0;
  #count = 0;

  /** @param room bytes that all of them may have; with too little the latest is kept alone. */
  constructor(room: Bytes) {
    this.#room = room;
  }

  get count(): number {
    return this.#count;
  }

  /** The next one, which is copied. Records of another length take the place of those before. */
  add(record: Uint8Array): void {
    const { length } = record;
    if (this.#count === 0 || length !== this.#length) this.#begin(length);
    const bytes = this.#bytes;
    // The oldest one lies behind the latest.
    if (this.#count === this.#max) bytes.copyWithin(length, 2 * length, this.#count-- * length);
    if (this.#count > 0) bytes.copyWithin(this.#count * length, 0, length);
    bytes.set(record, 0);
    this.#count++;
  }

  clear(): void {
    this.#count = 0;
  }

  /** One record as it is, or several with their number; valid until the next is added. */
  emit(): Uint8Array {
    const end = this.#count * this.#length;
    if (this.#count < 2) return this.#bytes.subarray(0, end);
    writeUint16(this.#bytes, end, this.#count);
    return this.#bytes.subarray(0, end + COUNT_LENGTH);
  }

  #begin(length: Bytes): void {
    this.#count = 0;
    if (length === this.#length) return;
    this.#length = length;
    this.#max = accumulatedMax(length, this.#room);
    this.#bytes = new Uint8Array(this.#max * length + COUNT_LENGTH);
  }
}

const NOTHING = new Uint8Array(0);

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
