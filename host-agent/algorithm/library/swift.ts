import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { PS_PER_SECOND } from '../../../common/units/units';
import type { Acknowledgement, AckKind, FlowEnvironment, Loss } from '../congestion-control';
import type { Constants } from './constants';
import { withChanges } from './constants';
import { BaseAlgorithm } from './base-algorithm';

/** Swift (Kumar et al., "Swift: Delay is Simple and Effective...", SIGCOMM 2020). */
export const SWIFT_CONSTANTS = {
  /** ai: segments that a round trip below the target adds. */
  additiveSegments: 1,
  /** beta: multiplicative decrease by the excess of the delay. */
  beta: 0.8,
  /** max_mdf: largest decrease of one round trip. */
  decreaseMax: 0.5,
  /** Target without scaling, in base RTTs. */
  targetRtts: 1.25,
  /** fs_range: what flow scaling adds for small windows, in base RTTs. */
  scalingRtts: 1,
  /** fs_min_cwnd and fs_max_cwnd, in segments. */
  scalingMin: 0.1,
  scalingMax: 100,
  /** min_cwnd, in segments. */
  segmentsMin: 0.001,
};

/**
 * Algorithm 1 and the flow scaling of section 3.5. There is one target, for the whole round trip: the
 * hosts here answer at once, so the delay of the endpoint is nothing; T takes the place of base target
 * and hops.
 */
export class Swift extends BaseAlgorithm {
  readonly #c: Readonly<Record<keyof typeof SWIFT_CONSTANTS, number>>;
  /** Congestion window in segments. */
  #cwnd: number;
  #acked = 0;
  #decreasedAt: Instant = -Infinity;
  #rtt: Duration;

  constructor(environment: FlowEnvironment, changes?: Constants) {
    super(environment);
    this.#c = withChanges('swift', SWIFT_CONSTANTS, changes);
    this.#cwnd = this.#cwndMax();
    this.#rtt = environment.baseRtt;
  }

  get windowBytes(): Bytes {
    return this.#cwnd * this.segmentBytes;
  }

  /** Windows of less than a segment are paced, larger ones not. */
  get pacingRate(): BitsPerSecond {
    if (this.#cwnd >= 1) return this.linkRate;
    return Math.min(this.linkRate, (8 * this.windowBytes * PS_PER_SECOND) / this.#rtt);
  }

  /** Delay that the flow aims at. */
  get #target(): Duration {
    const { targetRtts, scalingRtts, scalingMin, scalingMax } = this.#c;
    const alpha = scalingRtts / (1 / Math.sqrt(scalingMin) - 1 / Math.sqrt(scalingMax));
    const wanted = alpha / Math.sqrt(this.#cwnd) - alpha / Math.sqrt(scalingMax);
    return this.baseRtt * (targetRtts + Math.min(scalingRtts, Math.max(0, wanted)));
  }

  protected learn({ rtt, ackSequence, now }: Acknowledgement): AckKind {
    const segments = Math.max(0, ackSequence - this.#acked) / this.segmentBytes;
    this.#acked = Math.max(this.#acked, ackSequence);
    if (rtt === undefined || rtt <= 0) return 'ignored';
    this.#rtt = rtt;
    const target = this.#target;
    if (rtt < target) {
      const ai = this.#c.additiveSegments * segments;
      this.#set(this.#cwnd + (this.#cwnd >= 1 ? ai / this.#cwnd : ai));
      return 'fast';
    }
    const excess = this.#c.beta * ((rtt - target) / rtt);
    return this.#decrease(now, Math.min(excess, this.#c.decreaseMax)) ? 'update' : 'noted';
  }

  onLoss({ kind, now }: Loss): void {
    if (kind === 'timeout') this.#set(this.#c.segmentsMin);
    else this.#decrease(now, this.#c.decreaseMax);
  }

  override onBaseRtt(baseRtt: Duration): void {
    super.onBaseRtt(baseRtt);
    this.#set(this.#cwnd);
  }

  /** Once per round trip. */
  #decrease(now: Instant, share: number): boolean {
    if (now - this.#decreasedAt < this.#rtt) return false;
    this.#decreasedAt = now;
    this.#set(this.#cwnd * (1 - share));
    return true;
  }

  #set(cwnd: number): void {
    this.#cwnd = Math.min(this.#cwndMax(), Math.max(this.#c.segmentsMin, cwnd));
  }

  /**
   * Largest window in packets: more in flight only becomes queue, since a flow alone needs no more than its
   * link holds.
   */
  #cwndMax(): number {
    return (this.bdpBytes * this.#c.targetRtts) / this.segmentBytes;
  }
}
