import { canonicalText } from '../cell';
import type { Cell, Outcome } from '../cell';
import type { StudyCell } from '../table';
import { checkedOutcome } from '../summary-fault';
import { Tally } from '../tally';
import { CellQueue } from './database/cell-queue';
import type { CellTask } from './database/cell-queue';
import { workVersion } from './build-version';
import { openEmbedded, openServer } from './database/database';
import type { Database } from './database/database';
import { markFinished, unmarkFinished } from './finished-mark';
import { codeOf, studyFolderOf } from './load-study';
import type { LoadedStudy } from './load-study';
import { removeProgress, writeProgress } from './progress-file';
import type { CellSlot } from './process-pool';
import { readRecords, recordedCells, removeRecords } from './record-files';
import { Store } from './database/store';
import type { Pace, Place } from './database/store';
import { StudyFolder } from './study-folder';
import { work } from './work';
import type { WorkFigures } from './work';

export interface SessionOptions {
  /** Folder of the embedded database and of the files of batch systems. */
  readonly folder?: string;
  /** A PostgreSQL server in its place. */
  readonly database?: string;
}

interface SessionParts {
  readonly database: Database;
  readonly store: Store;
  /** Undefined on a server. */
  readonly folder: StudyFolder | undefined;
  /** Folder that batch systems leave outcomes in, if there is one. */
  readonly records: string | undefined;
}

/** A study with its database open. */
export class StudySession {
  readonly cells: readonly Cell[];
  /** Tally of the run that this session serves. */
  #tally: Tally | undefined;
  /** Place up to which outcomes of others are known. */
  #seen: Place | undefined;

  private constructor(
    readonly study: LoadedStudy,
    private readonly parts: SessionParts,
  ) {
    this.cells = [...study.cells()];
  }

  get #ids(): string[] {
    return this.cells.map(({ id }) => id);
  }

  static async open(study: LoadedStudy, options: SessionOptions): Promise<StudySession> {
    const folder =
      options.database === undefined
        ? StudyFolder.open(options.folder ?? studyFolderOf(study))
        : undefined;
    let database: Database | undefined;
    try {
      database =
        folder === undefined
          ? await openServer(options.database ?? '')
          : await openEmbedded(folder.database);
      const records = folder?.records ?? options.folder;
      const store = await Store.open(database);
      const session = new StudySession(study, { database, store, folder, records });
      await session.#takeRecords();
      return session;
    } catch (error) {
      await database?.close();
      folder?.close();
      throw error;
    }
  }

  /** Outcomes of array jobs, which have no database, as far as they are news. */
  async #takeRecords(): Promise<void> {
    const { records, store } = this.parts;
    if (records === undefined) return;
    const there = recordedCells(records);
    const wanted = this.#ids.filter((id) => there.has(id));
    const known = await store.outcomes(wanted);
    await store.put(
      readRecords(
        records,
        wanted.filter((id) => !known.has(id)),
      ),
    );
  }

  /** All cells with what became of them. */
  async state(): Promise<StudyCell[]> {
    const outcomes = await this.parts.store.outcomes(this.#ids);
    return this.cells.map((cell) => {
      const outcome = outcomes.get(cell.id);
      return { cell, ...(outcome !== undefined && { outcome: checkedOutcome(outcome) }) };
    });
  }

  /** Speed of the workers on a server; undefined where this process is the only one. */
  async pace(): Promise<Pace | undefined> {
    return this.parts.folder === undefined ? this.parts.store.pace() : undefined;
  }

  /** Forgets outcomes. Returns how many. */
  async forget(which: 'all' | 'failed'): Promise<number> {
    const { folder, records, store } = this.parts;
    if (folder !== undefined) unmarkFinished(folder.folder);
    // Else the next command would take in again what this one has forgotten.
    if (records !== undefined) removeRecords(records, this.#ids, which);
    return store.forget(this.#ids, which);
  }

  /** Runs what is missing. Returns what is known then, and how many cells that were. */
  async run(options: RunOptions): Promise<RunOutcome> {
    this.parts.database.endWith(options.signal);
    const tally = new Tally(this.study.document, await this.state());
    this.#tally = tally;
    const open = new Set(tally.open);
    options.onBegin?.(tally, open.size);
    if (open.size === 0) return { tally, asked: 0 };
    const queue = await CellQueue.open(this.parts.database, workVersion());
    try {
      await (this.parts.folder === undefined ? queue.create() : queue.reset());
      const missing = [...new Map(this.cells.map((cell) => [cell.id, cell])).values()];
      const tasks = missing
        .filter(({ id }) => open.has(id))
        .map((cell) => this.#taskOf(cell, options.keep));
      await queue.add(tasks);
      const figures = await this.#work({ queue, tally, tasks }, options);
      return { tally, asked: open.size, figures };
    } finally {
      await queue.stop();
    }
  }

  async #work({ queue, tally, tasks }: Queued, options: RunOptions): Promise<WorkFigures> {
    const { pool, leaseSeconds, signal, keep } = options;
    const files = { ...codeOf(this.study, this.cells, options.trust), keep };
    const take = (stored: Outcome): void => {
      const outcome = checkedOutcome(stored);
      // The queue of a server has cells of other studies, too.
      if (tally.add(outcome)) options.onOutcome?.(outcome);
    };
    const isOver = async (): Promise<boolean> => {
      // Before the outcomes: what leaves the queue with an outcome is found by one of both.
      const unqueued = await queue.unqueued(tally.open);
      for (const outcome of (await this.parts.store.outcomes(tally.open)).values()) take(outcome);
      // A row that somebody has changed or removed has no outcome of its cell.
      const open = new Set(tally.open);
      await queue.add(tasks.filter(({ cell }) => unqueued.has(cell) && open.has(cell)));
      return tally.isComplete;
    };
    const reports = new Reports(this, tally, take);
    try {
      const figures = await work({
        queue,
        pool,
        files,
        leaseSeconds,
        signal,
        isOver,
        onOutcome: take,
      });
      if (!signal.aborted) await isOver();
      return figures;
    } finally {
      await reports.stop();
    }
  }

  /** Outcomes that other processes have stored since the last call; a folder has no others. */
  async newOutcomes(): Promise<Outcome[]> {
    if (this.parts.folder !== undefined) return [];
    const { outcomes, place } = await this.parts.store.newOutcomes(this.#seen);
    this.#seen = place;
    return outcomes;
  }

  /** For others to look at; on a server they look at the database. */
  tellProgress(tally: Tally, secondsLeft: number | null): void {
    if (this.parts.folder === undefined) return;
    const { name } = this.study.document;
    writeProgress(this.parts.folder.folder, { name, secondsLeft, ...tally.status() });
  }

  #taskOf({ id, input }: Cell, keep: string | undefined): CellTask {
    const { limits } = this.study.document;
    const keeps = keep === undefined ? {} : ({ keeps: true } as const);
    return { cell: id, input: canonicalText(input), limits, ...keeps };
  }

  async close(): Promise<void> {
    const { database, folder } = this.parts;
    try {
      await database.close();
      if (folder === undefined) return;
      removeProgress(folder.folder);
      if (this.#tally?.isComplete === true)
        markFinished(folder.folder, this.cells, this.#tally.counts);
    } finally {
      folder?.close();
    }
  }
}

/** Tasks that a run has put into a queue. */
interface Queued {
  readonly queue: CellQueue;
  readonly tally: Tally;
  readonly tasks: readonly CellTask[];
}

export interface RunOptions {
  readonly pool: readonly CellSlot[];
  readonly leaseSeconds: number;
  /** True if judges and algorithms of files have all rights. Default false. */
  readonly trust?: boolean;
  /** Place for the whole results of cells that run. */
  readonly keep?: string | undefined;
  readonly signal: AbortSignal;
  /** Called before the first cell, with how many there are to run. */
  readonly onBegin?: (tally: Tally, missing: number) => void;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface RunOutcome {
  readonly tally: Tally;
  /** Cells that had no outcome before. */
  readonly asked: number;
  /** Costs of this process's work; absent where it had none. */
  readonly figures?: WorkFigures;
}

const REPORT_MS = 1000;
/** Share of the time for reports, which take long for large studies. */
const REPORT_SHARE = 0.02;

/** Now and then, takes in what others have done and says how far the study is. */
class Reports {
  readonly #startedAt = performance.now();
  readonly #missingBefore: number;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly session: StudySession,
    private readonly tally: Tally,
    private readonly take: (outcome: Outcome) => void,
  ) {
    this.#missingBefore = tally.counts.missing;
    session.tellProgress(tally, null);
    this.#again(REPORT_MS);
  }

  #again(afterMs: number): void {
    this.#timer = setTimeout(() => void (this.#last = this.#report()), afterMs);
  }

  async #report(): Promise<void> {
    const at = performance.now();
    // A database that is away is waited for by those who cannot do without it.
    for (const outcome of await this.session.newOutcomes().catch(() => [])) this.take(outcome);
    this.session.tellProgress(this.tally, this.#secondsLeft());
    const tookMs = performance.now() - at;
    if (this.#timer !== undefined) this.#again(Math.max(REPORT_MS, tookMs / REPORT_SHARE));
  }

  #secondsLeft(): number | null {
    const { missing } = this.tally.counts;
    const ended = this.#missingBefore - missing;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    return ended === 0 ? null : (seconds / ended) * missing;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#last;
  }
}
