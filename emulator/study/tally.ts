import type { Outcome } from './cell';
import { costText } from './cost';
import { axisPaths } from './study-document';
import type { StudyDocument } from './study-document';
import { figureNames, figureRows, pointRows, pointTexts } from './table';
import type { FigureRow, StudyCell } from './table';

/** Progress of a study. */
export interface StudyStatus {
  readonly cells: number;
  readonly done: number;
  readonly failed: number;
  readonly missing: number;
  /** Beginnings of the ids of cells that failed, by their reason. */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
  /** Rows of texts, the names first: means of what is done, point by point. */
  readonly figures: readonly (readonly string[])[];
  /** Time, memory and speed of what is done, in a sentence; absent without any. */
  readonly cost?: string;
}

/**
 * Counts and figures of a study while its cells come in. Of an outcome only figures and reason
 * stay, so that a hundred thousand cells fit in memory.
 */
export class Tally {
  readonly #cells = new Map<string, StudyCell['cell'][]>();
  readonly #settled = new Set<string>();
  readonly #rows: FigureRow[] = [];
  readonly #reasons = new Map<string, string[]>();
  #size = 0;
  #done = 0;
  #failed = 0;

  constructor(
    private readonly study: StudyDocument,
    state: readonly StudyCell[],
  ) {
    for (const { cell } of state) {
      this.#size++;
      this.#cells.set(cell.id, [...(this.#cells.get(cell.id) ?? []), cell]);
    }
    for (const { outcome } of state) if (outcome !== undefined) this.add(outcome);
  }

  /** Takes an outcome in. Returns false for one that is known, or of another study. */
  add(outcome: Outcome): boolean {
    const cells = this.#cells.get(outcome.cell);
    if (cells === undefined || this.#settled.has(outcome.cell)) return false;
    this.#settled.add(outcome.cell);
    const { reason } = outcome;
    if (reason === undefined) {
      this.#done += cells.length;
      const found = cells.map((cell) => ({ cell, outcome }));
      this.#rows.push(...figureRows(found, this.study.figures));
    } else {
      this.#failed += cells.length;
      this.#reasonsOf(reason).push(outcome.cell.slice(0, SHORT_ID));
    }
    return true;
  }

  /** Cells with this reason; beyond some reasons, those with any other. */
  #reasonsOf(reason: string): string[] {
    const name = this.#reasons.has(reason) || this.#reasons.size < REASONS_MAX ? reason : OTHERS;
    const cells = this.#reasons.get(name) ?? [];
    this.#reasons.set(name, cells);
    return cells;
  }

  get isComplete(): boolean {
    return this.#settled.size === this.#cells.size;
  }

  /** Ids without an outcome. */
  get open(): string[] {
    return [...this.#cells.keys()].filter((id) => !this.#settled.has(id));
  }

  get counts(): Pick<StudyStatus, 'cells' | 'done' | 'failed' | 'missing'> {
    const missing = this.#size - this.#done - this.#failed;
    return { cells: this.#size, done: this.#done, failed: this.#failed, missing };
  }

  status(): StudyStatus {
    const names = figureNames(this.#rows);
    const points = pointRows(this.#rows);
    const cost = costText(this.#rows);
    return {
      ...this.counts,
      reasons: Object.fromEntries(this.#reasons),
      figures: pointTexts(points, { axes: axisPaths(this.study), names }),
      ...(cost !== undefined && { cost }),
    };
  }
}

/** Most reasons that are counted separately: there may be as many as cells. */
const REASONS_MAX = 100;
const OTHERS = 'other reasons';

/** Digits of an id that are shown to people. */
const SHORT_ID = 12;
