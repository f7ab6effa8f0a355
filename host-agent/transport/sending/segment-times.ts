import type { Duration, Instant } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';

interface SentSegment {
  readonly end: number;
  readonly at: Instant;
  readonly isAgain: boolean;
}

/**
 * Times at which segments left, by the sender's own clock: for packets that have no place for a time stamp.
 * An acknowledgement sooner than the path's base RTT after a segment left again is for an earlier copy of it and
 * measures nothing (RFC 8985 section 6.2, step 2); segments that are in flight when something before them is sent
 * again are not measured (Karn's algorithm, RFC 6298 section 3).
 */
export class SegmentTimes {
  readonly #sent = new Fifo<SentSegment>();
  #lastEnd = 0;

  /** A segment leaves that ends before byte `end`. */
  onSend(now: Instant, end: number, isAgain: boolean): void {
    if (end <= this.#lastEnd) while (!this.#sent.isEmpty) this.#sent.take();
    this.#sent.push({ end, at: now, isAgain });
    this.#lastEnd = end;
  }

  /**
   * Returns the round trip of the last segment that is acknowledged for the first time, if one is and it can be
   * that of a path with this base RTT.
   */
  onAck(now: Instant, ackSequence: number, baseRtt: Duration): Duration | undefined {
    let latest: SentSegment | undefined;
    for (let first = this.#sent.peek(); first !== undefined; first = this.#sent.peek()) {
      if (first.end > ackSequence) break;
      latest = first;
      this.#sent.take();
    }
    if (latest === undefined) return undefined;
    const rtt = now - latest.at;
    return latest.isAgain && rtt < baseRtt ? undefined : rtt;
  }
}
