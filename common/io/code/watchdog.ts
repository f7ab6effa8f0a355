import * as path from 'node:path';
import * as v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { InputError } from '../../errors';

/** Places of the memory that the watched thread and its watchdog share. */
export const BOARD = { begun: 0, ended: 1, isMemoryShort: 2, file: 3, places: 4 } as const;

/** Longest call of somebody's code, unless told otherwise, in ms. */
export const CALL_MS = 1500;

/** Share of the heap from which on the program would rather end than be ended. */
const HEAP_SHARE = 0.8;

/** Start message of the thread. */
export interface WatchdogOrder {
  readonly board: SharedArrayBuffer;
  /** Memory of the process from which on the watched thread has to look at its own. */
  readonly memoryBytes: number;
}

/** Message about a file whose code will be called. */
export interface WatchedFile {
  /** Number that stands on the board while it is called. */
  readonly id: number;
  readonly file: string;
  readonly callMs: number;
}

/** The one thread that looks after all files whose code this thread calls, one call at a time. */
class WatchdogThread {
  readonly #memory = new SharedArrayBuffer(BOARD.places * Int32Array.BYTES_PER_ELEMENT);
  readonly board = new Int32Array(this.#memory);
  readonly heapBytes = v8.getHeapStatistics().heap_size_limit;
  readonly #thread = this.#start();
  readonly #ids = new Map<string, number>();

  /** The number of a file, which is told to the thread once. */
  idOf(file: string, callMs: number): number {
    const key = `${callMs} ${file}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const watched: WatchedFile = { id: this.#ids.size, file, callMs };
    this.#ids.set(key, watched.id);
    this.#thread?.postMessage(watched);
    return watched.id;
  }

  #start(): Worker | undefined {
    // Whoever steps through code takes time.
    if (process.execArgv.some((option) => option.startsWith('--inspect'))) return undefined;
    const order: WatchdogOrder = {
      board: this.#memory,
      memoryBytes: HEAP_SHARE * this.heapBytes,
    };
    const thread = new Worker(path.join(__dirname, 'watchdog-thread.js'), {
      workerData: order,
      execArgv: [],
    });
    thread.unref();
    return thread;
  }
}

let shared: WatchdogThread | undefined;

/**
 * A watchdog over one file's code that runs in this thread: another thread looks whether calls end, and ends
 * the process, with one sentence and exit code 1, when one takes too long, or fills the memory. It does
 * not rely on anything that a loop would hold up.
 */
export class Watchdog {
  readonly #thread: WatchdogThread;
  readonly #board: Int32Array;
  readonly #id: number;

  constructor(
    private readonly file: string,
    callMs = CALL_MS,
  ) {
    shared ??= new WatchdogThread();
    this.#thread = shared;
    this.#board = shared.board;
    this.#id = shared.idOf(file, callMs);
  }

  begin(): void {
    const board = this.#board;
    board[BOARD.file] = this.#id;
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
    const { heapBytes } = this.#thread;
    const { used_heap_size: used, external_memory: external } = v8.getHeapStatistics();
    if (used < HEAP_SHARE * heapBytes && external < heapBytes) return;
    this.end();
    const megabytes = Math.round((used + external) / 2 ** 20);
    throw new InputError(`${this.file}: memory runs out at ${megabytes} MB while its flows run`);
  }
}
