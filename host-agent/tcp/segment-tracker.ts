import type { Bytes, Duration, Instant } from '../../common/units/units';
import { seconds } from '../../common/units/units';
import type { ObservedSegment } from './observed-segment';
import { FLAG_ACK, FLAG_FIN, FLAG_RST, FLAG_SYN } from './observed-segment';

/** Silence after which an idle connection cannot be told from one that has gone. */
const DEAD_AFTER: Duration = seconds(10);
/** Time for which segments may still acknowledge data after the peer has closed. */
const CLOSED_AFTER: Duration = seconds(1);

/**
 * Progress of a connection, from arriving segments: how far the peer has acknowledged, and what this host
 * has received. Sequence numbers wrap at 2^32; the count of acknowledged bytes does not.
 */
export class SegmentTracker {
  /** SND.UNA: the oldest byte that the peer has not acknowledged. */
  unacknowledged: number;
  /** RCV.NXT, as far as it is known. */
  expected: number;
  /** Payload that the peer has acknowledged since the connection was noticed. */
  acknowledgedBytes: Bytes = 0;
  /** Time at which the peer acknowledged something new for the last time. */
  progressAt: Instant = -Infinity;
  /** Shift of the window fields that arrive; undefined if the handshake was not seen. */
  windowScale: number | undefined;
  #seenAt: Instant;
  /** The first segment of a connection that the peer opens acknowledges nothing. */
  #isAcknowledging: boolean;
  #hasEnded = false;
  #isReset = false;

  constructor(now: Instant, segment: ObservedSegment) {
    this.unacknowledged = segment.acknowledgement;
    this.expected = end(segment);
    this.windowScale = segment.windowScale;
    this.#seenAt = now;
    this.#isAcknowledging = (segment.flags & FLAG_ACK) !== 0;
  }

  observe(now: Instant, segment: ObservedSegment): void {
    this.#seenAt = now;
    if ((segment.flags & FLAG_RST) !== 0) this.#isReset = true;
    if ((segment.flags & FLAG_FIN) !== 0) this.#hasEnded = true;
    if (isAfter(end(segment), this.expected)) this.expected = end(segment);
    if ((segment.flags & FLAG_ACK) === 0) return;
    if (!this.#isAcknowledging) this.unacknowledged = segment.acknowledgement;
    this.#isAcknowledging = true;
    if (!isAfter(segment.acknowledgement, this.unacknowledged)) return;
    this.acknowledgedBytes += (segment.acknowledgement - this.unacknowledged) >>> 0;
    this.unacknowledged = segment.acknowledgement;
    this.progressAt = now;
  }

  /** Time at which the connection counts as gone, unless something arrives before. */
  get deadAt(): Instant {
    if (this.#isReset) return -Infinity;
    return this.#seenAt + (this.#hasEnded ? CLOSED_AFTER : DEAD_AFTER);
  }
}

/** True if the segment begins a connection, which may use the ports of an earlier one. */
export const beginsConnection = (segment: ObservedSegment): boolean =>
  (segment.flags & FLAG_SYN) !== 0;

/** The sequence number behind the segment; SYN and FIN take one each. */
function end({ sequence, payloadBytes, flags }: ObservedSegment): number {
  const marks = ((flags & FLAG_SYN) === 0 ? 0 : 1) + ((flags & FLAG_FIN) === 0 ? 0 : 1);
  return (sequence + payloadBytes + marks) >>> 0;
}

/** RFC 9293 section 3.4: comparison modulo 2^32. */
const isAfter = (one: number, other: number): boolean => ((one - other) | 0) > 0;
