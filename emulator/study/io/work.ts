import * as crypto from 'node:crypto';
import * as os from 'node:os';
import type { CellQueue } from './database/cell-queue';
import type { WorkerIdentity } from './database/leases';
import { Feed } from './feed';
import type { FeedOptions } from './feed';
import type { CellFiles } from '../cell';
import type { CellTask } from './database/cell-queue';
import { taskFault } from './database/task-fault';
import { outcomeOf } from './process-pool';
import type { CellSlot } from './process-pool';

export interface WorkOptions extends Omit<FeedOptions, 'slots'> {
  /** Processes that run cells; stopped at the end. */
  readonly pool: readonly CellSlot[];
  /** Code and places that this process may use; rows of the queue name none. */
  readonly files: CellFiles;
  /** Seconds without a sign of life after which a worker's cells go to others. */
  readonly leaseSeconds: number;
}

/** Cost of running cells in this process, without the processes that run them. */
export interface WorkFigures {
  readonly cells: number;
  /** Processor time: claims, messages, storing. */
  readonly processorMs: number;
  /** Real time for which processes waited for their next cell. */
  readonly waitMs: number;
}

/**
 * Runs cells of the queue in processes until there is nothing more to do, or it is stopped: then
 * begun cells are given back.
 */
export async function work(options: WorkOptions): Promise<WorkFigures> {
  const { queue, pool, signal, leaseSeconds } = options;
  const worker = { id: crypto.randomUUID(), host: os.hostname() };
  await queue.beat(worker);
  const feed = new Feed({ ...options, slots: pool.length }, worker);
  const before = process.cpuUsage();
  const stop = (): void => pool.forEach((slot) => slot.stop());
  signal.addEventListener('abort', stop);
  const alive = (): Promise<void> => keepAlive(feed, worker, options);
  const heart = setInterval(() => void alive(), (leaseSeconds * 1000) / 4);
  try {
    const served = await Promise.all(pool.map((slot) => serve(slot, feed, options)));
    await feed.flush();
    const { user, system } = process.cpuUsage(before);
    return {
      cells: served.reduce((sum, { cells }) => sum + cells, 0),
      waitMs: served.reduce((sum, { waitMs }) => sum + waitMs, 0),
      processorMs: (user + system) / 1000,
    };
  } finally {
    clearInterval(heart);
    signal.removeEventListener('abort', stop);
    stop();
    await queue.leave(worker);
  }
}

/** A sign of life, and a look after others. A database that is away for long ends the work elsewhere. */
async function keepAlive(
  feed: Feed,
  worker: WorkerIdentity,
  { queue, leaseSeconds }: WorkOptions,
): Promise<void> {
  try {
    await queue.beat(worker);
    await feed.giveBackHeld();
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

/** Gives a slot one task after the other. */
async function serve(
  slot: CellSlot,
  feed: Feed,
  { signal, files }: WorkOptions,
): Promise<Pick<WorkFigures, 'cells' | 'waitMs'>> {
  let waitMs = 0;
  for (let cells = 0; ; cells++) {
    const waitedFrom = performance.now();
    const task = await feed.next();
    if (task === undefined || signal.aborted) return { cells, waitMs };
    // Before the first cell, processes wait for work.
    if (cells > 0) waitMs += performance.now() - waitedFrom;
    const fault = taskFault(task) ?? keepFault(task, files);
    if (fault !== undefined) {
      const nothing = { durationMs: 0, memoryBytes: 0 };
      feed.done(task, outcomeOf(task.cell, { reason: fault, ...nothing }));
      continue;
    }
    const outcome = await slot.run({ ...task, files });
    if (outcome === undefined) return { cells, waitMs };
    feed.done(task, outcome);
  }
}

/** Why a worker cannot leave the whole result of a cell whose study wants it. */
const keepFault = ({ keeps }: CellTask, { keep }: CellFiles): string | undefined =>
  keeps === true && keep === undefined
    ? 'its study keeps whole results, and this worker was given no place for them: --keep'
    : undefined;
