import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { microseconds, PS_PER_SECOND } from '../../../common/units/units';
import type { Acknowledgement, AckKind, FlowEnvironment, Loss } from '../congestion-control';
import { BaseAlgorithm } from './base-algorithm';
import type { Constants } from './constants';
import { withChanges } from './constants';

/** The path that the constants below are scaled from: 100 Gb/s and 12 us (UEC 1.0, NSCC; `initNsccParams`). */
const REFERENCE_BDP: Bytes = 150_000;
const REFERENCE_RTT: Duration = microseconds(12);

/**
 * NSCC, the congestion control of senders in Ultra Ethernet 1.0, with the values of its reference simulator
 * (`uet-htsim`, `UecSrc::initNsccParams`; the names in brackets are functions of the same class). Segments are
 * scaled by the bandwidth-delay product over that of the reference.
 */
export const NSCC_CONSTANTS = {
  /** Target of the queueing delay in T; 1 is the value for networks that do not trim. */
  targetRtts: 0.75,
  /** alpha: segments that an unmarked round at delay 0 adds, per 12 us of target. */
  proportionalSegments: 4,
  /** fi: segments that an unmarked round above the target adds. */
  fairSegments: 5,
  /** eta: segments that every T adds, whatever happens. */
  etaSegments: 0.15,
  /** fi_scale: share of the acknowledged bytes that is added while the path is empty. */
  fastShare: 0.25,
  /** Delay below which the path counts as empty. */
  emptyUs: 1,
  /** gamma: weight of the excess of the delay in a decrease. */
  gamma: 0.8,
  /** Largest decrease of one round trip. */
  decreaseMax: 0.5,
  /** Weight of a new delay in the average. */
  delayWeight: 0.0125,
  /** Delay, in targets, from which the window jumps to what has arrived. */
  quickTargets: 4,
  /** Share of the largest window below which what has arrived counts as a collapse. */
  quickShare: 0.125,
  /** Largest window, in bandwidth-delay products. */
  windowBdps: 1.5,
  /** First window; 0: the largest. */
  firstSegments: 0,
  /** Segments after which increases take effect. */
  adjustSegments: 8,
};

/**
 * Four reactions to delay and mark of each acknowledgement, and a jump where most was lost
 * (`updateCwndOnAck_NSCC`):
 *
 *     delay          without mark               with mark
 *     below target   proportional increase      none: the path changes
 *     from it on     fair increase              multiplicative decrease
 *
 * The window is of payload and nothing is paced. Segments are the host's, in place of packets of 4 KiB. T is that of
 * the network; the flow's own base RTT is the least that it has seen.
 */
export class Nscc extends BaseAlgorithm {
  readonly #c: Readonly<Record<keyof typeof NSCC_CONSTANTS, number>>;
  #ownRtt: Duration;
  #cwnd: Bytes;
  #averageDelay: Duration = 0;
  /** Increase times window, until it takes effect. */
  #increase = 0;
  #arrivedSinceAdjusted: Bytes = 0;
  #adjustedAt: Instant = 0;
  #decreasedAt: Instant = -Infinity;
  /** Bytes that came back while the path was empty, and whether it is taken for empty. */
  #emptyBytes: Bytes = 0;
  #isEmpty = false;
  /** Bytes that have arrived in the period at hand, and its end. */
  #achieved: Bytes = 0;
  #periodEnd: Instant | undefined;
  #wasTrimmed = false;
  /** Bytes whose feedback is about the time before the window jumped. */
  #oldBytes: Bytes = 0;

  constructor(environment: FlowEnvironment, changes?: Constants) {
    super(environment);
    this.#c = withChanges('nscc', NSCC_CONSTANTS, changes);
    this.#ownRtt = this.baseRtt;
    this.#cwnd = this.#c.firstSegments * this.segmentBytes || this.#largest;
  }

  /** A segment leaves only if it fits (`can_send_NSCC`); the transport lets one exceed its window. */
  get windowBytes(): Bytes {
    return Math.max(1, this.#cwnd - this.segmentBytes + 1);
  }

  get pacingRate(): BitsPerSecond {
    return this.linkRate;
  }

  override onBaseRtt(baseRtt: Duration): void {
    super.onBaseRtt(baseRtt);
    this.#ownRtt = baseRtt;
    this.#bound();
  }

  /** A trimmed packet, or one that is missing or late (`updateCwndOnNack_NSCC`, `mark_packet_for_retransmission`). */
  onLoss({ kind, sequence, nextSequence, now }: Loss): void {
    const lost = kind === 'timeout' ? nextSequence - sequence : this.segmentBytes;
    if (kind === 'trim') {
      this.#oldBytes -= lost;
      this.#learnDelay(this.baseRtt, true);
      this.#wasTrimmed = true;
      if (this.#quickAdapt(now, true, 0, nextSequence - sequence)) return;
    }
    this.#cwnd -= lost;
    this.#bound();
  }

  protected learn(ack: Acknowledgement): AckKind {
    const { isMarked = false, now, rtt, arrivedBytes = this.segmentBytes } = ack;
    this.#achieved += arrivedBytes;
    this.#arrivedSinceAdjusted += arrivedBytes;
    this.#oldBytes -= arrivedBytes;
    const delay = this.#delayOf(rtt, isMarked);
    if (this.#quickAdapt(now, isMarked, delay, ack.nextSequence - ack.ackSequence)) return 'update';
    this.#react(now, delay, { isMarked, arrivedBytes });
    this.#bound();
    const isDue = now - this.#adjustedAt > this.baseRtt;
    const isFull = this.#arrivedSinceAdjusted > this.#c.adjustSegments * this.segmentBytes;
    if (isDue || isFull) this.#adjust(now);
    return isDue || isFull ? 'update' : 'fast';
  }

  /** Queueing delay of an acknowledged packet; the average where it has no time (`processAck`). */
  #delayOf(rtt: Duration | undefined, isMarked: boolean): Duration {
    if (rtt === undefined) return this.#averageDelay;
    this.#ownRtt = Math.min(this.#ownRtt, rtt);
    const delay = rtt - this.#ownRtt;
    this.#learnDelay(delay, isMarked);
    return delay;
  }

  /** The average, in which a long delay without a mark counts as a quarter of the base RTT (`update_delay`). */
  #learnDelay(delay: Duration, isMarked: boolean): void {
    const isDoubtful = !isMarked && delay > this.#target;
    const counted = isDoubtful ? this.#ownRtt / 4 : delay;
    this.#averageDelay += this.#c.delayWeight * (counted - this.#averageDelay);
  }

  #react(
    now: Instant,
    delay: Duration,
    { isMarked, arrivedBytes }: { readonly isMarked: boolean; readonly arrivedBytes: Bytes },
  ): void {
    if (isMarked) {
      if (delay >= this.#target) this.#decrease(now);
    } else if (delay >= this.#target) {
      this.#increase += this.#segments(this.#c.fairSegments) * arrivedBytes;
    } else if (!this.#fastIncrease(delay, arrivedBytes)) {
      const share = (this.#target - delay) / REFERENCE_RTT;
      this.#increase += this.#segments(this.#c.proportionalSegments) * share * arrivedBytes;
    }
  }

  /** A window's worth of packets has met an empty path: grows with each until one does not (`fast_increase`). */
  #fastIncrease(delay: Duration, arrivedBytes: Bytes): boolean {
    if (delay >= microseconds(this.#c.emptyUs)) {
      this.#emptyBytes = 0;
      this.#isEmpty = false;
      return false;
    }
    this.#emptyBytes += arrivedBytes;
    this.#isEmpty ||= this.#emptyBytes > this.#cwnd;
    if (this.#isEmpty) this.#cwnd += arrivedBytes * this.#c.fastShare * this.#scale;
    return this.#isEmpty;
  }

  /** By the excess of the average delay, once per base RTT (`multiplicative_decrease`). */
  #decrease(now: Instant): void {
    this.#isEmpty = false;
    this.#emptyBytes = 0;
    const average = this.#averageDelay;
    if (average <= this.#target || now - this.#decreasedAt <= this.#ownRtt) return;
    const { gamma, decreaseMax } = this.#c;
    this.#cwnd *= Math.max(1 - (gamma * (average - this.#target)) / average, 1 - decreaseMax);
    this.#decreasedAt = now;
  }

  /** Increases take effect; every T a little comes on top, which makes windows fair (`fulfill_adjustment`). */
  #adjust(now: Instant): void {
    this.#cwnd += this.#increase / this.#cwnd;
    if (now - this.#adjustedAt >= this.baseRtt) {
      this.#cwnd += this.#segments(this.#c.etaSegments);
      this.#adjustedAt = now;
    }
    this.#increase = 0;
    this.#arrivedSinceAdjusted = 0;
    this.#bound();
  }

  /**
   * Where little of a period's packets has arrived, and trims or a very long delay say why, the window jumps to that;
   * what is in flight then is about the time before (`quick_adapt`).
   * @returns true if the feedback at hand has no other effect.
   */
  #quickAdapt(now: Instant, isMarked: boolean, delay: Duration, inflight: Bytes): boolean {
    let isDone = this.#oldBytes > 0 && isMarked;
    if (!isDone && now > (this.#periodEnd ?? -1)) {
      const { quickTargets, quickShare } = this.#c;
      const isLoaded = this.#wasTrimmed || delay > quickTargets * this.#target;
      const isCollapse = this.#achieved < quickShare * this.#largest;
      if (this.#periodEnd !== undefined && isLoaded && isCollapse) {
        this.#cwnd = this.#achieved;
        this.#bound();
        this.#oldBytes = inflight;
        this.#wasTrimmed = false;
        isDone = true;
      }
      this.#achieved = 0;
      this.#periodEnd = now + this.#ownRtt + this.#target;
    }
    if (isDone) [this.#increase, this.#arrivedSinceAdjusted] = [0, 0];
    return isDone;
  }

  /** One segment to the largest window (`set_cwnd_bounds`). */
  #bound(): void {
    this.#cwnd = Math.min(this.#largest, Math.max(this.segmentBytes, this.#cwnd));
  }

  get #target(): Duration {
    return this.#c.targetRtts * this.baseRtt;
  }

  get #largest(): Bytes {
    return (this.#c.windowBdps * this.linkRate * this.#ownRtt) / (8 * PS_PER_SECOND);
  }

  get #scale(): number {
    return this.bdpBytes / REFERENCE_BDP;
  }

  #segments(count: number): Bytes {
    return count * this.segmentBytes * this.#scale;
  }
}
