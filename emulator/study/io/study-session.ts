import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import { canonicalText } from '../cell';
import type { Cell, Outcome } from '../cell';
import type { StudyCell } from '../table';
import { CellQueue } from './cell-queue';
import type { CellTask } from './cell-queue';
import { buildVersion } from './build-version';
import { openEmbedded, openServer } from './database';
import type { Database } from './database';
import type { LoadedStudy } from './load-study';
import { readRecords } from './record-files';
import { Store } from './store';
import { StudyFolder } from './study-folder';
import { work } from './work';

export interface SessionOptions {
  /** Where the embedded database is, and what batch systems have left. */
  readonly folder?: string;
  /** A PostgreSQL server in its place. */
  readonly database?: string;
}

/** More cells than this are made only when asked for twice. */
export const CELLS_WITHOUT_ASKING = 100_000;

/** Where the files of a study are unless told. */
export const studyFolderOf = ({ document }: LoadedStudy): string =>
  path.join('out', `study-${document.name}`);

/** A study with its database open. */
export class StudySession {
  readonly cells: readonly Cell[];

  private constructor(
    readonly study: LoadedStudy,
    private readonly database: Database,
    readonly store: Store,
    private readonly folder: StudyFolder | undefined,
  ) {
    this.cells = [...study.cells()];
  }

  static async open(study: LoadedStudy, options: SessionOptions): Promise<StudySession> {
    const folder =
      options.database === undefined
        ? StudyFolder.open(options.folder ?? studyFolderOf(study))
        : undefined;
    try {
      const database =
        folder === undefined
          ? await openServer(options.database ?? '')
          : await openFiles(folder.database);
      const session = new StudySession(study, database, await Store.open(database), folder);
      const records = folder?.records ?? options.folder;
      if (records !== undefined) await session.#takeRecords(records);
      return session;
    } catch (error) {
      folder?.close();
      throw error;
    }
  }

  /** Outcomes of array jobs, which have no database. */
  async #takeRecords(folder: string): Promise<void> {
    const found = readRecords(folder, new Set(this.cells.map(({ id }) => id)));
    for (const outcome of found) await this.store.put(outcome);
  }

  /** All cells with what became of them. */
  async state(): Promise<StudyCell[]> {
    const outcomes = await this.store.outcomes(this.cells.map(({ id }) => id));
    return this.cells.map((cell) => {
      const outcome = outcomes.get(cell.id);
      return { cell, ...(outcome !== undefined && { outcome }) };
    });
  }

  /**
   * Runs what is missing.
   * @returns how many cells that were.
   */
  async run(options: RunOptions): Promise<number> {
    const missing = missingCells(await this.state());
    options.onMissing?.(missing.length);
    if (missing.length === 0) return 0;
    const queue = await CellQueue.open(this.database, buildVersion());
    try {
      await (this.folder === undefined ? queue.create() : queue.reset());
      await queue.add(missing.map((cell) => this.#taskOf(cell)));
      await this.#work(queue, missing, options);
    } finally {
      await queue.stop();
    }
    return missing.length;
  }

  async #work(queue: CellQueue, missing: readonly Cell[], options: RunOptions): Promise<void> {
    const open = new Set(missing.map(({ id }) => id));
    const { onOutcome } = options;
    const settle = (outcome: Outcome): void => {
      // The queue of a server has cells of other studies, too.
      if (open.delete(outcome.cell)) onOutcome?.(outcome);
    };
    const isOver = async (): Promise<boolean> => {
      for (const outcome of (await this.store.outcomes([...open])).values()) settle(outcome);
      return open.size === 0;
    };
    const { slots, leaseSeconds, signal } = options;
    await work({ queue, slots, leaseSeconds, signal, isOver, onOutcome: settle });
    if (!signal.aborted) await isOver();
  }

  #taskOf({ id, input }: Cell): CellTask {
    return { cell: id, input: canonicalText(input), limits: this.study.document.limits };
  }

  async close(): Promise<void> {
    await this.database.close();
    this.folder?.close();
  }
}

export interface RunOptions {
  readonly slots: number;
  readonly leaseSeconds: number;
  readonly signal: AbortSignal;
  readonly onMissing?: (count: number) => void;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Cells without an outcome, each once: points may come to the same scenario. */
function missingCells(state: readonly StudyCell[]): Cell[] {
  const missing = state.filter(({ outcome }) => outcome === undefined).map(({ cell }) => cell);
  return [...new Map(missing.map((cell) => [cell.id, cell])).values()];
}

async function openFiles(folder: string): Promise<Database> {
  try {
    return await openEmbedded(folder);
  } catch (error) {
    throw new InputError(
      `cannot open the database in ${folder}: ${(error as Error).message}; hpcc study clean removes it`,
    );
  }
}
