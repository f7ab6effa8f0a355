import * as path from 'node:path';
import * as v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { InputError } from '../../errors';

/** Places of the memory that the watched thread and its watchdog share. */
export const BOARD = { begun: 0, ended: 1, isMemoryShort: 2, places: 4 } as const;

/** Longest call of somebody's code, unless told otherwise, in ms. */
const CALL_MS = 1500;

/** Share of the heap from which on the program would rather end than be ended. */
const HEAP_SHARE = 0.8;

/** Start message of the thread. */
export interface WatchdogOrder {
  readonly board: SharedArrayBuffer;
  readonly file: string;
  /** Memory of the process from which on the watched thread has to look at its own. */
  readonly memoryBytes: number;
  readonly callMs: number;
}

/** Told when somebody's code begins and ends. */
export interface Watched {
  begin(): void;
  end(): void;
}

/**
 * A watchdog over somebody's code that runs in this thread: a thread of its own looks whether calls end, and ends
 * the process, with one sentence and exit code 1, when one takes too long, or fills the memory. It does
 * not rely on anything that a loop would hold up.
 */
export class Watchdog implements Watched {
  readonly #board: Int32Array;
  readonly #heapBytes = v8.getHeapStatistics().heap_size_limit;

  constructor(
    private readonly file: string,
    callMs = CALL_MS,
  ) {
    const board = new SharedArrayBuffer(BOARD.places * Int32Array.BYTES_PER_ELEMENT);
    this.#board = new Int32Array(board);
    // Whoever steps through code takes time.
    if (process.execArgv.some((option) => option.startsWith('--inspect'))) return;
    const memoryBytes = HEAP_SHARE * this.#heapBytes;
    const order: WatchdogOrder = { board, file, memoryBytes, callMs };
    const thread = new Worker(path.join(__dirname, 'watchdog-thread.js'), {
      workerData: order,
      execArgv: [],
    });
    thread.unref();
  }

  begin(): void {
    const board = this.#board;
    board[BOARD.begun] = ((board[BOARD.begun] ?? 0) + 1) | 0;
    if (board[BOARD.isMemoryShort] === 1) this.#checkMemory();
  }

  end(): void {
    this.#board[BOARD.ended] = this.#board[BOARD.begun] ?? 0;
  }

  /** Makes one call. */
  during<T>(call: () => T): T {
    this.begin();
    try {
      return call();
    } finally {
      this.end();
    }
  }

  #checkMemory(): void {
    this.#board[BOARD.isMemoryShort] = 0;
    const { used_heap_size: used, external_memory: external } = v8.getHeapStatistics();
    if (used < HEAP_SHARE * this.#heapBytes && external < this.#heapBytes) return;
    this.end();
    const megabytes = Math.round((used + external) / 2 ** 20);
    throw new InputError(`${this.file}: memory runs out at ${megabytes} MB while its flows run`);
  }
}
