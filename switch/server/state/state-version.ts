/**
 * Counts the changes of what requests may show, in memory that other threads see: an answer that was made at the
 * present count is still the answer. It counts before a client hears that its change is made.
 */
export class StateVersion {
  readonly #count: Int32Array;

  /** @param memory of the count of another thread; of one of its own unless given. Undefined: no other thread looks. */
  constructor(readonly memory = sharedMemory()) {
    this.#count = new Int32Array(memory ?? new ArrayBuffer(COUNT_BYTES));
  }

  get now(): number {
    return Atomics.load(this.#count, 0);
  }

  changed(): void {
    Atomics.add(this.#count, 0, 1);
  }
}

const COUNT_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Undefined in pages of a browser that are not isolated from others, which share memory with no thread. */
const sharedMemory = (): SharedArrayBuffer | undefined =>
  typeof SharedArrayBuffer === 'undefined' ? undefined : new SharedArrayBuffer(COUNT_BYTES);
