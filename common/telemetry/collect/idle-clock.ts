/** Looks for what is idle so many times while something may be. */
const LOOKS = 8;

/** Time of the reports, and how long what they told of is kept that no further one tells of. */
export class IdleClock {
  /** Time of the datagram that is read, in ms. */
  now = 0;
  #lookedAt = -Infinity;

  /** @param idleMs Infinity to keep everything. */
  constructor(readonly idleMs = Infinity) {}

  /**
   * Sets the time, which may stand still or be unknown.
   * @returns the time before which what was last told of is to be forgotten, when it is time to look for it.
   */
  advance(now: number | null): number | undefined {
    if (now === null || now <= this.now) return undefined;
    this.now = now;
    if (now - this.#lookedAt < this.idleMs / LOOKS) return undefined;
    this.#lookedAt = now;
    return this.idleMs === Infinity ? undefined : now - this.idleMs;
  }
}
