import type { Instant } from '../../common/units/units';

const NEXT = 0;
const FINISHED = 1;
const LAST_FINISH = 2;
const OVERFLOWS = 3;
const STOPS = 4;
const SENDS = 5;
const PACKET_HOPS = 0;
const DELIVERED = 1;
const NOW = 2;
/** Numbers of each worker, of which the first are written twice, in turn; a line of the caches each. */
const NUMBERS = 8;
const COPIES = 2;

/** Message of a worker to the others between two windows. */
export interface Notice {
  /** The next event that it knows of, wherever that happens; Infinity: none. */
  readonly next: Instant;
  /** Flows that have ended, and when the last of them did; -1: none. */
  readonly finished: number;
  readonly lastFinish: Instant;
  /** It has packets for others that found no room. */
  readonly overflows: boolean;
  /** The run shall end here. */
  readonly stops: boolean;
  /** It has observed so much that all shall send what they have observed. */
  readonly sends: boolean;
}

/** Progress of a part of a run. */
export interface PartProgress {
  readonly packetHops: number;
  readonly deliveredBytes: number;
  readonly now: Instant;
}

/** Bytes of memory of a board. */
export const boardMemory = (workers: number): number => workers * NUMBERS * (COPIES + 1) * 8;

/**
 * Shared memory in which workers publish their progress. Between two passes of the barrier all
 * write, then all read; a worker that is ahead writes into the other copy.
 */
export class Board {
  readonly #numbers: Float64Array;
  readonly #workers: number;
  #copy = 0;

  /** @param memory of {@link boardMemory} bytes, 0 at the beginning, shared by all */
  constructor(memory: SharedArrayBuffer, workers: number) {
    this.#numbers = new Float64Array(memory);
    this.#workers = workers;
  }

  /** Writes a worker's notice, before the barrier. */
  write(worker: number, notice: Notice): void {
    const at = this.#place(worker, this.#copy);
    this.#numbers[at + NEXT] = notice.next;
    this.#numbers[at + FINISHED] = notice.finished;
    this.#numbers[at + LAST_FINISH] = notice.lastFinish;
    this.#numbers[at + OVERFLOWS] = notice.overflows ? 1 : 0;
    this.#numbers[at + STOPS] = notice.stops ? 1 : 0;
    this.#numbers[at + SENDS] = notice.sends ? 1 : 0;
  }

  /** Reads the notices of all, combined into one; call it once behind the barrier. */
  read(): Notice {
    let next = Infinity;
    let finished = 0;
    let lastFinish = -1;
    let overflowing = 0;
    let stopping = 0;
    let sending = 0;
    for (let worker = 0; worker < this.#workers; worker++) {
      const at = this.#place(worker, this.#copy);
      next = Math.min(next, this.#numbers[at + NEXT] as number);
      finished += this.#numbers[at + FINISHED] as number;
      lastFinish = Math.max(lastFinish, this.#numbers[at + LAST_FINISH] as number);
      overflowing += this.#numbers[at + OVERFLOWS] as number;
      stopping += this.#numbers[at + STOPS] as number;
      sending += this.#numbers[at + SENDS] as number;
    }
    this.#copy = 1 - this.#copy;
    const flags = { overflows: overflowing > 0, stops: stopping > 0, sends: sending > 0 };
    return { next, finished, lastFinish, ...flags };
  }

  /** Writes a worker's progress, at any time. */
  writeProgress(worker: number, { packetHops, deliveredBytes, now }: PartProgress): void {
    const at = this.#place(worker, COPIES);
    this.#numbers[at + PACKET_HOPS] = packetHops;
    this.#numbers[at + DELIVERED] = deliveredBytes;
    this.#numbers[at + NOW] = now;
  }

  /** Progress of all parts together, as far as they have written it. */
  readProgress(): PartProgress {
    let [packetHops, deliveredBytes, now] = [0, 0, Infinity];
    for (let worker = 0; worker < this.#workers; worker++) {
      const at = this.#place(worker, COPIES);
      packetHops += this.#numbers[at + PACKET_HOPS] as number;
      deliveredBytes += this.#numbers[at + DELIVERED] as number;
      now = Math.min(now, this.#numbers[at + NOW] as number);
    }
    return { packetHops, deliveredBytes, now };
  }

  #place(worker: number, copy: number): number {
    return (worker * (COPIES + 1) + copy) * NUMBERS;
  }
}
