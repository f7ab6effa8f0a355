import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { failureText, InputError } from '../../common/errors';
import { PS_PER_US } from '../../common/units/units';
import { optimiseInRuns } from '../../common/io/loop/optimising';
import type { ExecutorName } from '../../switch/codegen/executor-names';
import type { ObservationBatch } from '../coordination/observation-rows';
import type { ScenarioDocument } from '../scenario/schema';
import { mergeOutcomes } from '../simulation/merge-outcomes';
import type { Outcome } from '../simulation/outcome';
import type { Simulation } from '../simulation/simulation';
import { Board } from '../workers/board';
import { Barrier } from '../workers/barrier';
import { Backlog } from '../workers/backlog';
import type { Place } from '../workers/part-run';
import { partition } from '../workers/partition';
import { shareMemory } from '../workers/shared-memory';
import type { RunProgress } from './run-progress';
import { indivisible } from '../simulation/queue-plan';
import { divisible } from './worker-count';

/** Start message of a worker. */
export interface PartOrder {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly checkInvariants: boolean;
  readonly executor: ExecutorName;
  /** True if an algorithm of a file has all rights. */
  readonly trust: boolean | undefined;
  readonly place: Place;
  /** True if each worker has a core. */
  readonly hasCores: boolean;
}

/** Messages of a worker, in this order; `observed` comes often, `failed` at any time. */
export type PartMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'observed'; readonly batch: ObservationBatch }
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly isInterrupted: boolean }
  | { readonly kind: 'failed'; readonly reason: string; readonly isInput: boolean };

export interface PartsOptions extends Omit<PartOrder, 'place' | 'hasCores'> {
  /** The simulation to be divided; only its plan is used, it does not run here. */
  readonly simulation: Simulation;
  readonly workers: number;
  readonly onStart?: (() => void) | undefined;
  readonly onProgress?: ((progress: Omit<RunProgress, 'partial'>) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Looks at every packet of the network, which no part has. */
  readonly isObserved: boolean;
  /** Who runs which node; by the packets that they will handle unless given. */
  readonly owners?: ReadonlyMap<string, number> | undefined;
}

export interface PartsRun {
  readonly outcome: Outcome;
  readonly isInterrupted: boolean;
  readonly wallSeconds: number;
}

const REPORT_MS = 200;
/** Time that a thread may take to close what it has opened. */
const EXIT_MS = 5000;
const THREAD = path.join(__dirname, 'part-worker.js');

/**
 * Runs a scenario with several workers, each of which runs a part of the network; the result is that of
 * one worker, byte for byte.
 * @throws InputError for what cannot be divided, and Error with the reason of a worker that has died.
 */
export async function runInParts(options: PartsOptions): Promise<PartsRun> {
  const { simulation, workers, scenario, seed, checkInvariants, executor, trust } = options;
  checkDivisible(options);
  const owners = options.owners ?? partition(divisible(simulation), workers);
  const memory = shareMemory(workers);
  const place = { owners, memory, workers };
  // The thread that merges observations is busy, too.
  const threads = workers + (simulation.coordination === undefined ? 0 : 1);
  const hasCores = threads <= os.availableParallelism();
  const order = { scenario, seed, checkInvariants, executor, trust, hasCores };
  const observed = reader(simulation, workers, new Backlog(memory.backlog));
  const parts = Array.from({ length: workers }, (_, worker) => {
    const own = { ...order, place: { ...place, worker } };
    return new PartThread(own, (batch) => observed(worker, batch));
  });
  const barrier = new Barrier(memory.barrier, workers, false);
  const board = new Board(memory.board, workers);
  const ended = new AbortController();
  try {
    await Promise.all(parts.map((part) => part.ready));
    options.onStart?.();
    optimiseInRuns();
    const startedAt = process.hrtime.bigint();
    const seconds = (): number => Number(process.hrtime.bigint() - startedAt) / 1e9;
    const stop = (): void => barrier.stop();
    if (options.signal?.aborted === true) stop();
    options.signal?.addEventListener('abort', stop);
    void watch({ board, ended: ended.signal, seconds }, options);
    for (const part of parts) part.start();
    const outcomes = await Promise.all(parts.map((part) => part.ended));
    const wallSeconds = seconds();
    options.signal?.removeEventListener('abort', stop);
    const own = Array.from(outcomes, (each) => each.outcome);
    const outcome = mergeOutcomes(own, simulation.checker);
    return { outcome, wallSeconds, isInterrupted: outcomes.some((each) => each.isInterrupted) };
  } finally {
    ended.abort();
    barrier.break();
    await Promise.all(parts.map((part) => part.end()));
  }
}

/** Puts together what the workers observe of coordination, as it comes. */
function reader(simulation: Simulation, workers: number, backlog: Backlog) {
  const replay = simulation.newReplay(workers);
  return (worker: number, batch: ObservationBatch): void => {
    const rounds = replay?.add(worker, batch) ?? 0;
    if (rounds > 0) backlog.advance(rounds);
  };
}

/** @throws InputError with the reason why workers cannot share the run. */
function checkDivisible({ simulation, isObserved }: PartsOptions): void {
  const reason = isObserved
    ? 'an observer sees every packet of the network, of which a worker has a part'
    : indivisible(simulation);
  if (reason !== undefined) throw new InputError(`${reason}: run it with one worker`);
}

interface Watched {
  readonly board: Board;
  readonly ended: AbortSignal;
  readonly seconds: () => number;
}

async function watch({ board, ended, seconds }: Watched, options: PartsOptions): Promise<void> {
  const { onProgress, simulation } = options;
  if (onProgress === undefined) return;
  const bytes = simulation.runner.bytes;
  const { untilUs } = simulation.scenario;
  while (!ended.aborted) {
    await setTimeout(REPORT_MS);
    const { packetHops, deliveredBytes, now } = board.readProgress();
    const virtualUs = now / PS_PER_US;
    const fraction = untilUs === undefined ? deliveredBytes / bytes : virtualUs / untilUs;
    if (!ended.aborted) {
      onProgress({
        fraction: Math.min(1, fraction),
        packetHops,
        virtualUs,
        wallSeconds: seconds(),
      });
    }
  }
}

/** One worker, and what it has said. */
class PartThread {
  readonly #thread: Worker;
  readonly #ready = new Promised<undefined>();
  readonly #ended = new Promised<Extract<PartMessage, { kind: 'ended' }>>();
  readonly #barrier: Barrier;
  readonly #observed: (batch: ObservationBatch) => void;
  readonly #exited: Promise<void>;

  constructor(order: PartOrder, observed: (batch: ObservationBatch) => void) {
    this.#observed = observed;
    const { memory, workers, worker } = order.place;
    this.#barrier = new Barrier(memory.barrier, workers, false);
    this.#thread = new Worker(THREAD, { workerData: order });
    this.#thread.on('message', (message: PartMessage) => this.#hear(message));
    this.#thread.on('error', (error) =>
      this.#fail(`worker ${worker + 1} has died: ${error.message}`),
    );
    this.#exited = new Promise((resolve) => this.#thread.once('exit', () => resolve()));
    this.#thread.on('exit', (code) => {
      this.#fail(`worker ${worker + 1} has died: its thread ended with code ${code}`);
    });
  }

  get ready(): Promise<undefined> {
    return this.#ready.promise;
  }

  get ended(): Promise<Extract<PartMessage, { kind: 'ended' }>> {
    return this.#ended.promise;
  }

  start(): void {
    this.#thread.postMessage('start');
  }

  /**
   * Lets the thread close its connections: one that is terminated meanwhile may take the process with
   * it, by an assertion of Node's HTTP/2.
   */
  async end(): Promise<void> {
    this.#thread.postMessage('end');
    const waited = new AbortController();
    const limit = setTimeout(EXIT_MS, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([this.#exited, limit]);
    waited.abort();
    await this.#thread.terminate();
  }

  #hear(message: PartMessage): void {
    if (message.kind === 'ready') this.#ready.resolve(undefined);
    else if (message.kind === 'observed') this.#take(message.batch);
    else if (message.kind === 'ended') this.#ended.resolve(message);
    else this.#fail(message.reason, message.isInput);
  }

  #take(batch: ObservationBatch): void {
    try {
      this.#observed(batch);
    } catch (error) {
      this.#fail(`what the workers have observed cannot be read: ${failureText(error)}`);
    }
  }

  /** Ends the waiting for all workers when one has failed. */
  #fail(reason: string, isInput = false): void {
    const error = isInput ? new InputError(reason) : new Error(reason);
    if (!this.#ended.isSettled) this.#barrier.break();
    this.#ready.reject(error);
    this.#ended.reject(error);
  }
}

/** A promise that is settled from outside, once. */
class Promised<T> {
  isSettled = false;
  readonly promise: Promise<T>;
  #resolve: (value: T) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // If several workers fail, the first failure is reported and the others are ignored.
    this.promise.catch(() => undefined);
  }

  resolve(value: T): void {
    this.isSettled = true;
    this.#resolve(value);
  }

  reject(error: Error): void {
    this.isSettled = true;
    this.#reject(error);
  }
}
