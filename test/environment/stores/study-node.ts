import { failureText, isOperationalError } from '../../../common/errors';
import type { Outcome } from '../../../emulator/study/cell';
import { databaseOf } from '../../../emulator/study/io/database/database';
import { Store } from '../../../emulator/study/io/database/store';
import { keepResult, keptResult } from '../../../emulator/study/io/kept-results';
import type { Result } from '../../../emulator/result/result';
import { summaryOf } from '../../../emulator/study/summary';
import { checkedOutcome } from '../../../emulator/study/summary-fault';
import { RESULT } from '../../support/result';
import { NS_PER_MS } from '../kernel/machine';
import { Process } from '../kernel/process';
import type { World } from '../world';
import { LyingObjects, PATIENCE_MS } from './lying-objects';
import { LyingPool } from './lying-pool';

/** Patience of the study, in ms. */
const ANSWER_MS = 300;
const AWAY_MS = 1500;
/** Longest time of one step: patience, a last answer of each statement, and waits between. */
const STEP_MS = Math.max(PATIENCE_MS, AWAY_MS + 20 * ANSWER_MS + 5000) + 100;

const SUMMARY = JSON.stringify(summaryOf(RESULT));
const WHERE = 's3://simulated';

const resultOf = (cell: string): Result => ({ ...RESULT, seed: parseInt(cell, 16) });

/** A study as its stores see it: outcomes to PostgreSQL, whole results to S3, and both back. */
export class StudyNode {
  readonly process = new Process('study');
  readonly #world: World;
  readonly #pool: LyingPool;
  readonly #objects: LyingObjects;
  readonly #stored = new Map<string, Outcome>();
  readonly #kept = new Set<string>();
  #store: Store | undefined;
  #cells = 0;
  #busy: Promise<void> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
    this.#pool = new LyingPool(world.system, ANSWER_MS);
    this.#objects = new LyingObjects(world.system);
  }

  /** One cell more, and a look at all before. */
  step(): Promise<void> {
    this.#busy = this.#inTurn(() => this.#step());
    return this.#busy;
  }

  /** When nothing goes wrong any more: every cell can be stored and is found. */
  async last(): Promise<void> {
    await this.step();
    const missing = await this.#attempt('the last look', async (store) => {
      const found = await store.outcomes([...this.#stored.keys()]);
      return [...this.#stored.keys()].filter((cell) => found.get(cell)?.summary !== SUMMARY);
    });
    if (missing?.length !== 0) this.#world.violated(`a store has lost ${String(missing)}`);
    for (const cell of this.#kept) await this.#keptWhole(cell);
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    await this.#busy;
    await this.#world.system.machine.turnOf(this.process);
    await act();
  }

  async #step(): Promise<void> {
    const cell = (++this.#cells).toString(16).padStart(64, '0');
    const provenance = { version: 'v', commit: 'c', host: 'h', durationMs: 1, memoryBytes: 1 };
    const outcome: Outcome = { cell, summary: SUMMARY, provenance };
    const isStored = await this.#attempt('storing', async (store) => {
      await store.put([outcome]);
      return true;
    });
    if (isStored) this.#stored.set(cell, outcome);
    const found = await this.#attempt('reading', (store) =>
      store.outcomes([...this.#stored.keys()]),
    );
    for (const each of found?.values() ?? []) this.#look(each);
    await this.#keepWhole(cell);
  }

  /** An outcome counts as it was stored, or as one that failed. */
  #look(outcome: Outcome): void {
    const { summary } = checkedOutcome(outcome);
    if (summary === undefined || summary === SUMMARY) return;
    this.#world.violated(`what no cell has stored counts: ${summary.slice(0, 40)}`);
  }

  async #keepWhole(cell: string): Promise<void> {
    const isKept = await this.#timed('keeping', async () => {
      await keepResult(WHERE, { cell, result: resultOf(cell) }, this.#objects);
      return true;
    });
    if (isKept) this.#kept.add(cell);
    await this.#keptWhole(cell);
  }

  async #keptWhole(cell: string): Promise<void> {
    const { faults } = this.#world.system;
    const wasOn = faults.isOn;
    const result = await this.#timed('taking back', () => keptResult(WHERE, cell, this.#objects));
    if (result === undefined) {
      if (!wasOn && this.#kept.has(cell)) this.#world.violated(`${cell} cannot be taken back`);
      return;
    }
    if (JSON.stringify(result) !== JSON.stringify(resultOf(cell))) {
      this.#world.violated(`${cell} comes back as another result`);
    }
  }

  #attempt<T>(what: string, act: (store: Store) => Promise<T>): Promise<T | undefined> {
    return this.#timed(what, async () => {
      const parts = {
        sockets: new Set<never>(),
        patience: { answerMs: ANSWER_MS, awayMs: AWAY_MS },
        place: 'simulated',
      };
      this.#store ??= await Store.open(databaseOf(this.#pool, parts));
      return act(this.#store);
    });
  }

  /** @returns undefined for what failed in one sentence. */
  async #timed<T>(what: string, act: () => Promise<T>): Promise<T | undefined> {
    const { machine } = this.#world.system;
    const began = machine.now;
    try {
      return await act();
    } catch (error) {
      const text = failureText(error);
      this.#world.note('study', `${what}: ${text}`);
      if (!isOperationalError(error)) this.#world.violated(`the study, ${what}`, error);
      else if (text.includes('\n')) this.#world.violated(`no sentence: ${text}`);
      return undefined;
    } finally {
      const ms = (machine.now - began) / NS_PER_MS;
      if (ms > STEP_MS) this.#world.violated(`${what} took ${Math.round(ms)} ms`);
    }
  }
}
