import * as path from 'node:path';
import { z } from 'zod';
import { InputError } from '../../../common/errors';
import type { Result } from '../../result/result';
import type { ScenarioDocument } from '../../scenario/schema';
import { runScenario } from '../../io/run-scenario';
import type { SharedWork } from '../../io/shared-work';
import type { CellFiles, CellInput } from '../cell';
import { summaryOf } from '../summary';
import type { Summary } from '../summary';
import { buildVersion } from './build-version';
import { fileDigest, programDigest } from './file-digest';
import { loadJudge } from './judge';
import type { Judge, JudgedRun } from './judge';
import { isCustomAlgorithm } from '../../../host-agent/algorithm/library/algorithms';
import { loadAlgorithm } from '../../../host-agent/io/options/load-algorithm';

export interface CellRun {
  /** Text of JSON, the same wherever it runs. */
  readonly summary: string;
  readonly result: Result;
}

export interface CellRunOptions {
  readonly files?: CellFiles;
  readonly shared?: SharedWork;
  /** Called now and then. */
  readonly onProgress?: () => void;
}

/**
 * Runs a cell.
 * @param text the canonical text of its input, so that keys have one order wherever they come from.
 * @throws InputError when it is meant for other code or artefacts than those here, cannot be run, or broke
 * a law of the network or of its judge, in which case it is no result.
 */
export async function runCell(text: string, options: CellRunOptions = {}): Promise<CellRun> {
  const input = JSON.parse(text) as CellInput;
  const { files = {}, ...others } = options;
  checkCode(input, files);
  const { scenario, seed, checkInvariants } = input;
  const algorithm = trustedFile('algorithm', input, files);
  if (algorithm !== undefined)
    await loadAlgorithm(scenario.parameters.algorithm, {
      file: algorithm,
      trust: isTrusted(input.code?.algorithm, files),
    });
  const run = async (what: ScenarioDocument, from: number): Promise<Result> => {
    const { result } = await runScenario({
      scenario: what,
      seed: from,
      checkInvariants,
      ...others,
    });
    if (result.violations.length === 0) return result;
    throw new InputError(`broken invariants: ${result.violations.slice(0, 3).join('; ')}`);
  };
  const result = await run(scenario, seed);
  const judge = trustedFile('judge', input, files);
  const judged = await judgedBy(
    judge === undefined ? undefined : await loadJudge(judge, isTrusted(input.code?.judge, files)),
    { result, scenario, seed, run },
  );
  return { summary: JSON.stringify(summaryOf(result, judged)), result };
}

const isTrusted = (digest: string | undefined, { trusted = [] }: CellFiles): boolean =>
  digest !== undefined && trusted.includes(digest);

async function judgedBy(judge: Judge | undefined, run: JudgedRun): Promise<Summary['judged']> {
  if (judge === undefined) return undefined;
  let figures: unknown;
  try {
    figures = await judge(run);
  } catch (error) {
    throw new InputError(`its judge says: ${(error as Error).message}`);
  }
  const checked = judgedSchema.safeParse(figures);
  if (checked.success) return checked.data;
  throw new InputError(
    `its judge must return an object of at most ${JUDGED_MAX} finite numbers, and does not`,
  );
}

/** Figures of a judge: what it returns is stored with every cell. */
const JUDGED_MAX = 1000;
const judgedSchema = z
  .record(z.string(), z.number())
  .refine((figures) => Object.keys(figures).length <= JUDGED_MAX);

/** Programs that this process has looked at: reading them for every short cell would cost more than it. */
const known = new Map<string, string>();

function checkCode(input: CellInput, files: CellFiles): void {
  const { version, p4, code, scenario } = input;
  if (version !== buildVersion()) {
    throw new InputError(`the cell is for version ${version}, and this is ${buildVersion()}`);
  }
  for (const [name, digest] of Object.entries(p4)) {
    const found = known.get(name) ?? programDigest(name);
    known.set(name, found);
    if (found === digest) continue;
    throw new InputError(`the cell is for other artefacts of ${name}: run ./hpcc p4 build`);
  }
  const { algorithm } = scenario.parameters;
  if (isCustomAlgorithm(algorithm) && code?.algorithm === undefined) {
    throw new InputError(`the cell names an algorithm ${algorithm} without its digest`);
  }
  trustedFile('algorithm', input, files);
  trustedFile('judge', input, files);
}

/**
 * The file of this process with the digest that a cell wants, as it is now.
 * @throws InputError when this process was given none, or it has changed.
 */
function trustedFile(
  what: 'algorithm' | 'judge',
  { code: wantedCode, scenario }: CellInput,
  { judge, code }: CellFiles,
): string | undefined {
  const wanted = wantedCode?.[what];
  if (wanted === undefined) return undefined;
  const own =
    what === 'judge'
      ? judge
      : code === undefined
        ? path.resolve(scenario.parameters.algorithm)
        : undefined;
  const file = code !== undefined && Object.hasOwn(code, wanted) ? code[wanted] : own;
  if (file !== undefined && fileDigest(file, what) === wanted) return file;
  if (file !== undefined) {
    throw new InputError(`the cell is for another ${what} than the one that is here`);
  }
  throw new InputError(
    `the cell wants the ${what} with SHA-256 ${wanted}, and this process was given none: --code FILE`,
  );
}
