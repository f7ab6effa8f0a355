import * as crypto from 'node:crypto';
import * as os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../cell';
import type { CellQueue, ClaimedTask, WorkerIdentity } from './database/cell-queue';
import { CellSlot, outcomeOf } from './process-pool';

export interface WorkOptions {
  readonly queue: CellQueue;
  /** Processes at the same time. */
  readonly slots: number;
  /** After so many seconds without a sign of life, a worker's cells go to others. */
  readonly leaseSeconds: number;
  /** Whether there may be more to do, asked whenever the queue has nothing. */
  readonly isOver: () => Promise<boolean>;
  /** Called after the outcome has been stored. */
  readonly onOutcome?: (outcome: Outcome) => void;
  /** Ends the work; what was begun is given back. */
  readonly signal: AbortSignal;
}

const IDLE_MS_MIN = 50;
const IDLE_MS_MAX = 2000;

/** What running cells has cost this process, without the processes that they run in. */
export interface WorkFigures {
  readonly cells: number;
  /** Processor time: claims, messages, storing. */
  readonly processorMs: number;
  /** Real time for which processes waited for their next cell. */
  readonly waitMs: number;
}

/** Runs cells of the queue in processes until there is nothing more to do, or it is told to stop. */
export async function work(options: WorkOptions): Promise<WorkFigures> {
  const { queue, slots, signal, leaseSeconds } = options;
  const worker = { id: crypto.randomUUID(), host: os.hostname() };
  await queue.beat(worker);
  const pool = Array.from({ length: slots }, () => new CellSlot());
  const feed = new Feed(options, worker);
  const before = process.cpuUsage();
  const stop = (): void => pool.forEach((slot) => slot.stop());
  signal.addEventListener('abort', stop);
  const heart = setInterval(() => void keepAlive(options, worker), (leaseSeconds * 1000) / 4);
  try {
    await Promise.all(pool.map((slot) => serve(slot, feed, options)));
    await feed.flush();
    const { user, system } = process.cpuUsage(before);
    return { ...feed.figures, processorMs: (user + system) / 1000 };
  } finally {
    clearInterval(heart);
    signal.removeEventListener('abort', stop);
    stop();
    await queue.giveBack(worker);
  }
}

/** A sign of life, and a look after others. A database that is away for long ends the work elsewhere. */
async function keepAlive(options: WorkOptions, worker: WorkerIdentity): Promise<void> {
  const { queue, leaseSeconds } = options;
  try {
    await queue.beat(worker);
    await lookAfterOthers(queue, leaseSeconds);
  } catch {
    // The next use of the queue that matters fails with the same error.
  }
}

async function lookAfterOthers(queue: CellQueue, leaseSeconds: number): Promise<void> {
  await queue.takeFromDead(leaseSeconds);
  const reason = 'no worker survived it: each one that had it died or was not heard of again';
  await queue.settleLost(({ cell }) => outcomeOf(cell, { reason, durationMs: 0, memoryBytes: 0 }));
}

async function serve(slot: CellSlot, feed: Feed, { signal }: WorkOptions): Promise<void> {
  for (let cells = 0; ; cells++) {
    const waitedFrom = performance.now();
    const task = await feed.next();
    if (task === undefined || signal.aborted) return;
    // Before the first cell, processes wait for somebody to ask for any.
    feed.began(cells === 0 ? 0 : performance.now() - waitedFrom);
    const outcome = await slot.run(task);
    if (outcome === undefined) return;
    feed.done(task, outcome);
  }
}

interface Done {
  readonly job: string;
  readonly outcome: Outcome;
}

/**
 * Tasks for the slots and outcomes from them, several per transaction: while one is under way, what comes
 * waits for the next.
 */
class Feed {
  readonly #waiting: ClaimedTask[] = [];
  #done: Done[] = [];
  #claiming: Promise<void> | undefined;
  #storing: Promise<void> | undefined;
  #failure: Error | undefined;
  #isOver = false;
  #cells = 0;
  #waitMs = 0;

  constructor(
    private readonly options: WorkOptions,
    private readonly worker: WorkerIdentity,
  ) {}

  /** The next task; undefined when there will be none. */
  async next(): Promise<ClaimedTask | undefined> {
    for (let idle = IDLE_MS_MIN; ; idle = Math.min(2 * idle, IDLE_MS_MAX)) {
      if (this.#failure !== undefined) throw this.#failure;
      const task = this.#waiting.shift();
      if (this.#waiting.length < this.options.slots && !this.#isOver) void this.#claim();
      if (task !== undefined) return task;
      await this.#claiming;
      if (this.#waiting.length > 0) continue;
      if (this.#isOver || this.options.signal.aborted) return undefined;
      await this.flush();
      this.#isOver = await this.options.isOver();
      if (!this.#isOver)
        await sleep(idle, undefined, { signal: this.options.signal }).catch(() => 0);
    }
  }

  get figures(): Pick<WorkFigures, 'cells' | 'waitMs'> {
    return { cells: this.#cells, waitMs: this.#waitMs };
  }

  began(waitMs: number): void {
    this.#cells++;
    this.#waitMs += waitMs;
  }

  done({ job }: ClaimedTask, outcome: Outcome): void {
    this.#done.push({ job, outcome });
    void this.#store();
  }

  /** Returns when everything that was done is stored. */
  async flush(): Promise<void> {
    while (this.#storing !== undefined || this.#done.length > 0) await this.#store();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #claim(): Promise<void> {
    this.#claiming ??= this.#guarded(async () => {
      const tasks = await this.options.queue.claim(this.worker, this.options.slots * 2);
      this.#waiting.push(...tasks);
    }).finally(() => (this.#claiming = undefined));
    return this.#claiming;
  }

  #store(): Promise<void> {
    this.#storing ??= this.#guarded(async () => {
      const done = this.#done;
      this.#done = [];
      if (done.length === 0) return;
      await this.options.queue.finish(done);
      for (const { outcome } of done) this.options.onOutcome?.(outcome);
    }).finally(() => {
      this.#storing = undefined;
      if (this.#done.length > 0 && this.#failure === undefined) void this.#store();
    });
    return this.#storing;
  }

  async #guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      this.#done = [];
    }
  }
}
