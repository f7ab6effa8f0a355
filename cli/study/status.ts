import type { Command } from 'commander';
import { alignedTable, print } from '../../common/io/terminal';
import { studyFolderOf } from '../../emulator/study/io/load-study';
import type { LoadedStudy } from '../../emulator/study/io/load-study';
import { readProgress } from '../../emulator/study/io/progress-file';
import { FolderInUseError } from '../../emulator/study/io/study-folder';
import { Tally } from '../../emulator/study/tally';
import type { StudyStatus } from '../../emulator/study/tally';
import { chooseStudy, timeText, withOpen, withStudyOptions } from './shared';
import type { StudyFlags } from './shared';

/** Progress of a study; while it runs also its remaining time. */
interface Seen extends StudyStatus {
  readonly workers?: number;
  readonly secondsLeft: number | null;
}

export function registerStatus(parent: Command): void {
  withStudyOptions(parent.command('status'))
    .summary('count what is done, failed and missing, with the figures so far')
    .description(
      'Also while the study runs: then with the time left. Of a study in a folder, the process that ' +
        'runs it says so every second.',
    )
    .option('--json', 'print one JSON object')
    .action(async (file: string, flags: StudyFlags & { json?: true }) => {
      const seen = await look(chooseStudy(file, flags), flags);
      print(flags.json === true ? JSON.stringify(seen) : text(seen));
    });
}

async function look(study: LoadedStudy, flags: StudyFlags): Promise<Seen> {
  try {
    return await withOpen(study, flags, async (session) => {
      const status = new Tally(study.document, await session.state()).status();
      const { workers = 0, cellsPerSecond = 0 } = (await session.pace()) ?? {};
      if (workers === 0 || status.missing === 0) return { ...status, secondsLeft: null };
      const secondsLeft = cellsPerSecond === 0 ? null : status.missing / cellsPerSecond;
      return { ...status, workers, secondsLeft };
    });
  } catch (error) {
    const folder = flags.folder ?? studyFolderOf(study);
    const running =
      error instanceof FolderInUseError ? readProgress(folder, study.document.name) : undefined;
    if (running === undefined) throw error;
    return { ...running, workers: 1 };
  }
}

/** Points that a glance takes in. */
const ROWS_MAX = 40;

function text({ cells, done, failed, missing, ...seen }: Seen): string {
  const { reasons, figures, cost, workers, secondsLeft } = seen;
  const lines = [`${cells} cells: ${done} done, ${failed} failed, ${missing} missing`];
  if (workers !== undefined) {
    const left = secondsLeft === null ? 'nothing has ended yet' : `${timeText(secondsLeft)} left`;
    lines.push(`running, ${workers === 1 ? '1 worker' : `${workers} workers`}: ${left}`);
  }
  for (const [reason, ids] of Object.entries(reasons)) {
    lines.push(`  ${ids.length} failed: ${reason} (${ids.slice(0, 3).join(', ')})`);
  }
  if (done > 0) lines.push('', alignedTable(figures.slice(0, ROWS_MAX + 1)));
  const rest = figures.length - 1 - ROWS_MAX;
  if (rest > 0) lines.push(`and ${rest} more points: hpcc study results`);
  if (cost !== undefined) lines.push('', cost);
  return lines.join('\n');
}
