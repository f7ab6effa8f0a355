import { InputError } from '../../../../common/errors';
import type { Outcome } from '../../cell';
import type { Database, Row, Sql } from './database';

/** Version of the tables. Others are refused, since their meaning is not known. */
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

  /**
   * Outcomes of any study stored after a place, in order, at most one page; without a place, those
   * from now on. Outcomes that are being stored at the same time may be missed.
   */
  async newOutcomes(
    after?: Place,
  ): Promise<{ readonly outcomes: Outcome[]; readonly place: Place }> {
    if (after === undefined) {
      const { rows } = await this.database.executeSql('SELECT now()::text AS at');
      return { outcomes: [], place: { at: String(rows[0]?.['at']), cell: '' } };
    }
    const { rows } = await this.database.executeSql(
      `SELECT ${COLUMNS}, finished_at::text AS at FROM study.outcome
       WHERE (finished_at, cell) > ($1::timestamptz, $2) ORDER BY finished_at, cell LIMIT $3`,
      [after.at, after.cell, NEWS_PAGE],
    );
    const last = rows.at(-1);
    const place =
      last === undefined ? after : { at: String(last['at']), cell: String(last['cell']) };
    return { outcomes: rows.map(outcomeOf), place };
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

  async put(outcomes: readonly Outcome[]): Promise<void> {
    for (let from = 0; from < outcomes.length; from += PUT_PAGE) {
      await putOutcomes(this.database, outcomes.slice(from, from + PUT_PAGE));
    }
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

/** A place in the order in which outcomes were stored. */
export interface Place {
  readonly at: string;
  readonly cell: string;
}

const PAGE = 10_000;
/** Outcomes of a statement, whose text holds all of their summaries. */
const PUT_PAGE = 500;
const NEWS_PAGE = 1000;
const COLUMNS =
  'cell, summary::text AS summary, reason, version, commit, host, duration_ms, memory_bytes';

/** The first outcome of a cell stays: the second of two workers with one cell has found the same. */
export async function putOutcomes(sql: Sql, outcomes: readonly Outcome[]): Promise<void> {
  // In one order everywhere, so that two workers with the same cells do not wait for each other.
  const rows = [...outcomes]
    .sort((a, b) => (a.cell < b.cell ? -1 : 1))
    .map(({ provenance, ...outcome }) => ({ ...outcome, ...provenance }));
  await sql.executeSql(
    `INSERT INTO study.outcome
       (cell, summary, reason, version, commit, host, duration_ms, memory_bytes)
     SELECT cell, summary::json, reason, version, commit, host, "durationMs", "memoryBytes"
     FROM json_to_recordset($1) AS row (cell text, summary text, reason text, version text,
       commit text, host text, "durationMs" float8, "memoryBytes" float8)
     ON CONFLICT (cell) DO NOTHING`,
    [JSON.stringify(rows)],
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
