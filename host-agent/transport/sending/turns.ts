import type { Instant } from '../../../common/units/units';

/**
 * Turns of one flow at a receiver whose link is promised to trimmed data: what has not left yet waits until the
 * receiver asks for it, a segment at a time, and what it asks for leaves at once, whatever the window is. A wait ends
 * with the acknowledgement of the segment that left in its turn, unless the receiver has told another one before.
 */
export class Turns {
  #isWaiting = false;
  #toldAt: Instant = 0;
  /** End of the segment that left in its turn; Infinity before it leaves. */
  #end = Infinity;
  #asked = 0;
  /** Largest sequence that the receiver has asked for. */
  #askedUpTo = -1;

  /** True if nothing new may leave but what was asked for. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Instant at which the receiver told the wait. */
  get toldAt(): Instant {
    return this.#toldAt;
  }

  /** True if a segment may leave that the receiver has room for. */
  get isAsked(): boolean {
    return this.#asked > 0;
  }

  /**
   * The receiver, which has seen all up to `sequence`, has others send first.
   * @returns false, having done nothing, if it has asked for that already: answers overtake each other on many paths.
   */
  wait(now: Instant, sequence: number): boolean {
    if (sequence <= this.#askedUpTo) return false;
    this.#isWaiting = true;
    this.#toldAt = now;
    this.#end = Infinity;
    return true;
  }

  /** The receiver asks for what begins at `sequence`, which is cut, or the next of the flow. */
  noteAsk(sequence: number): void {
    this.#askedUpTo = Math.max(this.#askedUpTo, sequence);
  }

  /** The receiver has room for a segment. */
  ask(): void {
    this.#asked++;
  }

  /** A segment leaves. Returns whether it was asked for. */
  take(): boolean {
    if (this.#asked === 0) return false;
    this.#asked--;
    return true;
  }

  /** A segment leaves for the first time. */
  noteNew(end: number): void {
    if (this.#isWaiting) this.#end = end;
  }

  /** All up to `sequence`, or something behind it, has arrived. */
  noteArrival(sequence: number): void {
    if (sequence >= this.#end) this.#isWaiting = false;
  }

  /** Nothing was heard for long. */
  forget(): void {
    this.#isWaiting = false;
    this.#asked = 0;
  }
}
