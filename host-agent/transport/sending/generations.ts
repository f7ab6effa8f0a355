import { GENERATIONS } from '../../../common/wire/hpcc/hpcc-transport';

/** Ids whose generations lie in one array. */
const PAGE = 4096;

/**
 * Generation of the latest use of each flow id. PERF: a sender may use millions of ids, and an entry of a map takes
 * ten times the room of a number in an array.
 */
export class Generations {
  readonly #first: number;
  /** Generation and 1, or 0 for an id that was never used. */
  readonly #pages: (Uint32Array | undefined)[] = [];

  /** @param first generation of an id that is used for the first time. */
  constructor(first: number) {
    this.#first = first;
  }

  /** True if the id was used before. */
  has(id: number): boolean {
    return (this.#pages[Math.floor(id / PAGE)]?.[id % PAGE] ?? 0) > 0;
  }

  /** The generation of a new use of the id. */
  next(id: number): number {
    const page = (this.#pages[Math.floor(id / PAGE)] ??= new Uint32Array(PAGE));
    const last = page[id % PAGE] as number;
    const generation = last === 0 ? this.#first : last % GENERATIONS;
    page[id % PAGE] = generation + 1;
    return generation;
  }
}
