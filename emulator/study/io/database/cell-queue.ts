import type Boss from 'pg-boss';
import { InputError } from '../../../../common/errors';
import { loadPackage } from '../../../../common/io/optional-packages';
import type { Outcome } from '../../cell';
import type { StudyLimits } from '../../study-document';
import type { Database, Sql } from './database';
import { beat, endLeases, lease, leasesOfDead, leasesOfWorker } from './leases';
import type { WorkerIdentity } from './leases';
import { putOutcomes } from './store';
import { isCellId } from './task-fault';

/** Task of a worker. */
export interface CellTask {
  readonly cell: string;
  /** Canonical text of the cell's input: a database may sort the keys of what is no text. */
  readonly input: string;
  readonly limits: StudyLimits;
  /** The study wants whole results, wherever the worker leaves them. */
  readonly keeps?: true;
}

/** A task that one worker has claimed, for as long as it lives. */
export interface ClaimedTask extends CellTask {
  readonly job: string;
}

/** Number of tasks to claim. */
export interface ClaimSize {
  readonly count: number;
  /** Most tasks whose last worker died: no more than run at the same time. */
  readonly suspects: number;
}

/** A cell that takes so many workers with it is not tried again. */
const RETRIES = 9;
/** Seconds that a claimed task may wait for its turn, beside the time that it may run. */
const WAITING_SECONDS = 3600;
const RETENTION_DAYS = 3650;

/**
 * Tasks of one version of the project, on pg-boss: at the same time the cell's outcome is stored and its
 * job deleted, so that no cell is lost and none counts twice.
 */
export class CellQueue {
  private constructor(
    private readonly database: Database,
    private readonly boss: Boss,
    private readonly name: string,
  ) {}

  /** @param version of the project; queues of others are left alone. */
  static async open(database: Database, version: string): Promise<CellQueue> {
    const PgBoss = loadPackage('a study', 'pg-boss') as typeof Boss;
    const boss = new PgBoss({ db: database, supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await besideOthers(() => boss.start());
    return new CellQueue(database, boss, queueName(version));
  }

  /** Queue of tasks that killed all their workers, of this version alone. */
  private get lost(): string {
    return `lost-${this.name}`;
  }

  /** Makes the queue where it is missing. */
  async create(): Promise<void> {
    const lost = { name: this.lost, retentionDays: RETENTION_DAYS };
    await besideOthers(() => this.boss.createQueue(this.lost, lost));
    const options = {
      name: this.name,
      retryLimit: RETRIES,
      retryDelay: 1,
      retryBackoff: true,
      retentionDays: RETENTION_DAYS,
      deadLetter: this.lost,
    };
    await besideOthers(() => this.boss.createQueue(this.name, options));
  }

  /** Empties the queue: for one without other users, whose last user may have been killed. */
  async reset(): Promise<void> {
    await this.create();
    await this.database.transaction(async (sql) => {
      await sql.executeSql('DELETE FROM pgboss.job WHERE name IN ($1, $2)', [this.name, this.lost]);
      await sql.executeSql('DELETE FROM study.lease');
    });
  }

  /** Versions whose tasks are queued, where none of this version is. */
  async otherVersions(): Promise<string[]> {
    const names = (await this.boss.getQueues()).map(({ name }) => name);
    if (names.includes(this.name)) return [];
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
  }

  /** Asks for cells; what is in the queue already is there once. */
  async add(tasks: readonly CellTask[]): Promise<void> {
    for (let from = 0; from < tasks.length; from += 500) {
      const page = tasks.slice(from, from + 500);
      await this.boss.insert(
        page.map((task) => ({
          id: jobOf(task.cell),
          name: this.name,
          data: task,
          expireInSeconds: Math.ceil(task.limits.timeoutSeconds) + WAITING_SECONDS,
        })),
      );
    }
  }

  /**
   * Tasks for this worker, first in first out. What its last worker did not survive comes without others:
   * those would be taken for as deadly.
   */
  async claim(worker: WorkerIdentity, { count, suspects }: ClaimSize): Promise<ClaimedTask[]> {
    return this.database.transaction(async (sql) => {
      const options = { db: sql, batchSize: count, includeMetadata: true as const };
      const jobs = await this.boss.fetch<CellTask>(this.name, options);
      const suspected = jobs.filter(({ retryCount }) => retryCount > 0);
      const kept = suspected.length > 0 ? suspected.slice(0, suspects) : jobs;
      await this.#release(sql, idsOf(jobs.filter((job) => !kept.includes(job))));
      if (kept.length > 0) await lease(sql, this.name, { jobs: idsOf(kept), worker });
      return kept.map(({ id, data }) => ({ ...data, job: id }));
    });
  }

  /** Stores outcomes and ends their jobs, or neither. */
  async finish(
    done: readonly { readonly job: string; readonly outcome: Outcome }[],
  ): Promise<void> {
    const jobs = done.map(({ job }) => job);
    const outcomes = done.map(({ outcome }) => outcome);
    await this.database.transaction(async (sql) => {
      await putOutcomes(sql, outcomes);
      await endLeases(sql, jobs);
      await this.boss.deleteJob(this.name, jobs, { db: sql });
    });
  }

  /** Gives tasks back that were not begun, as far as the worker still has them. */
  async giveBack(worker: WorkerIdentity, jobs: readonly string[]): Promise<void> {
    await this.database.transaction(async (sql) => {
      await this.#release(sql, await leasesOfWorker(sql, worker, jobs));
    });
  }

  /** Forgets a worker that ends. All that it has goes to others: an interruption is no failure. */
  async leave(worker: WorkerIdentity): Promise<void> {
    await this.database.transaction(async (sql) => {
      const jobs = await leasesOfWorker(sql, worker);
      await sql.executeSql('DELETE FROM study.worker WHERE id = $1', [worker.id]);
      await this.#release(sql, jobs);
    });
  }

  /**
   * Makes jobs wait again as if they had not been claimed: pg-boss counts started ones as tried.
   */
  async #release(sql: Sql, jobs: readonly string[]): Promise<void> {
    if (jobs.length === 0) return;
    await sql.executeSql(
      `UPDATE pgboss.job SET state = 'created', started_on = NULL
       WHERE name = $1 AND id = ANY($2::uuid[]) AND state = 'active'`,
      [this.name, jobs],
    );
  }

  /** A sign of life. */
  async beat(worker: WorkerIdentity): Promise<void> {
    await beat(this.database, worker);
  }

  /** Gives the tasks of workers without a sign of life for `leaseSeconds` to others. */
  async takeFromDead(leaseSeconds: number): Promise<void> {
    await this.database.transaction(async (sql) => {
      const jobs = await leasesOfDead(sql, this.name, leaseSeconds);
      const db = sql;
      for (const job of jobs) await this.boss.fail(this.name, job, { reason: 'lost' }, { db });
    });
    await this.boss.expire();
  }

  /** Those of these cells that are not in the queue, waiting or claimed. */
  async unqueued(cells: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.database.executeSql(
      'SELECT id FROM pgboss.job WHERE name IN ($1, $2) AND id = ANY($3::uuid[])',
      [this.name, this.lost, cells.map(jobOf)],
    );
    const queued = new Set(rows.map(({ id }) => String(id)));
    return new Set(cells.filter((cell) => !queued.has(jobOf(cell))));
  }

  /** Gives cells that no worker survived an outcome that says so. */
  async settleLost(outcomeFor: (task: CellTask) => Outcome): Promise<void> {
    await this.database.transaction(async (sql) => {
      const db = sql;
      const jobs = await this.boss.fetch<CellTask>(this.lost, { batchSize: 100, db });
      if (jobs.length === 0) return;
      const fit = jobs.filter(({ data }) => isCellId(data.cell));
      await putOutcomes(
        sql,
        fit.map(({ data }) => outcomeFor(data)),
      );
      await this.boss.deleteJob(this.lost, idsOf(jobs), { db });
      const own = fit.map(({ data }) => jobOf(data.cell));
      if (own.length > 0) await this.boss.deleteJob(this.name, own, { db });
    });
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false, wait: false });
  }
}

/** SQLSTATE of what exists already: a unique violation, a schema, a table, a type or function. */
const MADE_BY_OTHERS = /^(23505|42P06|42P07|42710|42723)$/;
const ATTEMPTS = 5;

/**
 * Makes something where it is missing. Of several processes that begin on a new database at the
 * same time, all but one may get the error that it exists.
 */
async function besideOthers(make: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await make();
      return;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (attempt === ATTEMPTS || !MADE_BY_OTHERS.test(code)) throw error;
    }
  }
}

const PREFIX = 'cells-';

/** Names of queues may have letters, digits, `-`, `_` and `.`. */
const queueName = (version: string): string => `${PREFIX}${version.replace('+', '_')}`;

/** A UUID of 128 bits of the cell's id, so that a cell cannot be in the queue twice. */
function jobOf(cell: string): string {
  const part = (from: number, to: number): string => cell.slice(from, to);
  return [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join('-');
}

const idsOf = (jobs: readonly { readonly id: string }[]): string[] => jobs.map(({ id }) => id);

/** @throws InputError when workers of this version have nothing to hope for. */
export async function refuseOtherVersion(queue: CellQueue, version: string): Promise<void> {
  const others = await queue.otherVersions();
  if (others.length === 0) return;
  throw new InputError(
    `the database has cells for version ${others.join(', ').replaceAll('_', '+')}, and this is ` +
      `${version}: run the same build with the same P4 artefacts everywhere`,
  );
}
