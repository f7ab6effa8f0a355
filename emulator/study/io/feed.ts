import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../cell';
import type { CellQueue, ClaimedTask } from './database/cell-queue';
import type { WorkerIdentity } from './database/leases';

export interface FeedOptions {
  readonly queue: CellQueue;
  /** Processes at the same time. */
  readonly slots: number;
  /** True if no more work can come; called whenever the queue is empty. */
  readonly isOver: () => Promise<boolean>;
  /** Called after the outcome has been stored. */
  readonly onOutcome?: (outcome: Outcome) => void;
  readonly signal: AbortSignal;
}

const IDLE_MS_MIN = 50;
const IDLE_MS_MAX = 2000;
/** Short cells are claimed for so much real time at once; long ones when they can begin. */
const CLAIM_MS = 1000;
const CLAIM_MAX = 64;
/** Outcomes wait for others at most this long, or until there are this many. */
const STORE_MS = 1000;
const STORE_MAX = 64;
/** Tasks that wait longer than expected are given back to workers that have time. */
const HELD_MS = 2000;
/** Weight of the latest cell in the mean time of cells. */
const NEWEST_SHARE = 0.2;

interface Done {
  readonly job: string;
  readonly outcome: Outcome;
}

/**
 * Tasks for the slots and outcomes from them, several per transaction: of a cell that takes milliseconds,
 * transactions of its own would be the greater part.
 */
export class Feed {
  #waiting: ClaimedTask[] = [];
  /** When a task was taken last, or came. */
  #movedAt = 0;
  /** Slots that wait for a task. */
  #asking = 0;
  /** Real time of one cell, as of late; undefined before the first. */
  #meanMs: number | undefined;
  #done: Done[] = [];
  #storeTimer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | undefined;
  #storing: Promise<void> | undefined;
  #failure: Error | undefined;
  #isOver = false;

  constructor(
    private readonly options: FeedOptions,
    private readonly worker: WorkerIdentity,
  ) {}

  /** The next task; undefined when there will be none. */
  async next(): Promise<ClaimedTask | undefined> {
    this.#asking++;
    try {
      return await this.#next();
    } finally {
      this.#asking--;
    }
  }

  async #next(): Promise<ClaimedTask | undefined> {
    for (let idle = IDLE_MS_MIN; ; idle = Math.min(2 * idle, IDLE_MS_MAX)) {
      if (this.#failure !== undefined) throw this.#failure;
      const task = this.#take();
      if (task !== undefined) return task;
      await this.#claim();
      if (this.#waiting.length > 0) continue;
      if (this.#isOver || this.options.signal.aborted) return undefined;
      await this.flush();
      this.#isOver = await this.options.isOver();
      if (!this.#isOver)
        await sleep(idle, undefined, { signal: this.options.signal }).catch(() => 0);
    }
  }

  #take(): ClaimedTask | undefined {
    const task = this.#waiting.shift();
    this.#movedAt = performance.now();
    // The next ones come while the last ones run.
    const isShort = this.#meanMs !== undefined && this.#meanMs < CLAIM_MS;
    if (isShort && this.#waiting.length < this.options.slots && !this.#isOver) void this.#claim();
    return task;
  }

  /** Takes an outcome, to be stored soon. */
  done({ job }: ClaimedTask, outcome: Outcome): void {
    const { durationMs } = outcome.provenance;
    this.#meanMs = (this.#meanMs ?? durationMs) * (1 - NEWEST_SHARE) + durationMs * NEWEST_SHARE;
    this.#done.push({ job, outcome });
    if (this.#done.length >= STORE_MAX) void this.#store();
    else this.#storeTimer ??= setTimeout(() => void this.#store(), STORE_MS);
  }

  /** Returns when everything that was done is stored. */
  async flush(): Promise<void> {
    while (this.#storing !== undefined || this.#done.length > 0) await this.#store();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Lets others have what waits behind a cell that takes longer than those before it. */
  async giveBackHeld(): Promise<void> {
    if (this.#waiting.length === 0 || performance.now() - this.#movedAt < HELD_MS) return;
    const jobs = this.#waiting.map(({ job }) => job);
    this.#waiting = [];
    await this.options.queue.giveBack(this.worker, jobs);
  }

  #claim(): Promise<void> {
    this.#claiming ??= this.#guarded(async () => {
      const { queue, slots } = this.options;
      const tasks = await queue.claim(this.worker, { count: this.#wanted(), suspects: slots });
      this.#waiting.push(...tasks);
      this.#movedAt = performance.now();
    }).finally(() => (this.#claiming = undefined));
    return this.#claiming;
  }

  /** Tasks for a while if cells are short, else for the slots that wait. */
  #wanted(): number {
    const { slots } = this.options;
    const inTime = this.#meanMs === undefined ? 0 : (slots * CLAIM_MS) / Math.max(this.#meanMs, 1);
    return Math.max(1, this.#asking, Math.min(CLAIM_MAX, Math.floor(inTime)));
  }

  #store(): Promise<void> {
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    this.#storing ??= this.#guarded(async () => {
      const done = this.#done.splice(0, STORE_MAX);
      if (done.length === 0) return;
      await this.options.queue.finish(done);
      for (const { outcome } of done) this.options.onOutcome?.(outcome);
    }).finally(() => {
      this.#storing = undefined;
      if (this.#done.length >= STORE_MAX) void this.#store();
      else if (this.#done.length > 0)
        this.#storeTimer ??= setTimeout(() => void this.#store(), STORE_MS);
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
