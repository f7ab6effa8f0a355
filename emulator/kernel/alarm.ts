import type { Instant } from '../../common/units/units';
import type { EventQueue, EventTarget } from './event-queue';

interface Entry {
  readonly at: Instant;
  readonly what: number;
}

/**
 * Calls a function at the instants that it is set for: for whatever has many of them, which need not be
 * fast. Of equal instants the one that was set first comes first.
 * PERF: the queue calls nodes and links directly, and one class for all the rest; with more than four
 * classes of targets the engine would look the method up for each event.
 */
export class Alarm implements EventTarget {
  readonly #queue: EventQueue;
  readonly #source: number;
  readonly #ring: (now: Instant, what: number) => void;
  /** The next one last. */
  readonly #entries: Entry[] = [];

  /** @param source number of the alarm among the sources of the queue */
  constructor(queue: EventQueue, source: number, ring: (now: Instant, what: number) => void) {
    this.#queue = queue;
    this.#source = source;
    this.#ring = ring;
    queue.bind(source, this, 0);
  }

  /** Sets the alarm for one more instant, at which it rings with `what`. */
  set(at: Instant, what: number): void {
    const later = this.#countAfter(at);
    if (later === this.#entries.length) this.#queue.set(this.#source, at);
    this.#entries.splice(later, 0, { at, what });
  }

  handleEvent(now: Instant): void {
    const due = this.#entries.pop();
    const next = this.#entries.at(-1);
    if (next !== undefined) this.#queue.set(this.#source, next.at);
    if (due !== undefined) this.#ring(now, due.what);
  }

  /** Number of entries later than an instant. */
  #countAfter(at: Instant): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry).at > at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
