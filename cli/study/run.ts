import type { Command } from 'commander';
import { note, print } from '../../common/io/terminal';
import { cellSlots, slotCount } from '../../emulator/study/io/process-pool';
import { finishedCounts } from '../../emulator/study/io/finished-mark';
import type { FinishedCounts } from '../../emulator/study/io/finished-mark';
import { studyFolderOf } from '../../emulator/study/io/load-study';
import type { LoadedStudy } from '../../emulator/study/io/load-study';
import type { RunOptions, StudySession } from '../../emulator/study/io/study-session';
import { countOption } from '../shared/option-values';
import { dryRun } from './dry-run';
import {
  chooseStudy,
  interruption,
  keptAt,
  withCodeTrust,
  withOpen,
  withStudyOptions,
} from './shared';
import type { StudyFlags } from './shared';
import { SingleBar } from 'cli-progress';
import { printable } from '../../common/printable';

interface RunFlags extends StudyFlags {
  readonly trust?: true;
  readonly jobs?: number;
  readonly leaseSeconds: number;
  readonly keep?: string;
  readonly dryRun?: true;
  readonly retryFailed?: true;
  readonly json?: true;
}

export function registerRun(parent: Command): void {
  withCodeTrust(withStudyOptions(parent.command('run')))
    .summary('run the cells of a study that are missing')
    .description(
      'Runs the cells of a study that have no outcome yet, as many at a time as cores and memory ' +
        'allow. Interrupted and started again it goes on where it was.',
    )
    .option('--jobs <n>', 'cells at the same time', countOption)
    .option(
      '--lease-seconds <n>',
      'with --database: silence after which a worker is dead',
      countOption,
      30,
    )
    .option(
      '--keep <where>',
      'folder or s3://bucket/prefix for the whole results of cells that run',
    )
    .option('--dry-run', 'count cells, and estimate time and memory from a few of them')
    .option('--retry-failed', 'run cells again that failed')
    .option('--json', 'print one JSON object')
    .action(async (file: string, flags: RunFlags) => {
      const study = chooseStudy(file, flags);
      if (flags.dryRun === true) {
        await dryRun(study, flags);
        return;
      }
      const finished = knownEnd(study, flags);
      if (finished === undefined) await runMissing(study, flags);
      else tell({ ...finished, missing: 0 }, { asked: 0, ran: 0, isInterrupted: false }, flags);
    });
}

/** Returns the counts of a finished study in a folder; undefined when there is something left to do in it. */
function knownEnd(study: LoadedStudy, flags: RunFlags): FinishedCounts | undefined {
  if (flags.database !== undefined) return undefined;
  const known = finishedCounts(flags.folder ?? studyFolderOf(study), [...study.cells()]);
  return flags.retryFailed === true && (known?.failed ?? 0) > 0 ? undefined : known;
}

/** PERF: what cells run in loads while the database opens. */
async function runMissing(study: LoadedStudy, flags: RunFlags): Promise<void> {
  const keep = keptAt(flags.keep);
  const { limits } = study.document;
  const pool = cellSlots(Math.min(flags.jobs ?? slotCount(limits.memoryMb), study.size));
  pool.forEach((slot) => slot.begin(limits));
  try {
    await withOpen(study, flags, (session) => run(session, { pool, keep }, flags));
  } finally {
    pool.forEach((slot) => slot.stop());
  }
}

async function run(
  session: StudySession,
  work: Pick<RunOptions, 'pool' | 'keep'>,
  flags: RunFlags,
): Promise<void> {
  const { document } = session.study;
  if (flags.retryFailed === true) await session.forget('failed');
  const signal = interruption();
  const bar = countBar(document.name);
  const { tally, asked } = await session.run({
    ...work,
    leaseSeconds: flags.leaseSeconds,
    trust: flags.trust === true,
    signal,
    onBegin: (_, missing) => bar.start(missing),
    onOutcome: ({ cell, reason }) => {
      bar.add(reason !== undefined);
      if (reason !== undefined) note(`hpcc: cell ${cell.slice(0, 12)} failed: ${reason}`);
    },
  });
  bar.stop();
  const ran = asked - tally.open.length;
  tell(tally.counts, { asked, ran, isInterrupted: signal.aborted }, flags);
}

interface Ran {
  /** Cells that had no outcome before. */
  readonly asked: number;
  readonly ran: number;
  readonly isInterrupted: boolean;
}

function tell(
  counts: FinishedCounts & { readonly missing: number },
  { asked, ran, isInterrupted }: Ran,
  flags: RunFlags,
): void {
  const { cells, done, failed, missing } = counts;
  if (flags.json === true) print(JSON.stringify({ ...counts, asked, isInterrupted }));
  else {
    print(`${cells} cells: ${done} done, ${failed} failed, ${missing} missing; ran ${ran}`);
  }
  if (isInterrupted) process.exitCode = 130;
  else if (failed > 0) process.exitCode = 1;
}

/** Progress of many tasks, some of which fail. */
interface CountBar {
  start(total: number): void;
  add(hasFailed: boolean): void;
  stop(): void;
}

/** A bar with counts and the time left on standard error where that is a terminal, and nothing elsewhere. */
function countBar(label: string): CountBar {
  let failed = 0;
  const bar = new SingleBar({
    format: `${printable(label)} {bar} {value}/{total}, {failed} failed, {eta_formatted} left`,
    etaBuffer: 50,
    noTTYOutput: false,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  return {
    start: (total) => bar.start(total, 0, { failed }),
    add: (hasFailed) => {
      if (hasFailed) failed++;
      bar.increment(1, { failed });
    },
    stop: () => bar.stop(),
  };
}
