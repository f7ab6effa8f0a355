import type { Command } from 'commander';
import { note, print } from '../../common/io/terminal';
import { workVersion } from '../../emulator/study/io/build-version';
import { CellQueue, refuseOtherVersion } from '../../emulator/study/io/database/cell-queue';
import { openServer } from '../../emulator/study/io/database/database';
import { cellSlots, slotCount } from '../../emulator/study/io/process-pool';
import { Store } from '../../emulator/study/io/database/store';
import { work } from '../../emulator/study/io/work';
import { countOption } from '../shared/option-values';
import { databaseOption, interruption, keptAt } from './shared';
import { fileDigest } from '../../emulator/study/io/file-digest';
import type { CellFiles } from '../../emulator/study/cell';
import * as path from 'node:path';

interface WorkerFlags {
  readonly database: string;
  readonly jobs?: number;
  readonly leaseSeconds: number;
  readonly untilEmpty?: true;
  readonly json?: true;
  readonly code: readonly string[];
  readonly trust: readonly string[];
  readonly keep?: string;
}

/** Memory of a cell by default; cells that take more are the study's own decision. */
const MEMORY_MB = 2048;

export function registerWorker(parent: Command): void {
  parent
    .command('worker')
    .summary('run cells for whoever asks on a PostgreSQL server')
    .addOption(databaseOption('the server that has the queue').makeOptionMandatory())
    .option('--jobs <n>', 'cells at the same time', countOption)
    .option('--lease-seconds <n>', 'silence after which a worker is dead', countOption, 30)
    .option(
      '--code <file>',
      'an algorithm or judge that cells may run, in a compartment, found by the digest of its text; repeatable',
      (file: string, before: readonly string[]) => [...before, file],
      [],
    )
    .option(
      '--trust <file>',
      'the same, with all rights of the process; repeatable',
      (file: string, before: readonly string[]) => [...before, file],
      [],
    )
    .option(
      '--keep <where>',
      'folder or s3://bucket/prefix for whole results, where studies want them',
    )
    .option('--until-empty', 'end when the queue has nothing to do')
    .option('--json', 'print one JSON object at the end')
    .action(worker);
}

async function worker(flags: WorkerFlags): Promise<void> {
  // First of all: a worker that lacks a program would fail cells that others can run.
  const version = workVersion();
  const database = await openServer(flags.database);
  const signal = interruption();
  database.endWith(signal);
  try {
    await Store.open(database);
    const queue = await CellQueue.open(database, version);
    await refuseOtherVersion(queue, version);
    await queue.create();
    await serve(queue, flags, signal);
    await queue.stop();
  } finally {
    await database.close();
  }
}

async function serve(queue: CellQueue, flags: WorkerFlags, signal: AbortSignal): Promise<void> {
  const { cells, processorMs, waitMs } = await work({
    queue,
    pool: cellSlots(flags.jobs ?? slotCount(MEMORY_MB)),
    leaseSeconds: flags.leaseSeconds,
    files: filesOf(flags),
    signal,
    isOver: () => Promise.resolve(flags.untilEmpty === true),
    onOutcome: ({ cell, reason }) => {
      if (reason !== undefined) note(`hpcc: cell ${cell.slice(0, 12)} failed: ${reason}`);
    },
  });
  if (flags.json === true) print(JSON.stringify({ cells, processorMs, waitMs }));
  else
    print(
      `ran ${cells} cells; ${(processorMs / Math.max(cells, 1)).toFixed(1)} ms each beside them`,
    );
}

function filesOf({ code, trust, keep }: WorkerFlags): CellFiles {
  const trusted = byDigest(trust, '--trust');
  return {
    code: { ...byDigest(code, '--code'), ...trusted },
    trusted: Object.keys(trusted),
    keep: keptAt(keep),
  };
}

const byDigest = (files: readonly string[], option: string): Record<string, string> =>
  Object.fromEntries(
    files.map((file) => [fileDigest(file, `file of ${option}`), path.resolve(file)]),
  );
