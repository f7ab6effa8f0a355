import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/telemetry/hop';
import type { Bytes, Duration, Instant } from '../../common/units/units';
import { HP_DOMAIN } from '../../common/wire/int-md';
import type { CongestionControl } from '../algorithm/congestion-control';
import { Pacer } from './pacer';
import { RetransmissionTimer } from './retransmission-timer';

export interface FlowSenderOptions {
  /** Payload bytes to send, at least 1. */
  readonly bytes: Bytes;
  /** More bytes may be appended later; the flow completes only after {@link FlowSender.append}. */
  readonly isOpen: boolean;
  /** Payload bytes of a full segment. */
  readonly mss: Bytes;
  /** Wire bytes of a data frame besides its payload, as it leaves the host. */
  readonly headerLength: Bytes;
  /** Switches on the path, as assumed until telemetry tells. */
  readonly expectedHops: number;
  readonly baseRtt: Duration;
  readonly retransmissionTimeout: Duration;
  readonly congestionControl: CongestionControl;
}

export interface Segment {
  readonly sequence: number;
  readonly length: Bytes;
  readonly isLast: boolean;
  readonly isRetransmission: boolean;
}

export interface SenderAck {
  readonly ackSequence: number;
  readonly isNack: boolean;
  readonly telemetry: readonly HopRecord[];
  readonly isIncomplete: boolean;
}

/** A pause with nothing in flight of more than this many base RTTs makes telemetry history. */
const IDLE_RTTS = 3;

/**
 * Sending side of one flow: which bytes may leave and when. Sequences count payload bytes.
 *
 *     0 .......... sndUna ............. sndNxt ............ maxSent ........... total
 *     acknowledged |     in flight      |   to send again    |    never sent     |
 *
 * sndNxt is below maxSent only after going back. A segment may leave while bytes in flight are
 * **below** the window, so that the window may be exceeded by less than one segment, as in the
 * published simulator; with nothing in flight a segment may always leave, however small the window.
 */
export class FlowSender {
  readonly #o: FlowSenderOptions;
  readonly #pacer: Pacer;
  readonly #timer: RetransmissionTimer;
  #total: Bytes;
  #isOpen: boolean;
  #sndUna = 0;
  #sndNxt = 0;
  #maxSent = 0;
  /** Since when there has been nothing in flight and nothing to send. */
  #idleSince: Instant | undefined = undefined;
  /**
   * What the switches of the path add to a packet. R is a rate of the fullest link, where packets are
   * longer than at the host; pacing by the shorter length would overload that link by the ratio.
   */
  #telemetryLength: Bytes;
  #retransmitted = 0;
  #timeouts = 0;
  #nacks = 0;

  constructor(options: FlowSenderOptions) {
    assert(options.bytes > 0, 'a flow has at least one byte');
    this.#o = options;
    this.#total = options.bytes;
    this.#isOpen = options.isOpen;
    this.#telemetryLength = options.expectedHops * HP_DOMAIN.hopLength;
    this.#pacer = new Pacer(options.congestionControl.pacingRate);
    this.#timer = new RetransmissionTimer(options.retransmissionTimeout);
  }

  get isComplete(): boolean {
    return !this.#isOpen && this.#sndUna === this.#total;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes offered so far. */
  get totalBytes(): Bytes {
    return this.#total;
  }

  get congestionControl(): CongestionControl {
    return this.#o.congestionControl;
  }

  get counters() {
    return {
      acknowledgedBytes: this.#sndUna,
      inflightBytes: this.#sndNxt - this.#sndUna,
      sentBytesMax: this.#maxSent,
      segmentsRetransmitted: this.#retransmitted,
      timeouts: this.#timeouts,
      nacks: this.#nacks,
    };
  }

  /** More bytes of an open flow; `isLast` closes it. */
  append(now: Instant, bytes: Bytes, isLast: boolean): void {
    assert(this.#isOpen && bytes > 0, 'bytes are appended to an open flow');
    this.#total += bytes;
    this.#isOpen = !isLast;
    const idleSince = this.#idleSince;
    this.#idleSince = undefined;
    if (idleSince !== undefined && now - idleSince > IDLE_RTTS * this.#o.baseRtt) {
      this.#o.congestionControl.onIdleRestart(now);
    }
  }

  /** Whether a segment may start now. PERF: asked for every flow and packet; no allocation. */
  canSend(now: Instant): boolean {
    return this.#isWindowOpen() && this.#pacer.nextStart <= now;
  }

  /** The next segment starts now; only if {@link canSend}. */
  takeSegment(now: Instant): Segment {
    assert(this.canSend(now), 'a segment is taken only when one may leave');
    const sequence = this.#sndNxt;
    const length = Math.min(this.#o.mss, this.#total - sequence);
    this.#sndNxt = sequence + length;
    const isRetransmission = sequence < this.#maxSent;
    if (isRetransmission) this.#retransmitted++;
    if (this.#sndNxt > this.#maxSent) this.#maxSent = this.#sndNxt;
    this.#pacer.onSend(now, this.#o.headerLength + length + this.#telemetryLength);
    this.#timer.onSend(now);
    const isLast = !this.#isOpen && this.#sndNxt === this.#total;
    return { sequence, length, isLast, isRetransmission };
  }

  /** Returns false, having done nothing, if the acknowledgement is of bytes never sent. */
  handleAck(now: Instant, ack: SenderAck): boolean {
    if (ack.ackSequence > this.#maxSent) return false;
    this.#acknowledge(now, ack.ackSequence);
    const hops = ack.telemetry.length;
    if (hops > 0) this.#telemetryLength = hops * HP_DOMAIN.hopLength;
    if (ack.isNack && ack.ackSequence === this.#sndUna) this.#handleNack();
    // The congestion control learns snd_nxt after going back, as in the published simulator, and
    // must not let the end of its round follow it back.
    this.#o.congestionControl.onAck({
      ackSequence: ack.ackSequence,
      nextSequence: this.#sndNxt,
      telemetry: ack.telemetry,
      isIncomplete: ack.isIncomplete,
      now,
    });
    this.#pacer.setRate(this.#o.congestionControl.pacingRate);
    return true;
  }

  /** Does what is due by now; does nothing when woken early. */
  handleWakeup(now: Instant): void {
    if (!this.#timer.hasFired(now)) return;
    this.#timeouts++;
    this.#sndNxt = this.#sndUna;
    // Nothing was heard of the path for longer than an idle flow may wait.
    if (this.#o.retransmissionTimeout >= IDLE_RTTS * this.#o.baseRtt) {
      this.#o.congestionControl.onIdleRestart(now);
    }
  }

  /**
   * The next instant after `now` at which the flow may have something to do, or Infinity. A segment
   * that may leave already needs no wake-up: it waits for the interface, not for the time.
   */
  wakeupAfter(now: Instant): Instant {
    const deadline = this.#timer.deadline ?? Infinity;
    const { nextStart } = this.#pacer;
    if (nextStart > now && nextStart < deadline && this.#isWindowOpen()) return nextStart;
    return deadline;
  }

  #isWindowOpen(): boolean {
    if (this.#sndNxt === this.#total) return false;
    const inflight = this.#sndNxt - this.#sndUna;
    return inflight === 0 || inflight < this.#o.congestionControl.windowBytes;
  }

  #acknowledge(now: Instant, ackSequence: number): void {
    if (ackSequence <= this.#sndUna) return;
    this.#sndUna = ackSequence;
    // What was sent before going back may be acknowledged after it.
    if (this.#sndNxt < ackSequence) this.#sndNxt = ackSequence;
    this.#timer.onProgress(now, this.#sndNxt > this.#sndUna);
    if (this.#sndUna === this.#total) this.#idleSince = now;
  }

  #handleNack(): void {
    if (this.#sndNxt === this.#sndUna) return;
    this.#nacks++;
    this.#sndNxt = this.#sndUna;
    this.#timer.stop();
  }
}
