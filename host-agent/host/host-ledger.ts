import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Instant } from '../../common/units/units';
import type { CoordinationEffect } from '../coordination/flow-coordination';
import type { CoordinationCounters, HostCoordination } from '../coordination/host-coordination';
import { Fifo } from '../nic/fifo';
import type { FeedbackOutcome, HostCounters, HostEvent, PacketRejection } from './host-events';

type Counts = { -readonly [Name in keyof Omit<HostCounters, 'packetsRejected'>]: number };

/**
 * What a host of either framing keeps besides its flows: how late it is, what has passed, what was
 * refused and what its driver may want to know. PERF: {@link counts} is written directly, per packet.
 */
export class HostLedger {
  readonly counts: Counts = {
    dataSent: 0,
    acksSent: 0,
    dataReceived: 0,
    acksReceived: 0,
    acksLate: 0,
    bytesDelivered: 0,
    telemetryRefused: 0,
  };
  readonly #coordination: HostCoordination | undefined;
  readonly #events = new Fifo<HostEvent>();
  #now: Instant = 0;
  readonly #packetsRejected: Record<PacketRejection, number> = {
    malformed: 0,
    'not-for-this-host': 0,
    'other-protocol': 0,
    'old-generation': 0,
    'unknown-flow': 0,
    'acknowledges-unsent': 0,
    unrequested: 0,
    unauthenticated: 0,
    signed: 0,
    replayed: 0,
    'bad-icrc': 0,
    forged: 0,
    unconfirmed: 0,
    'too-many-flows': 0,
  };

  /** @param coordination of a host that listens to switches. */
  constructor(coordination: HostCoordination | undefined) {
    this.#coordination = coordination;
  }

  /** The `now` of the latest call of the driver. */
  get now(): Instant {
    return this.#now;
  }

  /** The driver calls at `now`, which never goes back. */
  advance(now: Instant): void {
    assert(now >= this.#now, 'time does not go backwards');
    this.#now = now;
  }

  /** Something has happened that the driver may want to know. */
  emit(event: HostEvent): void {
    this.#events.push(event);
  }

  /** The oldest event not yet polled. */
  pollEvent(): HostEvent | undefined {
    return this.#events.take();
  }

  /** A packet was dropped; `detail` is for people. */
  reject(reason: PacketRejection, detail: string): void {
    this.#packetsRejected[reason]++;
    this.#events.push({ kind: 'packet-rejected', at: this.#now, reason, detail });
  }

  /** What became of feedback that was not taken. */
  note(outcome: Exclude<FeedbackOutcome, 'taken'> | PacketRejection, detail: string): void {
    if (outcome === 'late') this.counts.acksLate++;
    else this.reject(outcome, detail);
  }

  /**
   * Takes a frame that is none of the transport's; `apply` does what a switch wants of a flow. Returns
   * false for a frame that is no notification to this host, or if it does not listen.
   */
  handleNotification(
    frame: Packet,
    apply: (flow: number, effect: CoordinationEffect) => void,
  ): boolean {
    const outcome = this.#coordination?.handle(this.#now, frame);
    if (outcome === undefined || outcome.kind === 'not-a-notification') return false;
    if (outcome.kind === 'refused') this.reject(outcome.reason, outcome.detail);
    else apply(outcome.flow, outcome.effect);
    return true;
  }

  counters(): HostCounters {
    return { ...this.counts, packetsRejected: { ...this.#packetsRejected } };
  }

  /** What switches have told this host; undefined unless it listens to them. */
  coordination(): CoordinationCounters | undefined {
    return this.#coordination?.counters;
  }
}
