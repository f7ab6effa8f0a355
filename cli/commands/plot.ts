import * as path from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { alignedTable, print } from '../../common/io/terminal';
import { didYouMean } from '../../common/nearest-word';
import { PICTURE_KINDS, pictureKind, writePicture } from '../../emulator/io/picture-file';
import type { Chart } from '../../emulator/view/data/chart';
import { runPage } from '../../emulator/view/data/run-page';
import { PAPER_STYLES } from '../../emulator/view/picture/picture-style';
import { readRun } from '../shared/read-run';
import { typedCommand } from '../shared/typed-command';

interface PlotFlags {
  readonly width: keyof typeof PAPER_STYLES;
  readonly out?: string;
}

export function registerPlot(command: Command): void {
  command
    .description(
      'Writes a chart of a run as SVG, PDF or PNG in the width of a column or a page, with fonts of papers, ' +
        'or its data as CSV. Without a chart it prints the charts of the run.',
    )
    .argument('<result>', 'folder or result.json of a run')
    .argument('[chart]', 'name of a chart')
    .addOption(
      new Option('--width <of>', 'width: of a column of a paper, or of its page')
        .choices(Object.keys(PAPER_STYLES))
        .default('column'),
    )
    .option(
      '--out <file>',
      `file, whose end says what is written: ${PICTURE_KINDS.join(', ')} (default: CHART.svg beside the result)`,
    )
    .action((given: string, name: string | undefined, flags: PlotFlags) => {
      const { result, extras, folder } = readRun(given, false);
      const { charts } = runPage(result, extras);
      if (name === undefined) {
        if (flags.out !== undefined) throw new InputError('--out needs the name of a chart');
        print(alignedTable(charts.map(({ id, title }) => [id, title])));
        return;
      }
      const chart = chartNamed(charts, name);
      const file = flags.out ?? path.join(folder, `${name}.svg`);
      pictureKind(file);
      writePicture(chart, file, { style: PAPER_STYLES[flags.width], command: typedCommand() });
      print(file);
    });
}

function chartNamed(charts: readonly Chart[], name: string): Chart {
  const found = charts.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const names = charts.map(({ id }) => id);
  throw new InputError(
    `no chart '${name}'${didYouMean(name, names)}; there are ${names.join(', ')}`,
  );
}
