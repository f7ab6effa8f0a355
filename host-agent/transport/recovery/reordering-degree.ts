import type { Duration, Instant } from '../../../common/units/units';

/** The reordering window may grow to so many base RTTs. */
const WINDOW_RTTS_MAX = 4;

/**
 * Decides how long a segment may be missing before it is taken for lost, after RFC 8985 (RACK).
 *
 *     sent      X  Y
 *     arrived      Y            X is overtaken: a segment that left later has arrived
 *     lost      sent(X) + rtt(Y) + window
 *
 * RFC 8985 begins with a window of a quarter of the shortest RTT, and lets it grow to one RTT. Here
 * it begins with one base RTT: a flow that leaves a path with one bandwidth-delay product of queue, at
 * which switches move it, overtakes itself by just that. It doubles whenever a segment taken for lost
 * turns out to have been late, once per base RTT, up to four of them. A loss is so noticed about two
 * round trips after it happened, which is well before the timeout.
 */
export class ReorderingDegree {
  #baseRtt: Duration;
  #window: Duration;
  #widenedAt: Instant = -Infinity;
  /** Departure of the segment that left last among those that have arrived. */
  #latestSentAt: Instant = -Infinity;
  #latestSequence = -1;
  #latestRtt: Duration = 0;
  #rttMin: Duration = Infinity;

  constructor(baseRtt: Duration) {
    this.#baseRtt = baseRtt;
    this.#window = baseRtt;
  }

  get window(): Duration {
    return this.#window;
  }

  /** T is known better; what was learnt of reordering stays learnt, in T. */
  onBaseRtt(baseRtt: Duration): void {
    this.#window *= baseRtt / this.#baseRtt;
    this.#baseRtt = baseRtt;
  }

  /** All departures count as later by so much. */
  handleStandstill(duration: Duration): void {
    this.#latestSentAt += duration;
  }

  /** True if a segment that left later has arrived. */
  isOvertaken(sentAt: Instant, sequence: number): boolean {
    const latest = this.#latestSentAt;
    return sentAt < latest || (sentAt === latest && sequence < this.#latestSequence);
  }

  /** Time from which an overtaken segment counts as lost. */
  lostFrom(sentAt: Instant): Instant {
    return sentAt + this.#latestRtt + this.#window;
  }

  /** A segment that was sent once has arrived. */
  onArrival(now: Instant, sentAt: Instant, sequence: number): void {
    const rtt = now - sentAt;
    if (rtt < this.#rttMin) this.#rttMin = rtt;
    this.#noteLatest(rtt, sentAt, sequence);
  }

  /** One that was sent again has arrived: its copy, or the original, which then was only late. */
  onRepeatedArrival(now: Instant, sentAt: Instant, sequence: number): void {
    const rtt = now - sentAt;
    if (this.#rttMin !== Infinity && rtt < this.#rttMin) this.onLateArrival(now);
    else this.#noteLatest(rtt, sentAt, sequence);
  }

  /** A segment was taken for lost and has arrived all the same. */
  onLateArrival(now: Instant): void {
    if (now - this.#widenedAt < this.#baseRtt) return;
    this.#widenedAt = now;
    this.#window = Math.min(2 * this.#window, WINDOW_RTTS_MAX * this.#baseRtt);
  }

  #noteLatest(rtt: Duration, sentAt: Instant, sequence: number): void {
    if (this.isOvertaken(sentAt, sequence)) return;
    this.#latestSentAt = sentAt;
    this.#latestSequence = sequence;
    this.#latestRtt = rtt;
  }
}
