import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { InputError } from '../../../common/errors';
import { readTextFile } from '../../../common/io/bounded-file';
import { Compartment } from '../../../common/io/code/compartment';
import { CODE_BYTES_MAX } from '../../../common/io/code/module-text';
import { Watchdog } from '../../../common/io/code/watchdog';
import type { Result } from '../../result/result';
import { scenarioSchema } from '../../scenario/schema';
import type { ScenarioDocument } from '../../scenario/schema';
import type { InsideJudge } from './judge-inside';

/** Input of a judge. */
export interface JudgedRun {
  readonly result: Result;
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  /** Runs something else to compare with. */
  readonly run: (scenario: ScenarioDocument, seed: number) => Promise<Result>;
}

/**
 * A user's own laws and figures of a study: throws where a run breaks a law, and returns numbers,
 * which are figures below `judged`.
 */
export type Judge = (
  run: JudgedRun,
) => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>;

/** Longest time that a judge may take between two runs, in ms: it reads whole results. */
export const JUDGE_MS = 60_000;

/**
 * A judge from a file, which runs in a compartment unless it is trusted with all rights of the process.
 * @throws InputError for a file that has no function `judge`.
 */
export async function loadJudge(file: string, trust: boolean): Promise<Judge> {
  if (!trust) return judgeInCompartment(file);
  let loaded: { judge?: unknown };
  try {
    loaded = (await import(pathToFileURL(file).href)) as { judge?: unknown };
  } catch (error) {
    throw new InputError(`${file} cannot be loaded as a judge: ${(error as Error).message}`);
  }
  if (typeof loaded.judge === 'function') return loaded.judge as Judge;
  throw new InputError(noJudge(file));
}

const noJudge = (file: string): string => `${file} is no judge: it exports no function 'judge'`;

function judgeInCompartment(file: string): Judge {
  const compartment = new Compartment({ mayAwait: true });
  const code = compartment.inside(require.resolve('./judge-inside'));
  const inside = (code as { insideJudge: () => InsideJudge }).insideJudge();
  const watchdog = new Watchdog(file, JUDGE_MS);
  const run = compartment.prepare(file, readTextFile(file, CODE_BYTES_MAX));
  const threw = watchdog.during(() => inside.load(run));
  if (threw !== undefined) throw new InputError(`${file} cannot be loaded as a judge: ${threw}`);
  if (!inside.isThere) throw new InputError(noJudge(file));
  return async (judged) => {
    const rejections = new ForeignRejections();
    try {
      const { run: runOther, ...given } = judged;
      watchdog.during(() => inside.begin(JSON.stringify(given)));
      return await judgement(inside, runOther, () => {
        watchdog.during(() => compartment.settle());
      });
    } finally {
      await rejections.over();
    }
  };
}

/** A run that a judge wants, which may be of any form. */
const wantedSchema = z.object({ scenario: scenarioSchema, seed: z.number().int().min(0) });

/** Lets a judge go on as far as it can, answers what it wants, and so on until it is done. */
async function judgement(
  inside: InsideJudge,
  run: JudgedRun['run'],
  settle: () => void,
): Promise<Readonly<Record<string, number>>> {
  for (;;) {
    settle();
    if (inside.threw !== undefined) throw new Error(inside.threw);
    if (inside.figures !== undefined) {
      return JSON.parse(inside.figures) as Readonly<Record<string, number>>;
    }
    const wanted = inside.next();
    if (wanted === undefined) throw new Error('awaits what nothing brings');
    try {
      const { scenario, seed } = wantedSchema.parse(JSON.parse(wanted));
      inside.answer(JSON.stringify(await run(scenario, seed)), false);
    } catch (error) {
      inside.answer((error as Error).message, true);
    }
  }
}

/** Rejections of promises of a compartment, which are its own affair; who shows them would call it. */
class ForeignRejections {
  readonly #listener = (reason: unknown, promise: unknown): void => {
    if (promise instanceof Promise) throw reason;
  };

  constructor() {
    process.on('unhandledRejection', this.#listener);
  }

  /** Returns when those have been told that there are. */
  async over(): Promise<void> {
    await setImmediate();
    process.off('unhandledRejection', this.#listener);
  }
}
