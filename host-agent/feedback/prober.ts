import type { Duration, Instant } from '../../common/units/units';

/** Wait for a response, in base RTTs, before asking again; doubled each time up to the maximum. */
const TIMEOUT_RTTS = 3;
const BACKOFF_MAX = 64;

/** Use of a response to a probe. `late`: another one that was sent later has been used already. */
export type ProbeVerdict = 'round' | 'same-round' | 'late' | 'unknown';

/**
 * Schedule of a flow's probes: one request at a time, the next one when the response has arrived and T has
 * passed, only while data is in flight or has left since.
 *
 *     idle --data in flight--> waiting --response--> idle
 *                                 \--timeout--> waiting (for the next request)
 *
 * Where round trips are shorter than T, requests by round trips would take more of the link than one
 * per T, and measure over times in which few packets are sent.
 *
 * The first request gets company as soon as more data has followed: alone it gives the algorithm
 * nothing to compare with, and the flow would run at line rate for two round trips. The second one
 * leaves with the burst that makes the first queue.
 */
export class Prober {
  #baseRtt: Duration;
  #nextId = 1;
  /** Ids up to this one have been answered, or overtaken by answers. */
  #answered = 0;
  /** Requests up to this id are no longer waited for. */
  #givenUp = 0;
  /** Responses up to this id describe packets that left before the last change of the window. */
  #roundEndsAfter = 0;
  #deadline: Instant = Infinity;
  /** Time before which no request follows one that has been answered. */
  #notBefore: Instant = -Infinity;
  #backoff = 1;
  #dataSinceProbe = 0;
  #sent = 0;
  #timeouts = 0;

  constructor(baseRtt: Duration) {
    this.#baseRtt = baseRtt;
  }

  /** T was measured, or has changed. */
  onBaseRtt(baseRtt: Duration): void {
    this.#baseRtt = baseRtt;
  }

  /** Time at which a flow with data in flight may have to ask again. */
  get deadline(): Instant {
    return this.#deadline === Infinity ? this.#notBefore : this.#deadline;
  }

  get counters() {
    return { probesSent: this.#sent, probeTimeouts: this.#timeouts };
  }

  onData(): void {
    this.#dataSinceProbe++;
  }

  /** True if a request shall leave now. */
  isDue(now: Instant, isAnythingInFlight: boolean): boolean {
    // A slow interface may not be free for a request before the data is acknowledged.
    if (this.#deadline === Infinity) {
      return now >= this.#notBefore && (isAnythingInFlight || this.#dataSinceProbe > 0);
    }
    if (!isAnythingInFlight) return false;
    if (now >= this.#deadline) return true;
    return this.#nextId === 2 && this.#answered === 0 && this.#dataSinceProbe > 0;
  }

  /** A request leaves now; returns its id. */
  onSend(now: Instant): number {
    if (now >= this.#deadline) {
      this.#timeouts++;
      this.#givenUp = this.#nextId - 1;
      this.#backoff = Math.min(2 * this.#backoff, BACKOFF_MAX);
    }
    this.#deadline = now + TIMEOUT_RTTS * this.#baseRtt * this.#backoff;
    this.#notBefore = now + this.#baseRtt;
    this.#dataSinceProbe = 0;
    this.#sent++;
    return this.#nextId++;
  }

  /** An answer that names no request arrived: it is for the oldest that is waited for. */
  onUnnamedResponse(): ProbeVerdict {
    const id = Math.max(this.#answered, this.#givenUp) + 1;
    return id < this.#nextId ? this.onResponse(id) : 'late';
  }

  /** A response to request `id` arrived. */
  onResponse(id: number): ProbeVerdict {
    if (id >= this.#nextId) return 'unknown';
    if (id <= this.#answered) return 'late';
    this.#answered = id;
    this.#backoff = 1;
    if (id === this.#nextId - 1) this.#deadline = Infinity;
    if (id <= this.#roundEndsAfter) return 'same-round';
    this.#roundEndsAfter = this.#nextId - 1;
    return 'round';
  }
}
