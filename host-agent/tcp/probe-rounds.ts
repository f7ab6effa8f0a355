import type { Duration, Instant } from '../../common/units/units';
import { milliseconds } from '../../common/units/units';
import { PROBE_IDS } from './probe-frame';

/** Before a response has told the round trip. */
const FIRST_TIMEOUT: Duration = milliseconds(200);
/** Least timeout, for a machine with other work; a round trip without that may be much shorter. */
const TIMEOUT_MIN: Duration = milliseconds(50);
const TIMEOUT_RTTS = 4;
const BACKOFF_MAX = 8;

/**
 * Use of a response. `mark`: its probe followed the last change of the rate, so it only begins a
 * measurement. `measure`: everything since the mark was sent at the present rate.
 */
export type ProbeRole = 'mark' | 'measure';

export interface ProbeAnswer {
  readonly role: ProbeRole;
  readonly rtt: Duration;
  readonly sentAt: Instant;
}

/** When probes leave, and what their answers mean. */
export interface ProbeSchedule {
  /** When the next probe may have to leave. */
  readonly nextAt: Instant;
  /** Probes that were not answered in time since the last answer. */
  readonly unanswered: number;
  readonly sent: number;
  readonly lost: number;
  /** For how long the probe that is waited for has been on its way; 0 if none is. */
  waitingFor(now: Instant): Duration;
  /** A probe leaves now, not before {@link nextAt}; returns its id. */
  onSend(now: Instant): number;
  /** Returns undefined for an id that nothing waits for. */
  onResponse(now: Instant, id: number): ProbeAnswer | undefined;
  /** The flow was silent: nothing measured before counts. */
  restart(now: Instant): void;
}

/**
 * One probe at a time, the next one when the response has come. A round has two: rates are measured
 * between both, because what a single probe per round trip measures was half sent at the rate before
 * the last change, and correcting that once more would never settle.
 *
 *      rate set          gap            next rate set
 *         | mark ------> mark answered     |
 *         |<------- gap ------->| measure ---> measure answered
 */
export class ProbeRounds implements ProbeSchedule {
  unanswered = 0;
  sent = 0;
  lost = 0;
  #role: ProbeRole = 'mark';
  #sendAt: Instant;
  #gap: Duration = 0;
  #waiting: { readonly id: number; readonly sentAt: Instant; readonly until: Instant } | undefined;
  #id: number;
  #rtt: Duration | undefined;

  /** @param firstId should differ between connections that use the same ports one after the other. */
  constructor(now: Instant, firstId: number) {
    this.#sendAt = now;
    this.#id = firstId % PROBE_IDS;
  }

  get nextAt(): Instant {
    return this.#waiting?.until ?? this.#sendAt;
  }

  waitingFor(now: Instant): Duration {
    return this.#waiting === undefined ? 0 : now - this.#waiting.sentAt;
  }

  /** Sets the least gap between both probes of a round. */
  setGap(gap: Duration): void {
    this.#gap = gap;
  }

  onSend(now: Instant): number {
    if (this.#waiting !== undefined) {
      this.unanswered++;
      this.lost++;
    }
    this.#id = (this.#id + 1) % PROBE_IDS;
    this.#waiting = { id: this.#id, sentAt: now, until: now + this.#timeout() };
    this.sent++;
    return this.#id;
  }

  onResponse(now: Instant, id: number): ProbeAnswer | undefined {
    const waiting = this.#waiting;
    if (waiting?.id !== id) return undefined;
    const { sentAt } = waiting;
    const answer = { role: this.#role, rtt: now - sentAt, sentAt };
    this.#waiting = undefined;
    this.unanswered = 0;
    this.#rtt = answer.rtt;
    this.#sendAt = answer.role === 'mark' ? Math.max(now, sentAt + this.#gap) : now;
    this.#role = answer.role === 'mark' ? 'measure' : 'mark';
    return answer;
  }

  restart(now: Instant): void {
    this.#waiting = undefined;
    this.#role = 'mark';
    this.#sendAt = now;
    this.unanswered = 0;
  }

  #timeout(): Duration {
    const backoff = Math.min(2 ** this.unanswered, BACKOFF_MAX);
    if (this.#rtt === undefined) return FIRST_TIMEOUT * backoff;
    return Math.max(TIMEOUT_MIN, TIMEOUT_RTTS * this.#rtt) * backoff;
  }
}
