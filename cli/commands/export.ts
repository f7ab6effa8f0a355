import * as path from 'node:path';
import { Argument } from 'commander';
import type { Command } from 'commander';
import { print } from '../../common/io/terminal';
import { EXPORT_FORMATS, exportRun } from '../../emulator/io/export-run';
import { readRun } from '../shared/read-run';

interface ExportFlags {
  readonly out?: string;
  readonly trust?: true;
}

export function registerExport(command: Command): void {
  command
    .description(
      'Writes what a run has sent as topology and flows of the HPCC simulator or as execution traces of Chakra, ' +
        'its tables as CSV or Parquet, or, by running it again, all packets as a trace for Perfetto.',
    )
    .argument('<result>', 'folder or result.json of a run')
    .addArgument(new Argument('<format>', 'what is written').choices(EXPORT_FORMATS))
    .option(
      '--out <folder>',
      'folder of the files (default: named for the format, in that of the run)',
    )
    .option(
      '--trust',
      'repeat a run whose scenario names an algorithm file: that code then runs here, in a compartment',
    )
    .action(async (given: string, format: string, flags: ExportFlags) => {
      const { result, folder, repeat } = readRun(given, flags.trust === true);
      const run = { result, folder, scenario: repeat?.scenario };
      const into = flags.out ?? path.join(folder, format);
      for (const file of await exportRun(run, format, into)) print(file);
    });
}
