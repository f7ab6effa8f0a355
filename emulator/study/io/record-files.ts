import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { readTextFile } from '../../../common/io/bounded-file';
import { InputError } from '../../../common/errors';
import { parseLocated } from '../../../common/document/located-document';
import { writeAtomically } from '../../../common/io/atomic-file';
import type { Outcome } from '../cell';
import { SUMMARY_SCHEMA } from '../summary';

/** An outcome as a file, as cells of batch systems leave it. */
const recordSchema = z
  .strictObject({
    schema: z.literal('hpcc-cell/1'),
    cell: z.string().regex(/^[\da-f]{64}$/, 'must be 64 hexadecimal digits'),
    summary: SUMMARY_SCHEMA.optional(),
    reason: z.string().optional(),
    provenance: z.strictObject({
      version: z.string(),
      commit: z.string(),
      host: z.string(),
      durationMs: z.number(),
      memoryBytes: z.number(),
    }),
  })
  .refine(
    ({ summary, reason }) => (summary === undefined) !== (reason === undefined),
    'must have either summary or reason',
  );

const fileOf = (folder: string, cell: string): string => path.join(folder, `${cell}.json`);

/** Writes an outcome, whole or not at all. */
export function writeRecord(folder: string, { summary, ...outcome }: Outcome): string {
  const file = fileOf(folder, outcome.cell);
  const record = {
    schema: 'hpcc-cell/1',
    ...outcome,
    ...(summary !== undefined && { summary: JSON.parse(summary) as unknown }),
  };
  writeAtomically(file, `${JSON.stringify(record)}\n`);
  return file;
}

const RECORD = /^([\da-f]{64})\.json$/;

/** Ids of the cells that a folder has records of, which may be of several studies. */
export function recordedCells(folder: string): Set<string> {
  if (!fs.existsSync(folder)) return new Set();
  return new Set(fs.readdirSync(folder).flatMap((name) => RECORD.exec(name)?.[1] ?? []));
}

/**
 * Outcomes that files have of these cells.
 * @throws InputError for a file that is no record.
 */
export const readRecords = (folder: string, cells: readonly string[]): Outcome[] =>
  cells.map((cell) => readRecord(folder, cell));

/** Removes records of these cells: all, or those of cells that failed. */
export function removeRecords(
  folder: string,
  cells: readonly string[],
  which: 'all' | 'failed',
): void {
  const there = recordedCells(folder);
  for (const cell of cells.filter((id) => there.has(id))) {
    if (which === 'failed' && readRecord(folder, cell).reason === undefined) continue;
    fs.rmSync(fileOf(folder, cell), { force: true });
  }
}

function readRecord(folder: string, cell: string): Outcome {
  const file = fileOf(folder, cell);
  const text = readTextFile(file);
  const { value } = parseLocated(text, file, recordSchema, 'record');
  if (value.cell !== cell) throw new InputError(`${file}: cell: must be ${cell}`);
  const { reason, provenance } = value;
  // As it was written: a schema puts keys in its own order.
  const { summary } = JSON.parse(text) as { summary?: unknown };
  return {
    cell,
    provenance,
    ...(reason !== undefined && { reason }),
    ...(summary !== undefined && { summary: JSON.stringify(summary) }),
  };
}
