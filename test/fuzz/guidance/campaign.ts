import { Worker } from 'node:worker_threads';
import * as path from 'node:path';
import { inspect } from 'node:util';
import { Shared } from './shared';
import type { Progress, Task, WorkerEnd } from './shared';

/** An input that never ends is one after so many seconds. */
const SECONDS_MAX = 10;
const LOOK_MS = 1000;
/** Most MB of a campaign's heap: inputs are short, and none leaves anything behind. */
const HEAP_MB_MAX = 512;
/** The same for the whole process, with what lies outside of heaps. */
const RSS_MB_MAX = 1200;

export type CampaignEnd =
  | { readonly kind: 'done'; readonly end: WorkerEnd }
  | { readonly kind: 'found'; readonly input: Uint8Array; readonly why: string };

/**
 * Runs a campaign in a thread.
 * @param show is called now and then with how far it is.
 * @param interruption ends it early, with what there is.
 */
export function runCampaign(
  task: Omit<Task, 'memory'>,
  show: (progress: Progress) => void = () => undefined,
  interruption?: AbortSignal,
): Promise<CampaignEnd> {
  const memory = new SharedArrayBuffer(Shared.BYTES);
  const shared = new Shared(memory);
  const worker = new Worker(path.join(__dirname, 'worker.js'), {
    workerData: { ...task, memory },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  return new Promise((resolve) => {
    const interrupt = (): void => shared.end();
    interruption?.addEventListener('abort', interrupt);
    const end = (result: CampaignEnd): void => {
      interruption?.removeEventListener('abort', interrupt);
      clearInterval(watch);
      void worker.terminate();
      resolve(result);
    };
    const found = (why: string): void => end({ kind: 'found', input: shared.input, why });
    const stuck = stuckFor(shared);
    const watch = setInterval(() => {
      if (stuck() > SECONDS_MAX) found(`it has not ended after ${SECONDS_MAX} s`);
      if (process.memoryUsage().rss > RSS_MB_MAX * 2 ** 20) found(`more than ${RSS_MB_MAX} MB`);
      show(shared.progress);
    }, LOOK_MS);
    worker.on('message', (message: WorkerEnd) => end({ kind: 'done', end: message }));
    worker.on('error', (error: unknown) => found(textOf(error)));
  });
}

/** For how many looks the same input has been under way; none is before the first. */
function stuckFor(shared: Shared): () => number {
  let [turn, looks] = [0, 0];
  return () => {
    looks = turn > 0 && shared.turn === turn ? looks + 1 : 0;
    turn = shared.turn;
    return looks;
  };
}

/** An error of a class of its own comes out of a thread as a bare object. */
const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : inspect(error);
