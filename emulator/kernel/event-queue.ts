import { assert } from '../../common/assert';
import type { Instant, InstantCell } from '../../common/units/units';
import { EventHeap } from './event-heap';

/** Handles the events of its sources. `what` is the number that it has bound a source with. */
export interface EventTarget {
  handleEvent(now: Instant, what: number): void;
}

/** The present instant, and its place among the events of the instant. */
export class Clock {
  /** PERF: an instant in a field would be an object of its own. */
  readonly #now = new Float64Array(1);
  #rank = -1;
  /**
   * The present instant as an object. PERF: undefined at first, so that the field holds objects; what is
   * read from it is passed on as it is, where an instant from a typed array would be made an object for each call.
   */
  #present: Instant | undefined;

  get now(): Instant {
    return this.#now[0] as number;
  }

  set now(now: Instant) {
    this.#now[0] = now;
    this.#present = undefined;
  }

  /**
   * Largest rank of an event of the present instant. Instant and rank are a place in the order of all
   * events of a run with one queue, which never goes back: of two workers that share the events,
   * whichever has the earlier place would have come first there.
   */
  get rank(): number {
    return this.#rank;
  }

  /** {@link now}, for those who pass it on. */
  get present(): Instant {
    return this.#present as Instant;
  }

  /** Goes on to an event. */
  advance(now: Instant, rank: number): void {
    const isLater = now !== this.#now[0];
    if (rank > this.#rank || isLater) this.#rank = rank;
    this.#now[0] = now;
    if (isLater || this.#present === undefined) this.#present = now;
  }
}

/**
 * Future events of some nodes: at most one of each source, in order of time, and of equal times in order
 * of the sources' numbers. A source is whatever has one thing at a time to wait for: a link its next
 * arrival, a port the end of a transmission, a host its next turn.
 */
export class EventQueue {
  readonly #clock: Clock;
  readonly #heap = new EventHeap();
  readonly #targets: (EventTarget | undefined)[] = [];
  readonly #whats: number[] = [];
  readonly #handled: number[] = [];
  /** All queues of the run by the time of their first event, and the number of this one there. */
  readonly #queues: EventHeap;
  readonly #number: number;
  #isRunning = false;

  constructor(clock: Clock, queues: EventHeap) {
    this.#clock = clock;
    this.#queues = queues;
    this.#number = queues.add();
  }

  /** Time of the event that was taken last, of this queue or another one. */
  get now(): Instant {
    return this.#clock.now;
  }

  /** Numbers of events that the sources have had. */
  get handled(): readonly number[] {
    return this.#handled;
  }

  /** The number of one more source; they have to be numbered in the same order in every run. */
  newSource(): number {
    this.#targets.push(undefined);
    this.#whats.push(0);
    this.#handled.push(0);
    return this.#heap.add();
  }

  /** Lets `target` handle the events of a source. */
  bind(source: number, target: EventTarget, what: number): void {
    assert(this.#targets[source] === undefined, `source ${source} has one target`);
    this.#targets[source] = target;
    this.#whats[source] = what;
  }

  /** When the event of a source is due; Infinity where it has none. */
  timeOf(source: number): Instant {
    return this.#heap.timeOf(source);
  }

  /** True if the event of a source is due at the instant in a cell. */
  isDueAt(source: number, at: InstantCell): boolean {
    return this.#heap.isAt(source, at);
  }

  /** The event of a source is due at `at`, which does not lie in the past, instead of when it was. */
  set(source: number, at: Instant): void {
    this.due[0] = at;
    this.setToDue(source);
  }

  /** Instant for {@link setToDue}. PERF: an instant that is an argument of a call becomes an object. */
  get due(): InstantCell {
    return this.#heap.due;
  }

  /** The event of a source is due at {@link due}, which does not lie in the past, instead of when it was. */
  setToDue(source: number): void {
    assert((this.due[0] as number) >= this.#clock.now, 'no event lies before now');
    this.#heap.setToDue(source);
    if (!this.#isRunning) this.#file();
  }

  /** The source has no event. */
  cancel(source: number): void {
    this.#heap.remove(source);
    if (!this.#isRunning) this.#file();
  }

  /** Handles at most `most` events up to `until`; returns their number. */
  run(until: Instant, most: number): number {
    const heap = this.#heap;
    let count = 0;
    this.#isRunning = true;
    for (; count < most && heap.isDue(until); count++) this.#handleFirst();
    this.#isRunning = false;
    this.#file();
    return count;
  }

  #handleFirst(): void {
    const heap = this.#heap;
    const source = heap.first;
    // What happens to the whole network comes first.
    this.#clock.advance(heap.timeOf(source), this.#number === 0 ? 0 : source + 1);
    heap.takeFirst();
    this.#handled[source] = (this.#handled[source] as number) + 1;
    const target = this.#targets[source] as EventTarget;
    target.handleEvent(this.#clock.present, this.#whats[source] as number);
  }

  /** Puts the queue in its place among the others. PERF: most events change nothing about it. */
  #file(): void {
    const first = this.#heap.firstTime;
    if (first === this.#queues.timeOf(this.#number)) return;
    if (first === Infinity) this.#queues.remove(this.#number);
    else this.#queues.set(this.#number, first);
  }
}
