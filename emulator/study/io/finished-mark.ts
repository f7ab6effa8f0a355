import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../../../common/io/atomic-file';
import type { Cell } from '../cell';

/** Totals of a study all of whose cells have an outcome. */
const markSchema = z.strictObject({
  /** Digest of the ids of the cells. */
  study: z.string(),
  cells: z.number(),
  done: z.number(),
  failed: z.number(),
});

export type FinishedCounts = Omit<z.infer<typeof markSchema>, 'study'>;

const fileOf = (folder: string): string => path.join(folder, 'finished.json');

/**
 * Counts of a study that is finished, from a file beside its database: opening a PostgreSQL to learn that
 * nothing is missing takes longer than everything else together. Undefined where the file is of other
 * cells, or its database is gone.
 */
export function finishedCounts(folder: string, cells: readonly Cell[]): FinishedCounts | undefined {
  if (!fs.existsSync(path.join(folder, 'database', 'PG_VERSION'))) return undefined;
  try {
    const found = markSchema.parse(JSON.parse(fs.readFileSync(fileOf(folder), 'utf8')));
    const { study, ...counts } = found;
    return study === digestOf(cells) ? counts : undefined;
  } catch {
    // Nothing, or nothing that can be read: the database knows.
    return undefined;
  }
}

/** Writes the mark; call it when the database is closed, so that it has what the file says. */
export function markFinished(
  folder: string,
  cells: readonly Cell[],
  { cells: count, done, failed }: FinishedCounts,
): void {
  const mark = { study: digestOf(cells), cells: count, done, failed };
  writeAtomically(fileOf(folder), `${JSON.stringify(mark)}\n`);
}

export const unmarkFinished = (folder: string): void => fs.rmSync(fileOf(folder), { force: true });

function digestOf(cells: readonly Cell[]): string {
  const hash = crypto.createHash('sha256');
  for (const { id } of cells) hash.update(id);
  return hash.digest('hex');
}
