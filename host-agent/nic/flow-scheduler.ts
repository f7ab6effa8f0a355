import { assert } from '../../common/assert';
import type { Instant, InstantCell } from '../../common/units/units';
import { Fifo } from './fifo';
import { TimerWheel } from './timer-wheel';

/** A flow as its scheduler sees it; `now` never goes backwards. */
export interface ScheduledFlow {
  /** True if its window and its pacing let it send now. */
  canSend(now: Instant): boolean;
  /** Writes the time at which it may have something to do after `now`, though it cannot send; or Infinity. */
  writeWakeup(now: Instant, into: InstantCell): void;
  /** Does what is due by now; does nothing when woken early. */
  handleWakeup(now: Instant): void;
  /** Its place among the flows of its scheduler, which writes it. PERF: looked for per packet. */
  slot?: number | undefined;
}

/**
 * Chooses whose packet an interface sends next. Flows that may send wait in a ring and take turns;
 * the others wait in a wheel of deadlines. A flow leaves the ring with its packet and comes back, at
 * the end, when its pacing and its window allow the next one.
 *
 *     waiting (wheel) --its time has come, or its window opened--> ready (ring) --sends--> waiting
 *
 * PERF: per packet one turn of the ring and one deadline; both cost the same for any number of flows.
 */
export class FlowScheduler<Flow extends ScheduledFlow> {
  readonly #flows: (Flow | undefined)[] = [];
  #size = 0;
  readonly #free: number[] = [];
  readonly #timers = new TimerWheel();
  /** True for a slot that waits in the ring; a slot whose flow has gone is free only when it leaves it. */
  readonly #isReady: boolean[] = [];
  /** Slots of ready flows in the order of their turns. */
  readonly #ring = new Fifo<number>();
  readonly #wakeup: InstantCell = new Float64Array(1);

  get size(): number {
    return this.#size;
  }

  add(now: Instant, flow: Flow): void {
    const slot = this.#free.pop() ?? this.#flows.length;
    this.#flows[slot] = flow;
    this.#isReady[slot] = false;
    flow.slot = slot;
    this.#size++;
    this.#place(now, flow, slot);
  }

  remove(flow: Flow): void {
    const { slot } = flow;
    if (slot === undefined || this.#flows[slot] !== flow) return;
    flow.slot = undefined;
    this.#size--;
    this.#timers.set(slot, Infinity);
    this.#flows[slot] = undefined;
    if (this.#isReady[slot] !== true) this.#free.push(slot);
  }

  /** Something happened to the flow: it may have become ready, or its deadline may have moved. */
  update(now: Instant, flow: Flow): void {
    const { slot } = flow;
    if (slot !== undefined) this.#place(now, flow, slot);
  }

  forEach(act: (flow: Flow) => void): void {
    for (const flow of this.#flows) if (flow !== undefined) act(flow);
  }

  /** Wakes the flows that are due. */
  handleWakeup(now: Instant): void {
    while (this.#timers.isDue(now)) {
      const slot = this.#timers.first ?? -1;
      const flow = this.#flows[slot];
      assert(flow !== undefined, 'a flow that has gone has no deadline');
      flow.handleWakeup(now);
      this.#place(now, flow, slot);
    }
    this.#timers.advanceTo(now);
  }

  /** The flow whose turn it is; the caller sends for it, then calls {@link update}. */
  take(now: Instant): Flow | undefined {
    this.handleWakeup(now);
    for (let slot = this.#ring.take(); slot !== undefined; slot = this.#ring.take()) {
      const flow = this.#flows[slot];
      this.#isReady[slot] = false;
      if (flow === undefined) {
        this.#free.push(slot);
        continue;
      }
      // Its deadline may have passed while it waited for its turn.
      flow.handleWakeup(now);
      if (flow.canSend(now)) return flow;
      this.#place(now, flow, slot);
    }
    return undefined;
  }

  /** True if {@link take} might find a flow by `until` if nothing happens before then. */
  mayTake(until: InstantCell): boolean {
    return !this.#ring.isEmpty || this.#timers.isDue(until[0] as number);
  }

  /** Writes the time to call {@link handleWakeup} next, or Infinity; it has been called for what is due. */
  writeWakeup(into: InstantCell): void {
    this.#timers.writeEarliest(into);
  }

  /** Time to call {@link handleWakeup} next, or Infinity. */
  wakeupAfter(now: Instant): Instant {
    this.handleWakeup(now);
    this.writeWakeup(this.#wakeup);
    return this.#wakeup[0] as number;
  }

  /** PERF: a flow in the ring needs no deadline, for it is looked at when its turn comes. */
  #place(now: Instant, flow: Flow, slot: number): void {
    if (this.#isReady[slot] === true) return;
    if (!flow.canSend(now)) {
      flow.writeWakeup(now, this.#timers.due);
      this.#timers.setToDue(slot);
      return;
    }
    this.#isReady[slot] = true;
    this.#ring.push(slot);
    this.#timers.set(slot, Infinity);
  }
}
