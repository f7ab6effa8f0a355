import type { Duration, Instant } from '../../common/units/units';
import { seconds } from '../../common/units/units';
import { PROBE_IDS } from './probe-frame';
import type { ProbeAnswer, ProbeSchedule } from './probe-rounds';

/** A probe that is older was lost. */
const LOST_AFTER: Duration = seconds(2);

/**
 * A probe each interval, whatever comes back: to measure queues. A prober that waits for responses
 * would look less often when queues are long.
 */
export class SteadyProbes implements ProbeSchedule {
  unanswered = 0;
  sent = 0;
  lost = 0;
  nextAt: Instant;
  readonly #interval: Duration;
  readonly #sentAt = new Map<number, Instant>();
  #id: number;

  constructor(now: Instant, firstId: number, interval: Duration) {
    this.nextAt = now;
    this.#id = firstId % PROBE_IDS;
    this.#interval = interval;
  }

  waitingFor(): Duration {
    return 0;
  }

  onSend(now: Instant): number {
    this.#forgetLost(now);
    this.nextAt = now + this.#interval;
    this.#id = (this.#id + 1) % PROBE_IDS;
    this.#sentAt.set(this.#id, now);
    this.sent++;
    return this.#id;
  }

  onResponse(now: Instant, id: number): ProbeAnswer | undefined {
    const sentAt = this.#sentAt.get(id);
    if (sentAt === undefined) return undefined;
    this.#sentAt.delete(id);
    this.unanswered = 0;
    return { role: 'measure', rtt: now - sentAt, sentAt };
  }

  restart(now: Instant): void {
    this.#sentAt.clear();
    this.nextAt = now;
    this.unanswered = 0;
  }

  /** The map keeps the order of sending. */
  #forgetLost(now: Instant): void {
    for (const [id, sentAt] of this.#sentAt) {
      if (now - sentAt < LOST_AFTER) return;
      this.#sentAt.delete(id);
      this.unanswered++;
      this.lost++;
    }
  }
}
