import type { Command } from 'commander';
import { print } from '../../common/io/terminal';
import { withSession, withStudyOptions } from './shared';
import type { StudyFlags } from './shared';

export function registerClean(parent: Command): void {
  withStudyOptions(parent.command('clean'))
    .summary('forget the outcomes of a study')
    .option('--failed', 'only those of cells that failed')
    .action(async (file: string, flags: StudyFlags & { failed?: true }) => {
      await withSession(file, flags, async (session) => {
        const count = await session.forget(flags.failed === true ? 'failed' : 'all');
        print(`forgot ${count} outcomes`);
      });
    });
}
