// Runs a campaign in a thread of its own, so that another can end what never ends.
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../../../common/random/random';
import { corpusOf } from '../corpus';
import type { FuzzTarget, TakeInput } from '../target';
import { instrument } from './instrument';
import { Reach } from './reach';
import { Search } from './search';
import { Shared } from './shared';
import type { Task, WorkerEnd } from './shared';

/** Modules that are loaded now are instrumented. */
const load = createRequire(__filename);
const MS_MAX = 1000;
/** Another process may have had the processor: what is slow once is timed again. */
const TRIES = 3;
/** Between two looks at the clock. */
const INPUTS_PER_LOOK = 64;
const BUILT = path.resolve(__dirname, '..', '..', '..');

async function run(task: Task): Promise<WorkerEnd> {
  const reach = new Reach();
  instrument(BUILT, reach);
  const { target } = load(task.file) as { readonly target: FuzzTarget };
  const words = (target.dictionary?.() ?? []).map((word) => Buffer.from(word));
  const { bytesMax } = target;
  const shared = new Shared(task.memory);
  const take = timed(target.start(), shared);
  // PERF: most inputs are refused with an error, and finding out where takes longer than refusing.
  // Whoever repeats a finding sees it.
  Error.stackTraceLimit = 0;
  // Inputs do not decide on the branches that are reached while starting.
  reach.hits.fill(0);
  const search = new Search({ take, reach, random: new Random(task.seed), bytesMax, words });
  for (const input of [...corpusOf(task.name, target), ...task.more]) await search.try(input);
  const deadline = performance.now() + task.seconds * 1000;
  let tried = 0;
  while (tried < task.inputs) {
    if (tried % INPUTS_PER_LOOK === 0) {
      if (performance.now() > deadline || shared.isOver) break;
      shared.report({ tried, reached: reach.reached, good: search.inputs.length });
      // Work that an input leaves for later, such as an answer to it, happens now, and not after all of
      // them.
      await nextTurn();
    }
    const pending = search.try(search.next());
    if (pending !== undefined) await pending;
    tried++;
  }
  const { reached } = reach;
  const good = await search.smallest(search.inputs);
  return { tried, reached, good };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Notes every input where the other thread sees it, and how long it took. */
function timed(take: TakeInput, shared: Shared): TakeInput {
  const done = (input: Uint8Array, began: number): void => {
    if (performance.now() - began > MS_MAX) again(take, input);
  };
  return (input) => {
    shared.begin(input);
    const began = performance.now();
    const pending = take(input);
    if (pending !== undefined) return pending.then(() => done(input, began));
    done(input, began);
    return undefined;
  };
}

function again(take: TakeInput, input: Uint8Array): void {
  let quickest = Infinity;
  for (let i = 1; i < TRIES && quickest > MS_MAX; i++) {
    const began = performance.now();
    void take(input);
    quickest = Math.min(quickest, performance.now() - began);
  }
  if (quickest > MS_MAX) throw new Error(`it took ${Math.round(quickest)} ms`);
}

void run(workerData as Task).then((end) => parentPort?.postMessage(end));
