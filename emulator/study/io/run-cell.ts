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
import type { JudgedRun } from './judge';
import { algorithmDigest } from './load-study';

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
  const judged = await judgedBy(files.judge, { result, scenario, seed, run });
  return { summary: JSON.stringify(summaryOf(result, judged)), result };
}

async function judgedBy(file: string | undefined, run: JudgedRun): Promise<Summary['judged']> {
  if (file === undefined) return undefined;
  const judge = await loadJudge(file);
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

function checkCode({ version, p4, code, scenario }: CellInput, { judge }: CellFiles): void {
  if (version !== buildVersion()) {
    throw new InputError(`the cell is for version ${version}, and this is ${buildVersion()}`);
  }
  for (const [name, digest] of Object.entries(p4)) {
    const found = known.get(name) ?? programDigest(name);
    known.set(name, found);
    if (found === digest) continue;
    throw new InputError(`the cell is for other artefacts of ${name}: run ./hpcc p4 build`);
  }
  if (code === undefined) return;
  checkFile('algorithm', code.algorithm, algorithmDigest(scenario.parameters.algorithm));
  checkFile('judge', code.judge, judge === undefined ? undefined : fileDigest(judge, 'judge'));
}

function checkFile(what: string, wanted: string | undefined, found: string | undefined): void {
  if (wanted === found) return;
  throw new InputError(`the cell is for another ${what} than the one that is here`);
}
