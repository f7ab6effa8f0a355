import type { Duration, Instant } from '../../common/units/units';

/** Parts of the window; a value is forgotten up to one of them early. */
const PARTS = 4;

/**
 * The least of the values of late, in memory that does not grow: the window moves on in steps of a
 * quarter of its length. Nothing is forgotten without anything newer.
 */
export class WindowedMinimum {
  readonly #partLength: Duration;
  /** The least value of each part of the window, oldest first. */
  #parts: { readonly number: number; least: number }[] = [];

  constructor(window: Duration) {
    this.#partLength = window / PARTS;
  }

  /** Infinity before the first value. */
  get value(): number {
    return this.#parts.reduce((least, part) => Math.min(least, part.least), Infinity);
  }

  /** `now` does not go back. */
  note(now: Instant, value: number): void {
    const number = Math.floor(now / this.#partLength);
    if (this.#parts.at(-1)?.number !== number) {
      this.#parts = this.#parts.filter((part) => part.number > number - PARTS);
      this.#parts.push({ number, least: Infinity });
    }
    const latest = this.#parts.at(-1);
    if (latest !== undefined) latest.least = Math.min(latest.least, value);
  }
}
