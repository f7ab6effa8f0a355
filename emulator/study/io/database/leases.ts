import type { Sql } from './database';

export interface WorkerIdentity {
  readonly id: string;
  readonly host: string;
}

/** A sign of life. */
export async function beat(sql: Sql, { id, host }: WorkerIdentity): Promise<void> {
  await sql.executeSql(
    `INSERT INTO study.worker VALUES ($1, $2, now())
     ON CONFLICT (id) DO UPDATE SET seen = now()`,
    [id, host],
  );
}

/** Writes down which jobs of a queue a worker has. */
export async function lease(
  sql: Sql,
  queue: string,
  { jobs, worker }: { readonly jobs: readonly string[]; readonly worker: WorkerIdentity },
): Promise<void> {
  await sql.executeSql(
    `INSERT INTO study.lease SELECT unnest($1::uuid[]), $2, $3
     ON CONFLICT (job) DO UPDATE SET worker = excluded.worker, queue = excluded.queue`,
    [jobs, worker.id, queue],
  );
}

/** Ends leases, whichever worker has them. */
export async function endLeases(sql: Sql, jobs: readonly string[]): Promise<void> {
  await sql.executeSql('DELETE FROM study.lease WHERE job = ANY($1::uuid[])', [jobs]);
}

/** Ends the leases that a worker has, of all jobs or of some. Returns whose these were. */
export async function leasesOfWorker(
  sql: Sql,
  worker: WorkerIdentity,
  jobs?: readonly string[],
): Promise<string[]> {
  return jobs === undefined
    ? ended(sql, 'worker = $1', [worker.id])
    : ended(sql, 'worker = $1 AND job = ANY($2::uuid[])', [worker.id, jobs]);
}

/**
 * Removes workers without a sign of life for so long. Returns the jobs of a queue that they had.
 */
export async function leasesOfDead(
  sql: Sql,
  queue: string,
  leaseSeconds: number,
): Promise<string[]> {
  await sql.executeSql("DELETE FROM study.worker WHERE seen < now() - $1 * interval '1 second'", [
    leaseSeconds,
  ]);
  return ended(
    sql,
    'queue = $1 AND NOT EXISTS (SELECT 1 FROM study.worker WHERE worker.id = lease.worker)',
    [queue],
  );
}

async function ended(sql: Sql, condition: string, values: unknown[]): Promise<string[]> {
  const text = `DELETE FROM study.lease WHERE ${condition} RETURNING job`;
  const { rows } = await sql.executeSql(text, values);
  return rows.map(({ job }) => String(job));
}
