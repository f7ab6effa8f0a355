import { assert } from '../../common/assert';
import type { Duration, Instant } from '../../common/units/units';
import { EventHeap } from './event-heap';
import { Clock, EventQueue } from './event-queue';

/** Number of the queue of events of the whole network. */
const EVERYWHERE = 0;

/** Division of a run's nodes among event queues. */
export interface QueuePlan {
  /** A name for each set of nodes that share a queue. */
  readonly queueOf: (node: string) => string;
  /** No event of one queue changes anything in another one sooner; Infinity where there is one queue. */
  readonly lookahead: Duration;
  /** No window contains a multiple of it and the instant before. */
  readonly period: Duration;
}

/**
 * Virtual time of a run. What happens to the whole network, such as failures of links, comes before all
 * that happens to a node at its instant, and who looks on at the whole network comes after that. In between
 * nodes take turns in windows of the lookahead: all that happens to one in a window, then all that happens to the next.
 * Nothing that happens to another node in the window could be felt, so that results are those of one
 * queue; in the words of parallel simulation, queues are logical processes on one thread.
 * PERF: state and code of one node stay in the processor's caches for a window, not for one event.
 */
export class VirtualTime {
  /** Place of the present event. */
  readonly clock = new Clock();
  /** Events of the whole network. */
  readonly everywhere: EventQueue;
  /** Those who look on at the whole network, and change nothing. */
  readonly observers: EventQueue;
  /** Queues by the time of their first event; {@link everywhere} has the first number. */
  readonly #order = new EventHeap();
  readonly #queues: EventQueue[] = [];
  /** The same of {@link observers} alone. */
  readonly #looks = new EventHeap();
  readonly #byName = new Map<string, EventQueue>();
  readonly #o: QueuePlan;
  #isStopped = false;

  constructor(plan: QueuePlan) {
    assert(plan.lookahead >= 1, 'what one queue changes in another one takes time');
    this.#o = plan;
    this.everywhere = this.#newQueue();
    this.observers = new EventQueue(this.clock, this.#looks);
  }

  /** The queue of a node. Nodes have to ask for the first time in the same order in every run. */
  queueOf(node: string): EventQueue {
    const name = this.#o.queueOf(node);
    const queue = this.#byName.get(name) ?? this.#newQueue();
    this.#byName.set(name, queue);
    return queue;
  }

  /** Time of the present event; between two calls of {@link run}, of the last event so far. */
  get now(): Instant {
    return this.clock.now;
  }

  /** Time of the next event, or undefined when there is none. */
  get nextTime(): Instant | undefined {
    const first = Math.min(this.#order.firstTime, this.#looks.firstTime);
    return first === Infinity ? undefined : first;
  }

  /** Number of events that each source has had, in the order of the queues. */
  get handled(): readonly number[] {
    return [this.observers, ...this.#queues].flatMap(({ handled }) => handled);
  }

  /**
   * Runs events up to the instant `until`, unless stopped, and about `events` of them: windows are not
   * left half done. Returns true if more events are due by `until`.
   */
  run(until: Instant, events: number): boolean {
    this.#isStopped = false;
    for (let left = events; left > 0 && !this.#isStopped;) {
      if (!this.#isDue(until)) return false;
      left -= this.#runNext(until, left);
    }
    return this.#isDue(until);
  }

  #isDue(until: Instant): boolean {
    return this.#order.isDue(until) || this.#looks.isDue(until);
  }

  /** Runs what is due next, up to `until`; returns the number of events. */
  #runNext(until: Instant, most: number): number {
    const order = this.#order;
    if (!order.isDue(Math.min(until, this.#looks.firstTime))) return this.observers.run(until, 1);
    return order.first === EVERYWHERE
      ? this.everywhere.run(until, 1)
      : this.#runWindow(until, most);
  }

  /** Ends {@link run} behind the present event, or the present window of several queues. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Runs the next window; returns the number of events. */
  #runWindow(until: Instant, most: number): number {
    const order = this.#order;
    const { lookahead, period } = this.#o;
    const start = order.firstTime;
    const periodEnd = (Math.floor(start / period) + 1) * period - 1;
    const others = Math.min(order.timeOf(EVERYWHERE) - 1, this.#looks.firstTime);
    const end = Math.min(start + lookahead - 1, periodEnd, until, others);
    const mostOfQueue = lookahead === Infinity ? most : Infinity;
    let count = 0;
    let latest = start;
    while (order.isDue(end) && (lookahead < Infinity || count < most)) {
      count += (this.#queues[order.first] as EventQueue).run(end, mostOfQueue);
      if (this.clock.now > latest) latest = this.clock.now;
    }
    this.clock.now = latest;
    return count;
  }

  #newQueue(): EventQueue {
    const queue = new EventQueue(this.clock, this.#order);
    this.#queues.push(queue);
    return queue;
  }
}
