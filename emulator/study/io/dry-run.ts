import { canonicalText } from '../cell';
import type { Cell } from '../cell';
import { codeOf } from './load-study';
import type { LoadedStudy } from './load-study';
import { CellSlot } from './process-pool';

/** Estimated cost of a study, from a few of its cells. */
export interface Estimate {
  readonly cells: number;
  readonly tried: number;
  readonly secondsPerCell: number;
  /** Time of the whole study. */
  readonly seconds: number;
  /** Largest memory of one cell. */
  readonly memoryMb: number;
  /** Why cells that were tried failed. */
  readonly failures: readonly string[];
}

const TRIED = 3;

/** Runs the first cell, the middle one and the last one, and keeps nothing of them. */
export async function estimateStudy(
  study: LoadedStudy,
  slots: number,
  trust = false,
): Promise<Estimate> {
  const slot = new CellSlot();
  try {
    const cells = sampleOf(study);
    const outcomes = [];
    for (const cell of cells) {
      const { id, input } = cell;
      const { limits } = study.document;
      const files = codeOf(study, [cell], trust);
      const outcome = await slot.run({ cell: id, input: canonicalText(input), limits, files });
      if (outcome !== undefined) outcomes.push(outcome);
    }
    const durations = outcomes.map(({ provenance }) => provenance.durationMs / 1000);
    const secondsPerCell = durations.reduce((sum, one) => sum + one, 0) / outcomes.length;
    return {
      cells: study.size,
      tried: outcomes.length,
      secondsPerCell,
      seconds: (secondsPerCell * study.size) / Math.min(slots, study.size),
      memoryMb: Math.max(...outcomes.map(({ provenance }) => provenance.memoryBytes)) / 2 ** 20,
      failures: outcomes.flatMap(({ reason }) => reason ?? []),
    };
  } finally {
    slot.stop();
  }
}

function sampleOf({ size, cells }: LoadedStudy): Cell[] {
  const wanted = new Set([0, Math.floor((size - 1) / 2), size - 1].slice(0, TRIED));
  const found: Cell[] = [];
  let index = 0;
  for (const cell of cells()) if (wanted.has(index++)) found.push(cell);
  return found;
}
