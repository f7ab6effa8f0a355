import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { Duration, Instant } from '../../common/units/units';
import { PS_PER_NS, PS_PER_SECOND } from '../../common/units/units';
import type { Acknowledgement } from './congestion-control';

/**
 * Relation of new telemetry to the stored telemetry. `comparable`: some link's clock has moved since its
 * last record. Else `first`: none of the links had a record, or one that a counter may have wrapped since.
 * `no-interval`: no clock has moved. `stale`: packets that left later came earlier.
 */
export type TelemetryVerdict = 'first' | 'no-interval' | 'stale' | 'comparable';

/** Links of other paths that a flow remembers; what was stored longest ago gives way to more. */
const OTHER_LINKS_MAX = 128;

/**
 * The list L of the draft: per link the record that the next one is compared with.
 *
 * A link is known by its switch, port and queue, not by its place: packets of a flow may take many paths, and
 * a record is compared with the last one of the same link, whichever path that was on. A link without an
 * earlier record, and one whose record was overtaken, shows no interval. So the arithmetic of the
 * algorithm never meets a negative or wrapped one.
 */
export class LastTelemetry {
  readonly #linksMax: number;
  readonly #patience: () => Duration;
  /** Own copies of the records of all links. */
  readonly #links: StoredHop[] = [];
  /** Those of the present path, in its order. */
  readonly #path: StoredHop[] = [];
  #length = 0;
  #isOtherPath = false;
  /** Time at which the record of each link was stored, on the host's clock. */
  #storedAt: Float64Array;
  /** Time for which each record can be compared, in ps of that clock. */
  #ages: Float64Array;

  /**
   * @param maxHops links of the longest path.
   * @param patience age in ps at which a record gives way to one that seems older: that of a switch that
   *   has restarted. Default: none does.
   */
  constructor(maxHops: number, patience: () => Duration = () => Infinity) {
    this.#linksMax = maxHops + OTHER_LINKS_MAX;
    this.#patience = patience;
    this.#storedAt = new Float64Array(maxHops);
    this.#ages = new Float64Array(maxHops);
  }

  /**
   * Takes the path of an acknowledgement. Stores the records of links that it can compare with nothing; the
   * others wait for {@link refresh}.
   */
  follow(ack: Followed): TelemetryVerdict {
    const isSame = this.#isSamePath(ack.telemetry);
    this.#isOtherPath = !isSame && this.#length > 0;
    const isNew = !isSame && this.#enter(ack);
    return this.#judgeIntervals(ack, isNew);
  }

  /** True if the last acknowledgement took other links than the one before, or in another order. */
  get isOtherPath(): boolean {
    return this.#isOtherPath;
  }

  /** The record to compare with that of link `i` of the path. */
  record(i: number): LinkRecord {
    const record = this.#path[i];
    assert(record !== undefined && i < this.#length, 'links are compared only on the same path');
    return record;
  }

  /** Time at which the record of link `i` was stored, on the host's clock. */
  storedAt(i: number): Instant {
    return this.#storedAt[this.record(i).index] as number;
  }

  /** True if the record of link `i` is so old that it gives way to one that contradicts it. */
  isOutlived(i: number, now: Instant): boolean {
    return now - this.storedAt(i) > this.#patience();
  }

  /** Stores the record of link `i` in place of one that it cannot be compared with. */
  renew(i: number, ack: Followed): void {
    const hop = ack.telemetry[i];
    assert(hop !== undefined, 'the index is below the length');
    this.#store(hop, this.record(i), ack);
  }

  /**
   * Stores the records of those links whose clock has moved. The others keep the older record, so
   * that the next difference spans both.
   */
  refresh(ack: Followed): void {
    const { telemetry: hops } = ack;
    for (let i = 0; i < hops.length; i++) {
      const hop = hops[i];
      assert(hop !== undefined, 'the index is below the length');
      const record = this.record(i);
      if (interval(hop, record) > 0) this.#store(hop, record, ack);
    }
  }

  /** Forgets the counters of all links. */
  clear(): void {
    this.#storedAt.fill(-Infinity);
    this.#length = 0;
  }

  /**
   * Copies the fields of a link that change. PERF: how long it can be compared is divided out once, not per
   * packet.
   */
  #store(hop: HopRecord, into: StoredHop, { now, isOneLink }: Followed): void {
    into.timestamp = hop.timestamp;
    into.txBytes = hop.txBytes;
    into.queueBytes = hop.queueBytes;
    into.sojournNs = hop.sojournNs;
    into.isAhead = isOneLink === true;
    this.#storedAt[into.index] = now;
    if (isSamePort(hop, into)) return;
    into.timestampModulus = hop.timestampModulus;
    into.txBytesModulus = hop.txBytesModulus;
    into.capacity = hop.capacity;
    this.#ages[into.index] = unambiguousAge(into);
  }

  #isSamePath(hops: readonly HopRecord[]): boolean {
    if (hops.length !== this.#length) return false;
    for (let i = 0; i < hops.length; i++) {
      if (!isLink(hops[i], this.#path[i])) return false;
    }
    return true;
  }

  /** Finds the links of another path. Returns true if one of them is new, and stored. */
  #enter(ack: Followed): boolean {
    const { telemetry: hops } = ack;
    let isNew = false;
    this.#length = hops.length;
    for (let i = 0; i < hops.length; i++) {
      const hop = hops[i];
      assert(hop !== undefined, 'the index is below the length');
      const link = this.#find(hop);
      this.#path[i] = link ?? this.#enroll(hop, i);
      if (link !== undefined) continue;
      this.renew(i, ack);
      isNew = true;
    }
    return isNew;
  }

  /** PERF: a search through all links, whose few dozen are passed over faster than a map is asked. */
  #find(hop: HopRecord): StoredHop | undefined {
    for (const link of this.#links) if (isLink(hop, link)) return link;
    return undefined;
  }

  /** A record for a new link at place `i` of the path. */
  #enroll(hop: HopRecord, i: number): StoredHop {
    const isFull = this.#links.length >= this.#linksMax;
    const index = isFull ? this.#oldest(i) : this.#links.length;
    if (index >= this.#storedAt.length) {
      this.#storedAt = grown(this.#storedAt);
      this.#ages = grown(this.#ages);
    }
    const link = noHop(hop, index);
    this.#links[index] = link;
    return link;
  }

  /** The link that was stored longest ago, and is none of the first `length` of the path. */
  #oldest(length: number): number {
    const taken = this.#path.slice(0, length);
    const others = this.#links.filter((link) => !taken.includes(link));
    const ages = this.#storedAt;
    const first = others.reduce((old, link) =>
      (ages[link.index] as number) < (ages[old.index] as number) ? link : old,
    );
    return first.index;
  }

  #judgeIntervals(ack: Followed, isNew: boolean): TelemetryVerdict {
    const { telemetry: hops, now } = ack;
    let verdict: TelemetryVerdict = isNew ? 'first' : 'no-interval';
    for (let i = 0; i < hops.length; i++) {
      const hop = hops[i];
      assert(hop !== undefined, 'the index is below the length');
      const last = this.record(i);
      const age = now - (this.#storedAt[last.index] as number);
      const dt = elapsed(hop, last);
      const isStale = dt > hop.timestampModulus / 2;
      if (age > (this.#ages[last.index] as number) || (isStale && age > this.#patience())) {
        this.renew(i, ack);
        if (verdict !== 'comparable') verdict = 'first';
      } else if (isStale) {
        // Without the link of which a switch has told, which is the fullest, the rest tells nothing.
        if (last.isAhead) return 'stale';
        if (verdict === 'no-interval') verdict = 'stale';
      } else if (dt > 0) verdict = 'comparable';
    }
    return verdict;
  }
}

/**
 * The part of an acknowledgement that is stored. PERF: one record, because a number with a fraction that is
 * passed to a function by itself may be allocated, and a field of an existing record is not.
 */
type Followed = Pick<Acknowledgement, 'telemetry' | 'now' | 'isOneLink'>;

/** The fields of a record that are stored and compared with the next one. */
type StoredHop = { -readonly [Name in StoredName]: HopRecord[Name] } & {
  /** Place among the links of the flow. */
  readonly index: number;
  /** Moving average of the load of this link, where links have one. */
  averageLoad: number;
  readonly queueId: number | undefined;
  sojournNs: number | undefined;
  /** True while the record is one that a switch has told by itself, ahead of all packets. */
  isAhead: boolean;
};
/** A stored record, of which only the average is the reader's to change. */
export type LinkRecord = Readonly<StoredHop> & Pick<StoredHop, 'averageLoad'>;
type StoredName =
  | ('switchId' | 'portId' | 'timestamp' | 'timestampModulus' | 'txBytes' | 'txBytesModulus')
  | ('queueBytes' | 'capacity');

const noHop = ({ switchId, portId, queueId }: HopRecord, index: number): StoredHop => ({
  index,
  averageLoad: INITIAL_LOAD,
  switchId,
  portId,
  queueId,
  timestamp: 0,
  timestampModulus: 0,
  txBytes: 0,
  txBytesModulus: 0,
  queueBytes: 0,
  capacity: 0,
  sojournNs: undefined,
  isAhead: false,
});

/** True if the record counts like the stored one, at the same capacity. */
const isSamePort = (hop: HopRecord, stored: StoredHop): boolean =>
  hop.capacity === stored.capacity &&
  hop.timestampModulus === stored.timestampModulus &&
  hop.txBytesModulus === stored.txBytesModulus;

/** Normalised load of a link before its first measurement, as U in hpccpp.ts. */
const INITIAL_LOAD = 1;

const isLink = (hop: HopRecord | undefined, link: StoredHop | undefined): boolean =>
  hop?.portId === link?.portId &&
  hop?.switchId === link?.switchId &&
  hop?.queueId === link?.queueId;

function grown(values: Float64Array): Float64Array {
  const more = new Float64Array(2 * values.length);
  more.set(values);
  return more;
}

type Clock = Pick<HopRecord, 'timestamp'>;

/** ns from `last` to `hop` on the clock of their switch, below the modulus. */
const elapsed = (hop: HopRecord, last: Clock): number =>
  wrappedDifference(hop.timestamp, last.timestamp, hop.timestampModulus);

/** The same; 0 if `last` is the later one, which is more than half of the modulus ahead. */
export function interval(hop: HopRecord, last: Clock): number {
  const dt = elapsed(hop, last);
  return dt > hop.timestampModulus / 2 ? 0 : dt;
}

/**
 * Time for which the differences to `record` are unambiguous, in ps of the host's clock: half the shorter
 * of the periods in which its two counters wrap. Half, because an interval in the upper half of the modulus
 * means that the packet was overtaken.
 */
function unambiguousAge(record: Readonly<StoredHop>): number {
  const timestampPeriod = record.timestampModulus * PS_PER_NS;
  const txBytesPeriod = ((record.txBytesModulus * 8) / record.capacity) * PS_PER_SECOND;
  return (timestampPeriod < txBytesPeriod ? timestampPeriod : txBytesPeriod) / 2;
}
