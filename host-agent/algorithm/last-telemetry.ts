import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { Instant } from '../../common/units/units';
import { PS_PER_NS, PS_PER_SECOND } from '../../common/units/units';
import type { Acknowledgement, TelemetryRejection } from './congestion-control';

/**
 * How new telemetry stands to the stored telemetry. `first`: nothing is stored. `expired`: the
 * stored records are so old that a counter may have wrapped unseen. `path-changed`: the links or
 * their order differ. `no-interval`: no link's clock has moved. `comparable`: some link's has.
 */
type TelemetryVerdict =
  'first' | 'expired' | 'path-changed' | 'no-interval' | 'comparable' | TelemetryRejection;

/**
 * What is stored, in one record: PERF: a number with a fraction that is passed to a function by
 * itself may be allocated, a field of a record that exists already is not.
 */
type StoredTelemetry = Pick<Acknowledgement, 'telemetry' | 'now'>;

/**
 * The list L of the draft: per link of the path the record that the next one is compared with.
 *
 * It decides whether two records may be compared at all; the arithmetic of the algorithm then
 * never meets a zero, negative or wrapped interval.
 */
export class LastTelemetry {
  readonly #maxHops: number;
  /** Own copies, of which those of the present path come first. */
  readonly #records: StoredHop[] = [];
  #length = 0;
  /** When each record was stored, on the host's clock. */
  readonly #storedAt: Float64Array;
  /** For how many ps of that clock each record can be compared. */
  readonly #ages: Float64Array;

  constructor(maxHops: number) {
    this.#maxHops = maxHops;
    this.#storedAt = new Float64Array(maxHops);
    this.#ages = new Float64Array(maxHops);
  }

  /** Compares without changing anything. Hops in the order of the path. */
  judge(ack: Acknowledgement): TelemetryVerdict {
    const hops = ack.telemetry;
    if (ack.isIncomplete) return 'incomplete';
    if (hops.length === 0) return 'no-hops';
    if (hops.length > this.#maxHops) return 'too-many-hops';
    if (!everyCapacityIsKnown(hops)) return 'unknown-capacity';
    if (this.#length === 0) return 'first';
    if (!this.#isSamePath(hops)) return 'path-changed';
    if (this.#hasExpired(ack)) return 'expired';
    return this.#judgeIntervals(hops);
  }

  /** The record of link `i` to compare with; only after the verdict `comparable`. */
  record(i: number): Readonly<StoredHop> {
    const record = this.#records[i];
    assert(record !== undefined && i < this.#length, 'links are compared only on the same path');
    return record;
  }

  /** When the record of link `i` was stored, on the host's clock. */
  storedAt(i: number): Instant {
    const storedAt = this.#storedAt[i];
    assert(storedAt !== undefined, 'every record has the time of its arrival');
    return storedAt;
  }

  /** When the latest of the records was stored, or -Infinity without any. */
  get refreshedAt(): Instant {
    let latest = -Infinity;
    for (let i = 0; i < this.#length; i++) latest = Math.max(latest, this.storedAt(i));
    return latest;
  }

  /** Forgets the path and stores these records whole. */
  replace({ telemetry, now }: StoredTelemetry): void {
    for (let i = 0; i < telemetry.length; i++) {
      const hop = telemetry[i] as HopRecord;
      const record = (this.#records[i] ??= noHop());
      record.switchId = hop.switchId;
      record.portId = hop.portId;
      this.#store(i, hop, record);
      this.#storedAt[i] = now;
    }
    this.#length = telemetry.length;
  }

  /**
   * Stores the records of those links whose clock has moved. The others keep the older record, so
   * that the next difference spans both.
   */
  refresh(stored: StoredTelemetry): void {
    const hops = stored.telemetry;
    for (let i = 0; i < hops.length; i++) {
      const hop = hops[i];
      assert(hop !== undefined, 'the index is below the length');
      const record = this.record(i) as StoredHop;
      if (hop.timestamp === record.timestamp) continue;
      this.#store(i, hop, record);
      this.#storedAt[i] = stored.now;
    }
  }

  clear(): void {
    this.#length = 0;
  }

  /** What changes of a link. PERF: how long it can be compared is divided out once, not per packet. */
  #store(i: number, hop: HopRecord, into: StoredHop): void {
    into.timestamp = hop.timestamp;
    into.txBytes = hop.txBytes;
    into.queueBytes = hop.queueBytes;
    into.sojournNs = hop.sojournNs;
    if (isSamePort(hop, into)) return;
    into.timestampModulus = hop.timestampModulus;
    into.txBytesModulus = hop.txBytesModulus;
    into.capacity = hop.capacity;
    this.#ages[i] = unambiguousAge(into);
  }

  #isSamePath(hops: readonly HopRecord[]): boolean {
    if (hops.length !== this.#length) return false;
    for (let i = 0; i < hops.length; i++) {
      const hop = hops[i];
      const last = this.#records[i];
      if (hop?.switchId !== last?.switchId || hop?.portId !== last?.portId) return false;
    }
    return true;
  }

  #hasExpired(ack: Acknowledgement): boolean {
    for (let i = 0; i < this.#length; i++) {
      if (ack.now - this.storedAt(i) > (this.#ages[i] as number)) return true;
    }
    return false;
  }

  #judgeIntervals(hops: readonly HopRecord[]): TelemetryVerdict {
    let verdict: TelemetryVerdict = 'no-interval';
    for (let i = 0; i < hops.length; i++) {
      const hop = hops[i];
      assert(hop !== undefined, 'the index is below the length');
      const dt = interval(hop, this.record(i));
      if (dt > hop.timestampModulus / 2) return 'stale';
      if (dt > 0) verdict = 'comparable';
    }
    return verdict;
  }
}

/** What is compared of a record, and stored. */
type StoredHop = { -readonly [Name in StoredName]: HopRecord[Name] } & {
  sojournNs: number | undefined;
};
type StoredName =
  | ('switchId' | 'portId' | 'timestamp' | 'timestampModulus' | 'txBytes' | 'txBytesModulus')
  | ('queueBytes' | 'capacity');

const noHop = (): StoredHop => ({
  switchId: 0,
  portId: 0,
  timestamp: 0,
  timestampModulus: 0,
  txBytes: 0,
  txBytesModulus: 0,
  queueBytes: 0,
  capacity: 0,
  sojournNs: undefined,
});

/** Whether it counts as the stored one does, at the same capacity. */
const isSamePort = (hop: HopRecord, stored: StoredHop): boolean =>
  hop.capacity === stored.capacity &&
  hop.timestampModulus === stored.timestampModulus &&
  hop.txBytesModulus === stored.txBytesModulus;

/** ns from `last` to `hop` on the clock of their switch, below the modulus. */
export function interval(hop: HopRecord, last: Pick<HopRecord, 'timestamp'>): number {
  return wrappedDifference(hop.timestamp, last.timestamp, hop.timestampModulus);
}

/**
 * A capacity of zero or all ones says "not available": 0xFFFFFFFF Mb/s is 4.3e15 bit/s, three
 * orders of magnitude above any link.
 */
function everyCapacityIsKnown(hops: readonly HopRecord[]): boolean {
  for (const hop of hops) {
    if (!(hop.capacity > 0 && hop.capacity < CAPACITY_LIMIT)) return false;
  }
  return true;
}

const CAPACITY_LIMIT = 1e15;

/**
 * For how many ps of the host's clock the differences to `record` are unambiguous: half the shorter
 * of the periods in which its two counters wrap. Half, because an interval in the upper half of the
 * modulus means that the packet was overtaken.
 */
function unambiguousAge(record: Readonly<StoredHop>): number {
  const timestampPeriod = record.timestampModulus * PS_PER_NS;
  const txBytesPeriod = ((record.txBytesModulus * 8) / record.capacity) * PS_PER_SECOND;
  return (timestampPeriod < txBytesPeriod ? timestampPeriod : txBytesPeriod) / 2;
}
