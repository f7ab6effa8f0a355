import type { PooledConnection, Pool } from '../../../emulator/study/io/database/database';
import type { Row } from '../../../emulator/study/io/database/database';
import { NS_PER_MS } from '../kernel/machine';
import type { SystemParts } from '../kernel/system';

/** Time of an answer, in ms. */
const ANSWER_MS = 3;

type Change = (rows: Map<string, Row>) => void;

/** An error as pg gives it to whoever asked. */
const failed = (message: string, code?: string): Error =>
  Object.assign(new Error(message), { code });

/**
 * A PostgreSQL server with the tables of studies, as pg's pool shows it: it may say nothing for as long as pg waits,
 * lose connections before or after it has done what it was asked, and have rows that somebody has changed.
 */
export class LyingPool implements Pool {
  readonly #rows = new Map<string, Row>();
  #version: number | undefined;

  /** @param answerMs after which pg gives an answer up. */
  constructor(
    private readonly parts: SystemParts,
    private readonly answerMs: number,
  ) {}

  async query(text: string, values: unknown[] = []): Promise<unknown> {
    const changes: Change[] = [];
    const answer = await this.#asked(text, values, changes);
    for (const change of changes) change(this.#rows);
    return answer;
  }

  connect(): Promise<PooledConnection> {
    const changes: Change[] = [];
    const query = async (text: string, values: unknown[] = []): Promise<unknown> => {
      const isCommit = text === 'COMMIT';
      const act = (): void => changes.splice(0).forEach((change) => change(this.#rows));
      if (isCommit) return this.#told(() => (act(), { rows: [] }));
      if (text === 'ROLLBACK') changes.length = 0;
      return this.#asked(text, values, changes);
    };
    const nothing = (): void => undefined;
    return this.#told(() => ({ query, on: nothing, off: nothing, release: nothing }));
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  #asked(text: string, values: unknown[], changes: Change[]): Promise<{ rows: Row[] }> {
    return this.#told(() => ({ rows: this.#answer(text, values, changes) }));
  }

  /** An answer after a while, or what becomes of it. */
  #told<T>(act: () => T): Promise<T> {
    const { machine, faults } = this.parts;
    const isSilent = faults.strikes('store-silent', 0.3);
    const isLost = !isSilent && faults.strikes('store-lost', 0.5);
    // Whoever loses an answer does not know whether it was done.
    const isDone = !(isSilent || isLost) || faults.some(1) < 0.5;
    return new Promise((resolve, reject) => {
      const ms = isSilent ? this.answerMs : ANSWER_MS;
      machine.taskIn(ms * NS_PER_MS, () => {
        try {
          const answer = isDone ? act() : undefined;
          if (isSilent) reject(failed('Query read timeout'));
          else if (isLost) reject(failed('read ECONNRESET', 'ECONNRESET'));
          else resolve(answer as T);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  /** @throws Error for a statement that the simulation does not know. */
  #answer(text: string, values: unknown[], changes: Change[]): Row[] {
    if (/^(BEGIN|ROLLBACK)$|pg_advisory_xact_lock|CREATE SCHEMA/.test(text)) return [];
    if (text.includes('to_regclass')) return [{ known: this.#version !== undefined }];
    if (text.startsWith('INSERT INTO study.tables')) {
      changes.push(() => (this.#version = Number(values[0])));
      this.#version ??= Number(values[0]);
      return [];
    }
    if (text.startsWith('SELECT version')) return [{ version: this.#version }];
    if (text.includes('INSERT INTO study.outcome')) {
      for (const row of JSON.parse(String(values[0])) as Row[]) {
        changes.push(
          (rows) => void (rows.has(String(row['cell'])) || rows.set(String(row['cell']), row)),
        );
      }
      return [];
    }
    if (text.includes('FROM study.outcome WHERE cell = ANY')) {
      const asked = values[0] as string[];
      const found = asked.map((cell) => this.#rows.get(cell)).filter((row) => row !== undefined);
      return found.map((row) => this.#shown(row));
    }
    throw new Error(`the simulation knows no '${text.slice(0, 80)}'`);
  }

  /** The columns of a row, as somebody may have changed them. */
  #shown({ cell, summary = null, reason = null, ...others }: Row): Row {
    const { faults } = this.parts;
    const { durationMs, memoryBytes, ...texts } = others;
    const row = {
      cell,
      summary,
      reason,
      ...texts,
      duration_ms: durationMs,
      memory_bytes: memoryBytes,
    };
    if (!faults.strikes('store-lies')) return row;
    const lies: Row[] = [
      { summary: 'null' },
      { summary: '[]' },
      { summary: '{}' },
      { summary: '{"allFlows":' },
      { summary: '{"allFlows":{"flows":-1}}' },
      { summary: null, reason: '\u001b[2J it failed' },
      { cell: 'f'.repeat(64) },
    ];
    return { ...row, ...lies[faults.below(lies.length)] };
  }
}
