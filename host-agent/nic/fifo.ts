const INITIAL_CAPACITY = 16;

/**
 * First in, first out.
 * PERF: a ring that doubles when it is full, so that an item costs no allocation.
 */
export class Fifo<Item> {
  #items = new Array<Item | undefined>(INITIAL_CAPACITY).fill(undefined);
  #head = 0;
  #size = 0;

  push(item: Item): void {
    if (this.#size === this.#items.length) this.#grow();
    this.#items[(this.#head + this.#size) & (this.#items.length - 1)] = item;
    this.#size++;
  }

  /** The oldest item, or undefined when there is none. */
  take(): Item | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#size--;
    return item;
  }

  /** The oldest item, which stays. */
  peek(): Item | undefined {
    return this.#items[this.#head];
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  get length(): number {
    return this.#size;
  }

  /** Capacities are powers of two, so that positions wrap by masking. */
  #grow(): void {
    const oldest = this.#items.slice(this.#head);
    const newest = this.#items.slice(0, this.#head);
    const room = new Array<undefined>(this.#items.length).fill(undefined);
    this.#items = [...oldest, ...newest, ...room];
    this.#head = 0;
  }
}
