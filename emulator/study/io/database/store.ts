import { InputError } from '../../../../common/errors';
import type { Outcome } from '../../cell';
import type { Database, Row, Sql } from './database';

/** Version of the tables. Another one is refused, since nobody knows what it means. */
const TABLES_VERSION = 1;

const TABLES = `
CREATE SCHEMA IF NOT EXISTS study;
CREATE TABLE IF NOT EXISTS study.tables (version int NOT NULL);
CREATE TABLE IF NOT EXISTS study.outcome (
  cell text PRIMARY KEY,
  summary json,
  reason text,
  version text NOT NULL,
  commit text NOT NULL,
  host text NOT NULL,
  duration_ms float8 NOT NULL,
  memory_bytes float8 NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((summary IS NULL) <> (reason IS NULL))
);
CREATE TABLE IF NOT EXISTS study.worker (
  id text PRIMARY KEY,
  host text NOT NULL,
  seen timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS study.lease (
  job uuid PRIMARY KEY,
  worker text NOT NULL,
  queue text NOT NULL
);
`;
/** Any number that no other program locks. */
const LOCK = 21_004_200;

/** Outcomes of cells by id, for every study that has them. */
export class Store {
  private constructor(private readonly database: Database) {}

  /** @throws InputError for tables of another version. */
  static async open(database: Database): Promise<Store> {
    const version = await database.transaction(async (sql) => {
      await sql.executeSql('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      const { rows: found } = await sql.executeSql(
        "SELECT to_regclass('study.tables') IS NOT NULL AS known",
      );
      if (found[0]?.['known'] !== true) {
        await sql.executeSql(TABLES);
        await sql.executeSql('INSERT INTO study.tables VALUES ($1)', [TABLES_VERSION]);
      }
      const { rows } = await sql.executeSql('SELECT version FROM study.tables');
      return rows[0]?.['version'];
    });
    if (version === TABLES_VERSION) return new Store(database);
    throw new InputError(
      `the database has tables of version ${String(version)}, wanted ${TABLES_VERSION}: ` +
        'use another database, or the version of the project that made it',
    );
  }

  /** Outcomes of these cells, as far as there are any. */
  async outcomes(cells: readonly string[]): Promise<Map<string, Outcome>> {
    const found = new Map<string, Outcome>();
    for (let from = 0; from < cells.length; from += PAGE) {
      const { rows } = await this.database.executeSql(
        `SELECT ${COLUMNS} FROM study.outcome WHERE cell = ANY($1::text[])`,
        [cells.slice(from, from + PAGE)],
      );
      for (const row of rows) found.set(String(row['cell']), outcomeOf(row));
    }
    return found;
  }

  /** What has been stored in the last minute, of any study. */
  async latest(): Promise<Outcome[]> {
    const { rows } = await this.database.executeSql(
      `SELECT ${COLUMNS} FROM study.outcome WHERE finished_at > now() - interval '1 minute'`,
    );
    return rows.map(outcomeOf);
  }

  /** Workers that are alive, and outcomes per second in the last ten minutes. */
  async pace(): Promise<Pace> {
    const { rows } = await this.database.executeSql(
      `SELECT (SELECT count(*) FROM study.worker WHERE seen > now() - interval '1 minute') AS workers,
         count(*) / greatest(extract(epoch FROM now() - min(finished_at)), 1) AS rate
       FROM study.outcome WHERE finished_at > now() - interval '10 minutes'`,
    );
    const [row = {}] = rows;
    return { workers: Number(row['workers']), cellsPerSecond: Number(row['rate'] ?? 0) };
  }

  async put(outcome: Outcome): Promise<void> {
    await putOutcome(this.database, outcome);
  }

  /** Forgets outcomes: all of these cells, or only failures. Returns how many. */
  async forget(cells: readonly string[], which: 'all' | 'failed'): Promise<number> {
    const only = which === 'failed' ? 'AND reason IS NOT NULL' : '';
    const { rows } = await this.database.executeSql(
      `DELETE FROM study.outcome WHERE cell = ANY($1::text[]) ${only} RETURNING 1`,
      [[...cells]],
    );
    return rows.length;
  }
}

export interface Pace {
  readonly workers: number;
  readonly cellsPerSecond: number;
}

const PAGE = 10_000;
const COLUMNS =
  'cell, summary::text AS summary, reason, version, commit, host, duration_ms, memory_bytes';

/** The first outcome of a cell stays: the second of two workers with one cell has found the same. */
export async function putOutcome(sql: Sql, outcome: Outcome): Promise<void> {
  const { cell, summary = null, reason = null, provenance } = outcome;
  const { version, commit, host, durationMs, memoryBytes } = provenance;
  await sql.executeSql(
    `INSERT INTO study.outcome
       (cell, summary, reason, version, commit, host, duration_ms, memory_bytes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (cell) DO NOTHING`,
    [cell, summary, reason, version, commit, host, durationMs, memoryBytes],
  );
}

function outcomeOf(row: Row): Outcome {
  const text = (name: string): string => String(row[name]);
  return {
    cell: text('cell'),
    ...(row['summary'] !== null && { summary: text('summary') }),
    ...(row['reason'] !== null && { reason: text('reason') }),
    provenance: {
      version: text('version'),
      commit: text('commit'),
      host: text('host'),
      durationMs: Number(row['duration_ms']),
      memoryBytes: Number(row['memory_bytes']),
    },
  };
}
