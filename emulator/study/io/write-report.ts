import * as path from 'node:path';
import { pageAssets } from '../../io/page-assets';
import { writeWhole } from '../../../common/io/whole-file';
import { staticPage } from '../../view/data/static-page';
import { studyPage } from '../report-page';
import { csvText, exportColumns, figureRows } from '../table';
import type { StudyCell } from '../table';
import { buildVersion } from './build-version';
import type { LoadedStudy } from './load-study';

/** Writes the page, which has its table in itself, and the same table as CSV. Returns the page's path. */
export function writeStudyReport(
  { document, file }: LoadedStudy,
  state: readonly StudyCell[],
  folder: string,
): string {
  const csv = csvText(exportColumns(figureRows(state, document.figures)));
  const page = path.join(folder, 'report.html');
  const made = {
    command: `./hpcc study run ${file} && ./hpcc study report ${file}`,
    version: buildVersion(),
    csv,
  };
  writeWhole(page, staticPage(studyPage(document, state, made), pageAssets()));
  writeWhole(path.join(folder, 'results.csv'), csv);
  return page;
}
