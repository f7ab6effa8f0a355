import type { Instant } from '../../common/units/units';
import type { EventTarget } from './event-queue';

/**
 * Calls a function when its events are due: for whatever has few of them.
 * PERF: the queue calls nodes and links directly, and one class for all the rest; with more than four
 * classes of targets the engine would look the method up for each event.
 */
export class Alarm implements EventTarget {
  readonly #ring: (now: Instant, what: number) => void;

  constructor(
    readonly source: number,
    ring: (now: Instant, what: number) => void,
  ) {
    this.#ring = ring;
  }

  handleEvent(now: Instant, what: number): void {
    this.#ring(now, what);
  }
}
