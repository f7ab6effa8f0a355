import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { openOutputFolder } from '../../common/io/output-folder';
import { csvFiles } from '../result/csv';
import type { Result } from '../result/result';
import { renderReport } from '../report/html';
import type { ReportExtras } from '../report/html';

/** Where results were written. */
export interface WrittenResult {
  readonly folder: string;
  readonly report: string;
}

/**
 * Writes `result.json`, the series as CSV and `report.html` into `folder`, which is made if needed.
 * Each file appears whole or not at all.
 * @throws InputError when the folder cannot be written.
 */
export function writeResult(result: Result, folder: string, extras?: ReportExtras): WrittenResult {
  const report = path.join(folder, 'report.html');
  openOutputFolder(folder);
  try {
    writeWhole(path.join(folder, 'result.json'), `${JSON.stringify(result, null, 1)}\n`);
    for (const [name, text] of csvFiles(result)) writeWhole(path.join(folder, name), text);
    writeWhole(report, renderReport(result, echartsSource(), extras));
  } catch (error) {
    throw new InputError(`cannot write results to ${folder}: ${(error as Error).message}`);
  }
  return { folder, report };
}

/** Writes a file that appears whole or not at all. */
export function writeWhole(file: string, text: string): void {
  const partial = `${file}.partial`;
  fs.writeFileSync(partial, text);
  fs.renameSync(partial, file);
}

/** The library that pages carry in themselves. */
export function echartsSource(): string {
  return fs.readFileSync(require.resolve('echarts/dist/echarts.min.js'), 'utf8');
}
