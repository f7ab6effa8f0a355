import type { Duration, Instant } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';

/**
 * Times at which segments left, by the sender's own clock: for packets that have no place for a time stamp.
 * Segments that are in flight while something is sent again are not measured, as nobody knows which copy an
 * acknowledgement is for (Karn's algorithm, RFC 6298 section 3).
 */
export class SegmentTimes {
  readonly #sent = new Fifo<{ readonly end: number; readonly at: Instant }>();

  /** A segment leaves that ends before byte `end`. */
  onSend(now: Instant, end: number, isRetransmission: boolean): void {
    if (!isRetransmission) this.#sent.push({ end, at: now });
    else while (!this.#sent.isEmpty) this.#sent.take();
  }

  /** Returns the round trip of the last segment that is acknowledged for the first time, if one is. */
  onAck(now: Instant, ackSequence: number): Duration | undefined {
    let rtt: Duration | undefined;
    for (let first = this.#sent.peek(); first !== undefined; first = this.#sent.peek()) {
      if (first.end > ackSequence) break;
      rtt = now - first.at;
      this.#sent.take();
    }
    return rtt;
  }
}
