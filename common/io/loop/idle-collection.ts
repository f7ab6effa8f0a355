import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Bytes } from '../../units/units';
import { libc } from '../net/libc';
import { WITHOUT_REDUCER } from './memory-reducer';

/** Growth that is worth a collection; loading modules is none, since little of that is garbage. */
const GROWTH: Bytes = 16 * 1024 * 1024;

/** The memory of a process. */
export interface Heap {
  used(): Bytes;
  collect(): void;
  /** Gives the system what the C library has kept of memory that was freed. */
  trim(): void;
}

/** Collects garbage in place of the engine, while no packets come. */
export class IdleCollection {
  readonly #heap: Heap;
  /** Bytes of heap in use at first, and after the last collection. */
  #left: Bytes;
  #isTrimmed = false;
  #isWished = false;

  constructor(heap: Heap) {
    this.#heap = heap;
    this.#left = heap.used();
  }

  /** That of this process; undefined where the engine does it by itself. */
  static ofProcess(): IdleCollection | undefined {
    return process.execArgv.includes(WITHOUT_REDUCER) ? new IdleCollection(HEAP) : undefined;
  }

  /** Makes the next look collect, however little has grown. */
  wish(): void {
    this.#isWished = true;
  }

  /** Called when no packets have come for some time. */
  look(): void {
    const isMuch = this.#isWished || this.#heap.used() - this.#left >= GROWTH;
    this.#isWished = false;
    if (isMuch) {
      this.#heap.collect();
      this.#left = this.#heap.used();
    }
    // Starting leaves some megabytes, and so does a collection; what comes between is used again.
    if (isMuch || !this.#isTrimmed) this.#heap.trim();
    this.#isTrimmed = true;
  }
}

const HEAP: Heap = {
  used: () => {
    const { used_heap_size: objects, external_memory: buffers } = getHeapStatistics();
    return objects + buffers;
  },
  collect: () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // The engine would refuse code that was kept without it.
    setFlagsFromString('--no-expose-gc');
    collect();
  },
  trim: () => libc().malloc_trim(0),
};
