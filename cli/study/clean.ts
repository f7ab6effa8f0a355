import type { Command } from 'commander';
import { print } from '../../common/io/terminal';
import { inSession, withStudyOptions } from './shared';
import type { StudyFlags } from './shared';

interface CleanFlags extends StudyFlags {
  readonly failed?: true;
}

export function registerClean(parent: Command): void {
  withStudyOptions(parent.command('clean'))
    .summary('forget the outcomes of a study, and records of batch systems')
    .option('--failed', 'only those of cells that failed')
    .action(
      inSession<CleanFlags>(async (session, { failed }) => {
        print(`forgot ${await session.forget(failed === true ? 'failed' : 'all')} outcomes`);
      }),
    );
}
