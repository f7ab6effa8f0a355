import { firstSchemaFault } from '../../../../common/document/schema-faults';
import * as crypto from 'node:crypto';
import { z } from 'zod';

/** Longest text of a cell's input; a scenario with all its topology and flows. */
export const INPUT_MAX = 64 * 1024 * 1024;
const SECONDS_MAX = 30 * 86_400;
const MEGABYTES_MAX = 16 * 1024 * 1024;

const CELL_ID = /^[\da-f]{64}$/;

/** True for what can be the id of a cell, as the columns of a table need not be. */
export const isCellId = (id: unknown): id is string => typeof id === 'string' && CELL_ID.test(id);

const taskSchema = z.object({
  cell: z.string().regex(CELL_ID, 'must be 64 hexadecimal digits'),
  input: z.string().max(INPUT_MAX),
  limits: z.strictObject({
    memoryMb: z.number().positive().max(MEGABYTES_MAX),
    timeoutSeconds: z.number().positive().max(SECONDS_MAX),
  }),
  keeps: z.literal(true).optional(),
});

/**
 * Says why a row of the queue is no task; undefined for one that is. Whoever can write to the table can change rows, but
 * not so that another content has the same id.
 */
export function taskFault(row: unknown): string | undefined {
  const result = taskSchema.safeParse(row);
  if (result.error !== undefined) {
    return `the row of the queue is no cell: ${firstSchemaFault(result.error)}`;
  }
  const { cell, input } = result.data;
  const digest = crypto.createHash('sha256').update(input).digest('hex');
  if (digest === cell) return undefined;
  return 'the row of the queue was changed: its id is not the digest of its input';
}
