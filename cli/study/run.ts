import type { Command } from 'commander';
import { note, print } from '../../common/io/terminal';
import { countBar } from '../../common/io/count-bar';
import { slotCount } from '../../emulator/study/io/process-pool';
import { estimateStudy } from '../../emulator/study/io/dry-run';
import type { StudySession } from '../../emulator/study/io/study-session';
import type { Outcome } from '../../emulator/study/cell';
import { countOption } from '../shared/option-values';
import { chooseStudy, interruption, withSession, withStudyOptions } from './shared';
import type { StudyFlags } from './shared';

interface RunFlags extends StudyFlags {
  readonly jobs?: number;
  readonly leaseSeconds: number;
  readonly dryRun?: true;
  readonly retryFailed?: true;
  readonly json?: true;
}

export function registerRun(parent: Command): void {
  withStudyOptions(parent.command('run'))
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
    .option('--dry-run', 'count cells, and estimate time and memory from a few of them')
    .option('--retry-failed', 'run cells again that failed')
    .option('--json', 'print one JSON object')
    .action(async (file: string, flags: RunFlags) => {
      if (flags.dryRun === true) await dryRun(file, flags);
      else await withSession(file, flags, (session) => run(session, flags));
    });
}

async function run(session: StudySession, flags: RunFlags): Promise<void> {
  const { document } = session.study;
  const ids = session.cells.map(({ id }) => id);
  if (flags.retryFailed === true) await session.store.forget(ids, 'failed');
  const signal = interruption();
  const bar = countBar(document.name);
  const failures: Outcome[] = [];
  const ran = await session.run({
    slots: flags.jobs ?? slotCount(document.limits.memoryMb),
    leaseSeconds: flags.leaseSeconds,
    signal,
    onMissing: (count) => bar.start(count),
    onOutcome: (outcome) => {
      bar.add(outcome.reason !== undefined);
      if (outcome.reason === undefined) return;
      failures.push(outcome);
      note(`hpcc: cell ${outcome.cell.slice(0, 12)} failed: ${outcome.reason}`);
    },
  });
  bar.stop();
  await tell(session, { ran, isInterrupted: signal.aborted }, flags);
}

interface Ran {
  readonly ran: number;
  readonly isInterrupted: boolean;
}

async function tell(session: StudySession, { ran, isInterrupted }: Ran, flags: RunFlags) {
  const state = await session.state();
  const done = state.filter(({ outcome }) => outcome?.summary !== undefined).length;
  const failed = state.filter(({ outcome }) => outcome?.reason !== undefined).length;
  const missing = state.length - done - failed;
  const counts = { cells: state.length, done, failed, missing };
  if (flags.json === true) print(JSON.stringify({ ...counts, asked: ran, isInterrupted }));
  else {
    print(
      `${state.length} cells: ${done} done, ${failed} failed, ${missing} missing; ran ${ran - missing}`,
    );
  }
  if (isInterrupted) process.exitCode = 130;
  else if (failed > 0) process.exitCode = 1;
}

async function dryRun(file: string, flags: RunFlags): Promise<void> {
  const study = chooseStudy(file, flags);
  const slots = flags.jobs ?? slotCount(study.document.limits.memoryMb);
  const estimate = await estimateStudy(study, slots);
  if (flags.json === true) {
    print(JSON.stringify(estimate));
    return;
  }
  const { cells, tried, secondsPerCell, seconds, memoryMb, failures } = estimate;
  for (const reason of failures) note(`hpcc: a cell that was tried failed: ${reason}`);
  print(`${cells} cells, ${slots} at a time; tried ${tried} of them:`);
  print(
    `about ${secondsPerCell.toFixed(2)} s and up to ${memoryMb.toFixed(0)} MB per cell, ` +
      `${seconds.toFixed(0)} s in all`,
  );
}
