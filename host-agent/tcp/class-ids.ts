/**
 * Minor numbers of classes, from 16 on, in turn: a number that became free is taken again as late as
 * possible, because packets of the class that had it may still be leaving.
 */
export class ClassIds {
  readonly #count: number;
  readonly #used = new Set<number>();
  #next = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Undefined when all are taken. */
  take(): number | undefined {
    if (this.#used.size >= this.#count) return undefined;
    while (this.#used.has(FIRST + this.#next)) this.#advance();
    const id = FIRST + this.#next;
    this.#used.add(id);
    this.#advance();
    return id;
  }

  free(id: number): void {
    this.#used.delete(id);
  }

  #advance(): void {
    this.#next = (this.#next + 1) % this.#count;
  }
}

const FIRST = 0x10;
