import { failureText } from '../../../common/errors';
import { endWithParent } from '../../../common/io/end-with-parent';
import { SharedWork } from '../../io/shared-work';
import type { CellFiles } from '../cell';
import { keepResult } from './kept-results';
import { runCell } from './run-cell';

/** Outcome of a cell as its process tells it: the text of its summary, or why there is none. */
export type CellAnswer =
  | { readonly summary: string; readonly durationMs: number; readonly memoryBytes: number }
  | { readonly reason: string; readonly durationMs: number; readonly memoryBytes: number };

const shared = new SharedWork();

/** Message that starts a cell in a process. */
export interface CellQuestion {
  readonly cell: string;
  readonly input: string;
  readonly files: CellFiles;
}

async function answerTo({ cell, input, files }: CellQuestion): Promise<CellAnswer> {
  const startedAt = performance.now();
  const facts = (): { durationMs: number; memoryBytes: number } => ({
    durationMs: Math.round(performance.now() - startedAt),
    memoryBytes: process.memoryUsage.rss(),
  });
  try {
    const { summary, result } = await runCell(input, {
      shared,
      files,
    });
    if (files.keep !== undefined) await keepResult(files.keep, { cell, result });
    return { summary, ...facts() };
  } catch (error) {
    return { reason: failureText(error), ...facts() };
  }
}

/** Answers what the parent of this process asks, until it lets go of it. */
export function serveCells(): void {
  // A parent that was killed wants no result, and its successor wants the processor.
  endWithParent();
  process.on('message', (question: CellQuestion) => {
    void answerTo(question).then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit(0));
  // An interruption of the terminal reaches the whole group: what becomes of cells, the parent decides.
  process.on('SIGINT', () => undefined);
}
