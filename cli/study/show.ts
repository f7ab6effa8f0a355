import * as path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { alignedTable, print } from '../../common/io/terminal';
import { openOutputFolder } from '../../common/io/output-folder';
import { writeWhole } from '../../emulator/io/write-result';
import { parquetBytes, writeBytes } from '../../emulator/study/io/parquet';
import { writeStudyReport } from '../../emulator/study/io/write-report';
import type { StudySession } from '../../emulator/study/io/study-session';
import { studyFolderOf } from '../../emulator/study/io/study-session';
import {
  csvText,
  exportColumns,
  figureNames,
  figureRows,
  pointRows,
} from '../../emulator/study/table';
import type { FigureRow, PointRow, StudyCell } from '../../emulator/study/table';
import { shortNumber } from '../../emulator/study/number-text';
import { withSession, withStudyOptions } from './shared';
import type { StudyFlags } from './shared';

const FORMATS = ['table', 'csv', 'parquet', 'json'] as const;

interface ResultFlags extends StudyFlags {
  readonly format: (typeof FORMATS)[number];
  readonly out?: string;
}

export function registerShow(parent: Command): void {
  withStudyOptions(parent.command('status'))
    .summary('count what is done, failed and missing')
    .option('--json', 'print one JSON object')
    .action(async (file: string, flags: StudyFlags & { json?: true }) => {
      await withSession(file, flags, async (session) => status(session, flags.json === true));
    });
  withStudyOptions(parent.command('results'))
    .summary('print the figures, or write them as CSV or Parquet')
    .description(
      'Prints mean and 95 % confidence interval over the seeds, point by point. The other formats ' +
        'have one row per cell, with where it ran and how long.',
    )
    .addOption(new Option('--format <name>', 'what to write').choices(FORMATS).default('table'))
    .option('--out <file>', 'write to a file; Parquet needs one')
    .action(async (file: string, flags: ResultFlags) => {
      await withSession(file, flags, async (session) => results(session, flags));
    });
  withStudyOptions(parent.command('report'))
    .summary('write one page with all figures')
    .option('--out <folder>', 'folder of the page and its table (default: that of the study)')
    .action(async (file: string, flags: StudyFlags & { out?: string }) => {
      await withSession(file, flags, async (session) => {
        const folder = flags.out ?? flags.folder ?? studyFolderOf(session.study);
        openOutputFolder(folder);
        print(`report: ${writeStudyReport(session.study, await session.state(), folder)}`);
      });
    });
  withStudyOptions(parent.command('clean'))
    .summary('forget the outcomes of a study')
    .option('--failed', 'only those of cells that failed')
    .action(async (file: string, flags: StudyFlags & { failed?: true }) => {
      await withSession(file, flags, async (session) => {
        const ids = session.cells.map(({ id }) => id);
        const count = await session.store.forget(ids, flags.failed === true ? 'failed' : 'all');
        print(`forgot ${count} outcomes`);
      });
    });
}

async function status(session: StudySession, asJson: boolean): Promise<void> {
  const state = await session.state();
  const failures = state.filter(({ outcome }) => outcome?.reason !== undefined);
  const done = state.filter(({ outcome }) => outcome?.summary !== undefined).length;
  const missing = state.length - done - failures.length;
  const reasons = countedReasons(failures);
  if (asJson) {
    const counts = { cells: state.length, done, failed: failures.length, missing };
    print(JSON.stringify({ ...counts, reasons: Object.fromEntries(reasons) }));
    return;
  }
  print(`${state.length} cells: ${done} done, ${failures.length} failed, ${missing} missing`);
  for (const [reason, cells] of reasons) {
    print(`  ${cells.length} failed: ${reason} (${cells.slice(0, 3).join(', ')})`);
  }
}

function countedReasons(failures: readonly StudyCell[]): Map<string, string[]> {
  const counted = new Map<string, string[]>();
  for (const { cell, outcome } of failures) {
    const reason = outcome?.reason ?? '';
    counted.set(reason, [...(counted.get(reason) ?? []), cell.id.slice(0, 12)]);
  }
  return counted;
}

async function results(session: StudySession, { format, out }: ResultFlags): Promise<void> {
  const rows = figureRows(await session.state(), session.study.document.figures);
  if (out !== undefined) openOutputFolder(path.dirname(out));
  if (format === 'parquet') {
    writeBytes(out, await parquetBytes(exportColumns(rows)));
    return;
  }
  const text = { table: resultTable, csv: csvOf, json: jsonOf }[format](rows);
  if (out === undefined) print(text.trimEnd());
  else writeWhole(out, text);
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

function resultTable(rows: readonly FigureRow[]): string {
  const names = figureNames(rows);
  const axes = rows[0]?.cell.point.map(({ path: at }) => at) ?? [];
  const lines = pointRows(rows).map((row) => [
    ...row.labels,
    ...names.map((name) => cellText(row, name)),
  ]);
  return `${alignedTable([[...axes, ...names], ...lines])}\n`;
}

/** `12.3 ± 0.4` */
function cellText({ estimates }: PointRow, name: string): string {
  const estimate = estimates.get(name);
  if (estimate === undefined) return '-';
  const { mean, halfWidth } = estimate;
  return halfWidth === null
    ? shortNumber(mean)
    : `${shortNumber(mean)} ± ${shortNumber(halfWidth)}`;
}
