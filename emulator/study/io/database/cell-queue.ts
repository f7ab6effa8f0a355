import PgBoss from 'pg-boss';
import { InputError } from '../../../../common/errors';
import type { CellFiles, Outcome } from '../../cell';
import type { StudyLimits } from '../../study-document';
import type { Database, Sql } from './database';
import { putOutcome } from './store';

/** What a worker is told to do. */
export interface CellTask {
  readonly cell: string;
  /** Canonical text of the cell's input: a database may sort the keys of what is no text. */
  readonly input: string;
  readonly limits: StudyLimits;
  readonly files?: CellFiles;
}

/** A task that a worker has, and nobody else until the worker is dead. */
export interface ClaimedTask extends CellTask {
  readonly job: string;
}

export interface WorkerIdentity {
  readonly id: string;
  readonly host: string;
}

/** A cell that takes so many workers with it is not tried again. */
const RETRIES = 9;
/** What a claimed task may wait for its turn, beside the time that it may run. */
const WAITING_SECONDS = 3600;
const RETENTION_DAYS = 3650;
const LOST = 'lost-cells';

/**
 * Tasks of one version of the project, on pg-boss: at the same time the cell's outcome is stored and its
 * job deleted, so that no cell is lost and none counts twice.
 */
export class CellQueue {
  private constructor(
    private readonly database: Database,
    private readonly boss: PgBoss,
    private readonly name: string,
  ) {}

  /** @param version of the project; queues of others are left alone. */
  static async open(database: Database, version: string): Promise<CellQueue> {
    const boss = new PgBoss({ db: database, supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
    return new CellQueue(database, boss, queueName(version));
  }

  /** Makes the queue where it is missing. */
  async create(): Promise<void> {
    await this.boss.createQueue(LOST, { name: LOST, retentionDays: RETENTION_DAYS });
    await this.boss.createQueue(this.name, {
      name: this.name,
      retryLimit: RETRIES,
      retryDelay: 1,
      retryBackoff: true,
      retentionDays: RETENTION_DAYS,
      deadLetter: LOST,
    });
  }

  /** Empties the queue: for one that nobody else can use, whose last user may have been killed. */
  async reset(): Promise<void> {
    await this.boss.deleteQueue(this.name).catch(() => undefined);
    await this.database.executeSql('DELETE FROM study.lease');
    await this.create();
  }

  /** Says that other versions are asked for, where this one is not. */
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

  /** At most so many tasks for this worker, first in first out. */
  async claim(worker: WorkerIdentity, count: number): Promise<ClaimedTask[]> {
    return this.database.transaction(async (sql) => {
      const options = { db: sql, batchSize: count };
      const jobs = await this.boss.fetch<CellTask>(this.name, options);
      if (jobs.length === 0) return [];
      await sql.executeSql(
        `INSERT INTO study.lease SELECT unnest($1::uuid[]), $2, $3
         ON CONFLICT (job) DO UPDATE SET worker = excluded.worker, queue = excluded.queue`,
        [jobs.map(({ id }) => id), worker.id, this.name],
      );
      return jobs.map(({ id, data }) => ({ ...data, job: id }));
    });
  }

  /** Stores outcomes and ends their jobs, or neither. */
  async finish(
    done: readonly { readonly job: string; readonly outcome: Outcome }[],
  ): Promise<void> {
    await this.database.transaction(async (sql) => {
      for (const { outcome } of done) await putOutcome(sql, outcome);
      const jobs = done.map(({ job }) => job);
      await sql.executeSql('DELETE FROM study.lease WHERE job = ANY($1::uuid[])', [jobs]);
      await this.boss.deleteJob(this.name, jobs, { db: sql });
    });
  }

  /** Gives tasks back that were not begun or not finished: an interruption is no failure. */
  async giveBack(worker: WorkerIdentity): Promise<void> {
    await this.database.transaction(async (sql) => {
      const jobs = await leasesOf(sql, 'worker = $1', [worker.id]);
      await sql.executeSql('DELETE FROM study.worker WHERE id = $1', [worker.id]);
      if (jobs.length === 0) return;
      const db = sql;
      await this.boss.cancel(this.name, jobs, { db });
      await this.boss.resume(this.name, jobs, { db });
    });
  }

  /** A sign of life. */
  async beat({ id, host }: WorkerIdentity): Promise<void> {
    await this.database.executeSql(
      `INSERT INTO study.worker VALUES ($1, $2, now())
       ON CONFLICT (id) DO UPDATE SET seen = now()`,
      [id, host],
    );
  }

  /** Lets others try what workers had of whom nothing was heard for so long. */
  async takeFromDead(leaseSeconds: number): Promise<void> {
    await this.database.transaction(async (sql) => {
      await sql.executeSql(
        "DELETE FROM study.worker WHERE seen < now() - $1 * interval '1 second'",
        [leaseSeconds],
      );
      const jobs = await leasesOf(
        sql,
        'queue = $1 AND NOT EXISTS (SELECT 1 FROM study.worker WHERE worker.id = lease.worker)',
        [this.name],
      );
      const db = sql;
      for (const job of jobs) await this.boss.fail(this.name, job, { reason: 'lost' }, { db });
    });
    await this.boss.expire();
  }

  /** Gives cells that no worker survived an outcome that says so. */
  async settleLost(outcomeFor: (task: CellTask) => Outcome): Promise<void> {
    await this.database.transaction(async (sql) => {
      const db = sql;
      const jobs = await this.boss.fetch<CellTask>(LOST, { batchSize: 100, db });
      if (jobs.length === 0) return;
      for (const { data } of jobs) await putOutcome(sql, outcomeFor(data));
      const ids = jobs.map(({ id }) => id);
      await this.boss.deleteJob(LOST, ids, { db });
      const own = jobs.map(({ data }) => jobOf(data.cell));
      await this.boss.deleteJob(this.name, own, { db });
    });
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false, wait: false });
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

async function leasesOf(sql: Sql, condition: string, values: unknown[]): Promise<string[]> {
  const text = `DELETE FROM study.lease WHERE ${condition} RETURNING job`;
  const { rows } = await sql.executeSql(text, values);
  return rows.map(({ job }) => String(job));
}

/** @throws InputError when workers of this version have nothing to hope for. */
export async function refuseOtherVersion(queue: CellQueue, version: string): Promise<void> {
  const others = await queue.otherVersions();
  if (others.length === 0) return;
  throw new InputError(
    `the database has cells for version ${others.join(', ').replaceAll('_', '+')}, ` +
      `and this is ${version}: run the same version everywhere`,
  );
}
