import type { Command } from 'commander';
import { print } from '../../common/io/terminal';
import { openOutputFolder } from '../../common/io/output-folder';
import { writeStudyReport } from '../../emulator/study/io/write-report';
import { studyFolderOf } from '../../emulator/study/io/load-study';
import { inSession, withStudyOptions } from './shared';
import type { StudyFlags } from './shared';

interface ReportFlags extends StudyFlags {
  readonly out?: string;
}

export function registerReport(parent: Command): void {
  withStudyOptions(parent.command('report'))
    .summary('write one page with all figures')
    .option('--out <folder>', 'folder of the page and its table (default: that of the study)')
    .action(
      inSession<ReportFlags>(async (session, flags) => {
        const folder = flags.out ?? flags.folder ?? studyFolderOf(session.study);
        openOutputFolder(folder);
        print(`report: ${writeStudyReport(session.study, await session.state(), folder)}`);
      }),
    );
}
