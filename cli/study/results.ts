import * as path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { InputError } from '../../common/errors';
import { alignedTable, note, print } from '../../common/io/terminal';
import { openOutputFolder } from '../../common/io/output-folder';
import { writeAtomically } from '../../common/io/atomic-file';
import { parquetBytes } from '../../emulator/io/results/parquet';
import type { StudySession } from '../../emulator/study/io/study-session';
import {
  csvText,
  exportColumns,
  figureNames,
  figureRows,
  pointRows,
  pointTexts,
} from '../../emulator/study/table';
import type { FigureRow } from '../../emulator/study/table';
import { studyWarnings } from '../../emulator/study/warnings';
import { inSession, withStudyOptions } from './shared';
import type { StudyFlags } from './shared';

const FORMATS = ['table', 'csv', 'parquet', 'json'] as const;

interface ResultFlags extends StudyFlags {
  readonly format: (typeof FORMATS)[number];
  readonly out?: string;
}

export function registerResults(parent: Command): void {
  withStudyOptions(parent.command('results'))
    .summary('print the figures, or write them as CSV or Parquet')
    .description(
      'Prints mean and 95 % confidence interval over the seeds, point by point. The other formats ' +
        'have one row per cell, with where it ran and how long.',
    )
    .addOption(new Option('--format <name>', 'what to write').choices(FORMATS).default('table'))
    .option('--out <file>', 'write to a file; Parquet needs one')
    .action(inSession<ResultFlags>(results));
}

async function results(session: StudySession, { format, out }: ResultFlags): Promise<void> {
  const rows = figureRows(await session.state(), session.study.document.figures);
  if (out !== undefined) openOutputFolder(path.dirname(out));
  if (format === 'parquet') {
    if (out === undefined) throw new InputError('--format parquet: needs --out with a file');
    writeAtomically(out, await parquetBytes(exportColumns(rows)));
    return;
  }
  const text = { table: tableOf, csv: csvOf, json: jsonOf }[format](rows);
  if (format === 'table') {
    for (const warning of studyWarnings(rows)) note(`hpcc: ${warning}`);
  }
  if (out === undefined) print(text.trimEnd());
  else writeAtomically(out, text);
}

const csvOf = (rows: readonly FigureRow[]): string => csvText(exportColumns(rows));

function jsonOf(rows: readonly FigureRow[]): string {
  const objects = rows.map(({ cell, figures, provenance }) => ({
    cell: cell.id,
    point: Object.fromEntries(cell.point.map(({ path: at, value }) => [at, value])),
    seed: cell.input.seed,
    figures: Object.fromEntries(figures),
    provenance,
  }));
  return `${JSON.stringify(objects)}\n`;
}

function tableOf(rows: readonly FigureRow[]): string {
  const axes = rows[0]?.cell.point.map(({ path: at }) => at) ?? [];
  return `${alignedTable(pointTexts(pointRows(rows), { axes, names: figureNames(rows) }))}\n`;
}
