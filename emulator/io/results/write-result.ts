import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import { openOutputFolder } from '../../../common/io/output-folder';
import { writeAtomically } from '../../../common/io/atomic-file';
import { csvFiles } from '../../result/csv';
import type { Result } from '../../result/result';
import type { ScenarioDocument } from '../../scenario/schema';
import type { PageData } from '../../view/data/page-data';
import { runPage } from '../../view/data/run-page';
import type { PageExtras } from '../../view/data/run-page';
import { staticPage } from '../../view/data/static-page';
import { pageAssets } from './page-assets';

/** Place of the written results. */
export interface WrittenResult {
  readonly folder: string;
  readonly report: string;
}

/** Files to be written beside a result. */
export interface WriteExtras extends PageExtras {
  /** The complete scenario, from which any moment of the run can be repeated. */
  readonly scenario?: ScenarioDocument;
}

/** Name of the scenario beside a result. */
export const SCENARIO_FILE = 'scenario.json';

/**
 * Writes `result.json`, the series as CSV and `report.html` into `folder`, which is made if needed;
 * and `scenario.json`, where the scenario is given. Each file appears whole or not at all.
 * @throws InputError when the folder cannot be written.
 */
export function writeResult(
  result: Result,
  folder: string,
  { scenario, ...extras }: WriteExtras = {},
): WrittenResult {
  const report = path.join(folder, 'report.html');
  const page = staticPage(runPage(result, extras), pageAssets());
  openOutputFolder(folder);
  try {
    writeAtomically(path.join(folder, 'result.json'), `${JSON.stringify(result, null, 1)}\n`);
    for (const [name, lines] of csvFiles(result)) writeAtomically(path.join(folder, name), lines);
    if (scenario !== undefined) {
      writeAtomically(path.join(folder, SCENARIO_FILE), `${JSON.stringify(scenario, null, 1)}\n`);
    }
    writeAtomically(report, page);
  } catch (error) {
    throw new InputError(`cannot write results to ${folder}: ${(error as Error).message}`);
  }
  return { folder, report };
}

/**
 * Writes `comparison.json` and `report.html` of several runs into `folder`, which is made if needed.
 * @returns the file of the page. @throws InputError when the folder cannot be written.
 */
export function writeComparison(figures: unknown, page: PageData, folder: string): string {
  const report = path.join(folder, 'report.html');
  const html = staticPage(page, pageAssets());
  openOutputFolder(folder);
  try {
    writeAtomically(path.join(folder, 'comparison.json'), `${JSON.stringify(figures, null, 1)}\n`);
    writeAtomically(report, html);
  } catch (error) {
    throw new InputError(`cannot write the comparison to ${folder}: ${(error as Error).message}`);
  }
  return report;
}
