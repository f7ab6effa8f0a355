import { PS_PER_SECOND } from '../../common/units/units';
import type { BitsPerSecond, Instant } from '../../common/units/units';

/** Bytes of a full frame of standard Ethernet with what is around it on the wire. */
const FRAME_ON_WIRE = 1538;
/** Pauses at once. */
const BURST = 64;

/**
 * Pauses that a port obeys within a time: one per full frame of its link, and a burst. A neighbour pauses and
 * resumes by what has drained, so an honest one never needs more; a flood of pauses is cut to this.
 */
export class PauseAllowance {
  readonly #perSecond: number;
  #tokens = BURST;
  #at: Instant = 0;

  constructor(rate: BitsPerSecond) {
    this.#perSecond = rate / (8 * FRAME_ON_WIRE);
  }

  /** Takes one; false when none is left. */
  take(now: Instant): boolean {
    const earned = ((now - this.#at) / PS_PER_SECOND) * this.#perSecond;
    this.#tokens = Math.min(BURST, this.#tokens + earned);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
