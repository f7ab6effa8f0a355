import * as path from 'node:path';
import { pageAssets } from '../../io/results/page-assets';
import { writeAtomically } from '../../../common/io/atomic-file';
import { drawPicture } from '../../view/picture/draw-picture';
import { staticPage } from '../../view/data/static-page';
import { studyPage } from '../report-page';
import { csvText, exportColumns, figureRows } from '../table';
import type { StudyCell } from '../table';
import { buildVersion } from './build-version';
import type { LoadedStudy } from './load-study';

/** Charts that a picture for documents has side by side. */
const PICTURE_CHARTS = 3;

/**
 * Writes the page, which has its table in itself, the same table as CSV, and the first charts as a picture.
 * Returns the page's path.
 */
export function writeStudyReport(
  { document, file }: LoadedStudy,
  state: readonly StudyCell[],
  folder: string,
): string {
  const csv = csvText(exportColumns(figureRows(state, document.figures)));
  const made = {
    command: `./hpcc study run ${file} && ./hpcc study report ${file}`,
    version: buildVersion(),
    csv,
  };
  const page = studyPage(document, state, made);
  const report = path.join(folder, 'report.html');
  writeAtomically(report, staticPage(page, pageAssets()));
  writeAtomically(path.join(folder, 'results.csv'), csv);
  const drawn = page.charts.slice(0, PICTURE_CHARTS);
  if (drawn.length > 0) {
    writeAtomically(path.join(folder, 'figures.svg'), drawPicture(drawn, made.command));
  }
  return report;
}
