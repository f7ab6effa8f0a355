/** First in, first out, without moving the rest on every take. */
export class Fifo<Item> {
  #items: Item[] = [];
  #head = 0;

  push(item: Item): void {
    this.#items.push(item);
  }

  /** The oldest item, or undefined when there is none. */
  take(): Item | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head++];
    this.#compact();
    return item;
  }

  /** The oldest item, which stays. */
  peek(): Item | undefined {
    return this.#items[this.#head];
  }

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  /** PERF: drops taken items once they are the larger half, which is constant time amortised. */
  #compact(): void {
    if (this.#head === this.#items.length) {
      this.#items.length = 0;
      this.#head = 0;
    } else if (this.#head >= 64 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
  }
}
