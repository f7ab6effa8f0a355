import { assert } from '../../common/assert';
import type { Bytes } from '../../common/units/units';

/** Bytes that a queue of weight 1 may send per turn: a full frame, so that every turn sends one. */
const QUANTUM: Bytes = 1518;

/** Tells whether a queue has a packet that may leave. */
type IsReady = (queue: number) => boolean;

/**
 * Deficit weighted round robin over the queues of a port. A queue at its turn gets its quantum, and sends
 * while it has credit; what it has sent is charged when its last byte is known, since egress may have
 * made the packet longer or dropped it. What it overdraws, it owes at its next turn, so that the bytes on
 * the wire keep to the weights exactly. Credit of a queue that falls empty is lost, its debt is not.
 *
 * Queues without a weight come first, the highest number first, as everywhere else.
 */
export class WeightedRoundRobin {
  readonly #weights: number[];
  readonly #credit: Bytes[];
  /** The weighted queue whose turn it is. */
  #turn = 0;
  /** The queue that was served last. */
  #served = 0;

  constructor(queues: number) {
    this.#weights = new Array<number>(queues).fill(0);
    this.#credit = new Array<Bytes>(queues).fill(0);
  }

  /** 0: the queue is served before those with a weight. */
  setWeight(queue: number, weight: number): void {
    assert(Number.isInteger(weight) && weight >= 0, 'a weight is a whole number');
    this.#weights[queue] = weight;
    this.#credit[queue] = 0;
  }

  /** The queue that is served next; undefined if none is ready. */
  next(isReady: IsReady): number | undefined {
    const queue = this.#strict(isReady) ?? this.#weighted(isReady);
    if (queue !== undefined) this.#served = queue;
    return queue;
  }

  /** Charges the bytes that have left to the queue that was served last. */
  charge(bytes: Bytes): void {
    if ((this.#weights[this.#served] ?? 0) === 0) return;
    this.#credit[this.#served] = (this.#credit[this.#served] ?? 0) - bytes;
  }

  #strict(isReady: IsReady): number | undefined {
    for (let queue = this.#weights.length - 1; queue >= 0; queue--) {
      if (this.#weights[queue] === 0 && isReady(queue)) return queue;
    }
    return undefined;
  }

  #weighted(isReady: IsReady): number | undefined {
    const queues = this.#weights.length;
    let isAnyReady = false;
    for (let queue = 0; queue < queues; queue++) {
      if ((this.#weights[queue] ?? 0) === 0) continue;
      if (isReady(queue)) isAnyReady = true;
      else if ((this.#credit[queue] ?? 0) > 0) this.#credit[queue] = 0;
    }
    if (!isAnyReady) return undefined;
    // Every round adds to the credit of a queue that is ready, so that the debt of one ends.
    for (;;) {
      const queue = this.#turn;
      if ((this.#weights[queue] ?? 0) > 0 && isReady(queue) && (this.#credit[queue] ?? 0) > 0) {
        return queue;
      }
      this.#turn = (queue + 1) % queues;
      this.#begin(this.#turn, isReady);
    }
  }

  /** The turn of a queue begins. */
  #begin(queue: number, isReady: IsReady): void {
    const weight = this.#weights[queue] ?? 0;
    if (weight === 0 || !isReady(queue)) return;
    this.#credit[queue] = (this.#credit[queue] ?? 0) + weight * QUANTUM;
  }
}
