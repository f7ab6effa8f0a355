import { StfError } from '../text/tokens';
import { TestInProgress } from './test-in-progress';
import type { Mismatch } from './compare';
import type { ProgramOutline } from './outline';
import type { StfTarget, Steps } from './requests';
import type { Statement, StfTest } from '../text/statements';

/** End of a test. Notes are what `counter_read` and `register_read` found. */
export type StfVerdict = { readonly notes: readonly string[] } & (
  | { readonly kind: 'pass' }
  | { readonly kind: 'fail'; readonly difference: Mismatch }
);

/**
 * Runs a test on a target that answers at once.
 * @throws StfError when a statement names an object that the program does not have, or the target
 * refuses it.
 */
export function runStf(test: StfTest, outline: ProgramOutline, target: StfTarget): StfVerdict {
  const run = stepThrough(test, outline);
  let step = run.next();
  while (step.done !== true) step = run.next(target.perform(step.value));
  return step.value;
}

/**
 * Runs a test step by step, so that targets may take their time. Statements are executed in order;
 * what they expect of packets, digests and messages is compared at the end, as a switch may take
 * its time too.
 */
export function* stepThrough(test: StfTest, outline: ProgramOutline): Steps<StfVerdict> {
  const progress = new TestInProgress(outline);
  try {
    const difference = yield* firstDifference(test.statements, progress);
    const { notes } = progress;
    return difference === undefined ? { kind: 'pass', notes } : { kind: 'fail', difference, notes };
  } catch (error) {
    throw error instanceof StfError ? error.in(test.file) : error;
  }
}

function* firstDifference(
  statements: readonly Statement[],
  progress: TestInProgress,
): Steps<Mismatch | undefined> {
  for (const { line, command } of statements) {
    const difference = yield* progress.execute(line, command);
    if (difference !== undefined) return difference;
  }
  return yield* progress.finish();
}
