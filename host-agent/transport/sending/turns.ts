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
  /** Segments to be sent again, and new ones, that may leave whatever the window is. */
  #again = 0;
  #turns = 0;
  /** Largest sequence of which the receiver has said that its turn has come. */
  #givenUpTo = -1;

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
    return this.#again > 0 || this.#turns > 0;
  }

  /** True if a new segment may leave though the flow waits. */
  get hasTurn(): boolean {
    return this.#turns > 0;
  }

  /**
   * The receiver, which has seen all up to `sequence`, has others send first.
   * @returns false, having done nothing, if that has had its turn already: answers overtake each other on many paths.
   */
  wait(now: Instant, sequence: number): boolean {
    if (sequence <= this.#givenUpTo) return false;
    this.#isWaiting = true;
    this.#toldAt = now;
    this.#end = Infinity;
    return true;
  }

  /** The turn of what is next has come; the receiver has seen all up to `sequence`. Returns false if nobody waits. */
  give(sequence: number): boolean {
    this.#givenUpTo = Math.max(this.#givenUpTo, sequence);
    if (this.#isWaiting) this.#turns++;
    return this.#isWaiting;
  }

  /** The receiver has room for a segment that was cut. */
  askAgain(): void {
    this.#again++;
  }

  /** A segment leaves. Returns whether it was asked for. */
  take(isNew: boolean): boolean {
    if (isNew && this.#turns > 0) this.#turns--;
    else if (this.#again > 0) this.#again--;
    else return false;
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
    this.#again = 0;
    this.#turns = 0;
  }
}
