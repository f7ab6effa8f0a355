import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import * as net from 'node:net';
import type * as Embedded from '@electric-sql/pglite';
import type * as Server from 'pg';
import { InputError, isOperationalError } from '../../../../common/errors';
import { loadPackage, requirePackages } from '../../../../common/io/optional-packages';
import { makeEmbeddedFiles } from './embedded-files';

export type Row = Record<string, unknown>;

/** Runs SQL: a database, or a transaction of one. The name is that of pg-boss's adapter. */
export interface Sql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** PostgreSQL, in this process or on a server. */
export interface Database extends Sql {
  /** All of it or nothing. May run `work` again when the connection breaks. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** After the signal, what is not answered within two seconds fails, and what nothing answers is left. */
  endWith(signal: AbortSignal): void;
  close(): Promise<void>;
}

/**
 * PostgreSQL in this process, its files in a folder that no other process may have open.
 * PERF: its WebAssembly is not compiled a second time, for speed: that takes the processor 1.5 s from cells,
 * and all statements of a study together take less.
 * @throws InputError when the optional packages of a study are not installed, or its files cannot be used.
 */
export async function openEmbedded(folder: string): Promise<Database> {
  requirePackages('a study', ['@electric-sql/pglite', 'pg-boss']);
  setFlagsFromString('--liftoff-only');
  const { PGlite } = loadPackage('a study', '@electric-sql/pglite') as typeof Embedded;
  await makeEmbeddedFiles(folder, (made) => PGlite.create(made));
  const pg = await told(folder, () => PGlite.create(folder));
  const sql = (inside: Embedded.PGlite | Embedded.Transaction): Sql => embeddedSql(inside, folder);
  return {
    ...sql(pg),
    transaction: (work) => pg.transaction((open) => work(sql(open))),
    // It is in this process, and always answers.
    endWith: () => undefined,
    close: () => told(folder, () => pg.close()),
  };
}

/** Errors of the embedded PostgreSQL come from its files: no room, or files that are gone. */
async function told<T>(folder: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (isOperationalError(error)) throw error;
    throw new InputError(
      `the database in ${folder} failed, for want of room or of its files: ${reasonOf(error)}`,
    );
  }
}

/** Texts of several statements take no values, and texts with values are one statement. */
const embeddedSql = (pg: Embedded.PGlite | Embedded.Transaction, folder: string): Sql => ({
  executeSql: (text, values = []) =>
    told(folder, async () => {
      if (values.length > 0) return pg.query<Row>(text, values);
      const results = await pg.exec(text);
      return { rows: results.at(-1)?.rows ?? [] };
    }),
});

/** Times that a server may take. */
export interface Patience {
  /** Time without an answer after which a connection is given up, in ms: an answer takes a second at most. */
  readonly answerMs: number;
  /** Time for which it may be away, such as for a restart, before its users give up. */
  readonly awayMs: number;
}

export const PATIENCE: Patience = { answerMs: 30_000, awayMs: 120_000 };
/** Time for which answers are waited for after an interrupt. */
const INTERRUPTED_MS = 2000;
const BACK_OFF_MAX_MS = 2000;
const SERVER_STUDY = 'a study with --database';

/**
 * PostgreSQL on a server. What fails because the server is away is tried again for two minutes.
 * @throws InputError when the address is none, nothing answers there at first, or the optional packages of a
 * study with a database are not installed.
 */
export async function openServer(url: string, patience = PATIENCE): Promise<Database> {
  checkUrl(url);
  requirePackages(SERVER_STUDY, ['pg', 'pg-boss']);
  const { Pool } = loadPackage(SERVER_STUDY, 'pg') as typeof Server;
  const sockets = new Set<net.Socket>();
  const pool = new Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 10_000,
    query_timeout: patience.answerMs,
    keepAlive: true,
    stream: () => ownSocket(sockets),
  });
  // A connection that waits may be cut; the next use opens another.
  pool.on('error', () => undefined);
  const database = databaseOf(pool, { sockets, patience, place: placeOf(url) });
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await database.close();
    throw new InputError(`cannot use the database at ${placeOf(url)}: ${reasonOf(error)}`);
  }
  return database;
}

/** A socket that can be cut when its other end does not answer. */
function ownSocket(all: Set<net.Socket>): net.Socket {
  const socket = new net.Socket();
  all.add(socket);
  return socket.once('close', () => all.delete(socket));
}

/** The part of pg's connections that is used here. */
export interface Connection {
  query(text: string, values?: unknown[]): Promise<unknown>;
}
export interface PooledConnection extends Connection {
  on(event: 'error', act: (error: Error) => void): unknown;
  off(event: 'error', act: (error: Error) => void): unknown;
  release(broken?: Error): void;
}
export interface Pool extends Connection {
  connect(): Promise<PooledConnection>;
  end(): Promise<void>;
}

interface ServerParts {
  readonly sockets: ReadonlySet<net.Socket>;
  readonly patience: Patience;
  readonly place: string;
}

/** A database behind a pool of connections to a server. */
export const databaseOf = (pool: Pool, parts: ServerParts): Database =>
  new ServerDatabase(pool, parts);

class ServerDatabase implements Database {
  #signal: AbortSignal | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly parts: ServerParts,
  ) {}

  endWith(signal: AbortSignal): void {
    this.#signal = signal;
  }

  executeSql(text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
    return this.#patiently(() => send(this.pool, text, values));
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#patiently(async () => {
      const client = await this.pool.connect();
      let broken: Error | undefined;
      const cut = (error: Error): void => void (broken = error);
      client.on('error', cut);
      try {
        await client.query('BEGIN');
        const inside = new StrictSql(client);
        const value = await work(inside);
        inside.assertWhole();
        await client.query('COMMIT');
        return value;
      } catch (error) {
        // What does not answer will not hear of it either.
        if (isSilence(error)) broken = error as Error;
        else await client.query('ROLLBACK').catch((cause: unknown) => (broken = cause as Error));
        throw error;
      } finally {
        client.off('error', cut);
        client.release(broken);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.race([this.pool.end(), sleep(CLOSING_MS, undefined, { ref: false })]);
    for (const socket of this.parts.sockets) socket.destroy();
  }

  /** Tries again what fails because the server is away. @throws InputError when it stays away. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { awayMs } = this.parts.patience;
    const until = performance.now() + awayMs;
    for (let wait = 50; ; wait = Math.min(2 * wait, BACK_OFF_MAX_MS)) {
      try {
        return await this.#unlessInterrupted(work());
      } catch (error) {
        if (!isAway(error)) throw error;
        if (this.#signal?.aborted === true) throw this.#silent('until it was interrupted', error);
        if (performance.now() > until) throw this.#silent(`for ${awayMs / 1000} s`, error);
        await sleep(wait);
      }
    }
  }

  #silent(howLong: string, error: unknown): InputError {
    const { place } = this.parts;
    return new InputError(`the database at ${place} was away ${howLong}: ${reasonOf(error)}`);
  }

  /** The answer; after an interrupt it must come soon. */
  async #unlessInterrupted<T>(answer: Promise<T>): Promise<T> {
    const signal = this.#signal;
    if (signal === undefined) return answer;
    let timer: NodeJS.Timeout | undefined;
    let arm = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      const said = `the database at ${this.parts.place} does not answer`;
      arm = (): void => {
        timer = setTimeout(() => reject(new InputError(said)), INTERRUPTED_MS);
      };
    });
    if (signal.aborted) arm();
    else signal.addEventListener('abort', arm, { once: true });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', arm);
    }
  }
}

/** Time in which a server closes its connections, in ms. */
const CLOSING_MS = 1000;

/** Statements of a transaction, of which each has to succeed: pg-boss takes one that fails for no jobs. */
class StrictSql implements Sql {
  #failure: { readonly cause: unknown } | undefined;

  constructor(private readonly client: Connection) {}

  async executeSql(text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
    try {
      return await send(this.client, text, values);
    } catch (cause) {
      this.#failure ??= { cause };
      throw cause;
    }
  }

  /** Throws the error of a failed statement, caught before or not. */
  assertWhole(): void {
    if (this.#failure !== undefined) throw this.#failure.cause;
  }
}

async function send(to: Connection, text: string, values: unknown[]) {
  const result = await to.query(text, values.length === 0 ? undefined : values);
  const last = (Array.isArray(result) ? result.at(-1) : result) as { rows?: Row[] } | undefined;
  return { rows: last?.rows ?? [] };
}

/** Classes of SQLSTATE: 08 connection, 57P shutting down or starting up, 53300 too many clients, 40 conflicts. */
const PASSING_STATE = /^(08|57P|53300|40)/;
const PASSING_ERROR = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|EAI_AGAIN)/;
const SILENCE = /Query read timeout/;
const PASSING_TEXT = /Connection terminated|timeout exceeded when trying to connect|not queryable/;

/** True if nothing came for as long as an answer may take. */
const isSilence = (error: unknown): boolean =>
  SILENCE.test((error as { message?: string }).message ?? '');

function isAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    PASSING_STATE.test(code) ||
    PASSING_ERROR.test(code) ||
    PASSING_TEXT.test(message) ||
    isSilence(error)
  );
}

function checkUrl(url: string): void {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return;
  throw new InputError(
    '--database: wanted postgres://user@host:port/name, with the password in PGPASSFILE or PGPASSWORD',
  );
}

/** Address of a database, without the password. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`;
}

const reasonOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return message !== undefined && message !== '' ? message : (code ?? String(error));
};
