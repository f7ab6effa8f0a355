import { parentPort, workerData } from 'node:worker_threads';
import { endProcess } from './end-process';
import { BOARD } from './watchdog';
import type { WatchdogOrder, WatchedFile } from './watchdog';

/** Time between two looks, in ms. */
const LOOK_MS = 50;
/** Memory that one call may take. */
const CALL_BYTES = 512 * 2 ** 20;

const { board, memoryBytes } = workerData as WatchdogOrder;
const places = new Int32Array(board);
/** Files by their numbers, each sent before its first call. */
const files: WatchedFile[] = [];
/** Call that the last look saw, and how many looks have seen it. */
let seen = 0;
let looks = 0;
let memoryBefore = 0;

function look(): void {
  const begun = Atomics.load(places, BOARD.begun);
  const memory = process.memoryUsage.rss();
  if (memory > memoryBytes) Atomics.store(places, BOARD.isMemoryShort, 1);
  if (begun === Atomics.load(places, BOARD.ended) || begun !== seen) {
    seen = begun;
    looks = 0;
    memoryBefore = memory;
    return;
  }
  // Looks count and no clock: what stops both threads is no loop.
  looks++;
  const watched = files[Atomics.load(places, BOARD.file)];
  if (watched === undefined) return;
  const { file, callMs } = watched;
  if (memory - memoryBefore > CALL_BYTES) {
    endProcess(`${file}: a call takes more than ${CALL_BYTES / 2 ** 20} MB of memory`);
  } else if (looks * LOOK_MS >= callMs) {
    endProcess(`${file}: a call has not returned for ${callMs / 1000} s`);
  }
}

parentPort?.on('message', (watched: WatchedFile) => files.push(watched));
setInterval(look, LOOK_MS);
