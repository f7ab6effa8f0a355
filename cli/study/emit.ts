import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { print } from '../../common/io/terminal';
import { EMIT_KINDS, emitted } from '../../emulator/study/emit';
import type { EmitKind } from '../../emulator/study/emit';
import { checkStore } from '../../emulator/study/io/kept-results';
import { studyFolderOf } from '../../emulator/study/io/load-study';
import { countOption } from '../shared/option-values';
import { chooseStudy, withCodeTrust } from './shared';
import type { StudyFlags } from './shared';

interface EmitFlags extends StudyFlags {
  readonly kind: EmitKind;
  readonly command?: string;
  readonly image: string;
  readonly claim: string;
  readonly parallel: number;
  readonly keep?: string;
  readonly trust?: true;
}

export function registerEmit(parent: Command): void {
  withCodeTrust(parent.command('emit'))
    .summary('print an array job of a batch system over the cells')
    .description(
      'Prints a script for sbatch or a Job for kubectl, one task per cell; of Slurm 1000 tasks at most, ' +
        'which run several cells each if there are more. Tasks leave records in the ' +
        'folder of the study, where hpcc study run, status, results and report take them from.',
    )
    .argument('<study>', 'file of a study, as tasks find it')
    .addOption(
      new Option('--kind <name>', 'batch system').choices(EMIT_KINDS).makeOptionMandatory(),
    )
    .option('--folder <folder>', 'of the study, shared by all tasks (default: out/study-<name>)')
    .option(
      '--command <command>',
      'how tasks call it (default: ./hpcc, in containers /opt/hpcc/hpcc)',
    )
    .option('--image <name>', 'of the container, for kubernetes', 'hpcc:latest')
    .option('--claim <name>', 'of the volume with study and folder, for kubernetes', 'study')
    .option('--keep <where>', 'folder or s3://bucket/prefix for whole results, as tasks find it')
    .option('--parallel <n>', 'tasks at the same time', countOption, 100)
    .option('--yes', 'also with more than 100000 cells')
    .action((file: string, flags: EmitFlags) => {
      const study = chooseStudy(file, flags);
      if (flags.keep?.includes('://') === true) checkStore(flags.keep);
      const { kind, folder = studyFolderOf(study), ...rest } = flags;
      if (kind === 'kubernetes' && study.document.name.length > NAME_MAX) {
        throw new InputError(`${file}: name: Kubernetes wants at most ${NAME_MAX} characters`);
      }
      const { document, size: cells } = study;
      const { command = kind === 'kubernetes' ? '/opt/hpcc/hpcc' : './hpcc' } = rest;
      print(emitted(kind, { ...rest, command, study: document, file, folder, cells }).trimEnd());
    });
}

/** RFC 1123 labels have 63, of which the index of a pod and its suffix take some. */
const NAME_MAX = 45;
