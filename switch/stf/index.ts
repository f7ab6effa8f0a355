/**
 * `hpcc-plus-plus/stf`: packet tests in the STF format of the P4 compiler, for P4 programs of one's own.
 *
 * @example
 * const verdict = runStfText(program, 'packet 0 00112233\nexpect 1 00112233$');
 * if (verdict.kind === 'fail') throw new Error(verdict.difference.message);
 *
 * @module stf
 */
import { InputError } from '../../common/errors';
import { EmbeddedTarget } from './embedded/embedded-target';
import { executorFactory } from '../codegen/executors';
import type { ExecutorName } from '../codegen/executor-names';
import { readOutline } from './run/outline';
import { parseStf } from './text/parse-stf';
import { runStf } from './run/run-stf';
import type { StfVerdict } from './run/run-stf';

export type { Mismatch } from './run/compare';
export type { StfVerdict } from './run/run-stf';
export { StfError } from './text/tokens';
export type { ExecutorName };
export { InputError };

/** Options for running a test; all have defaults. */
export interface StfOptions {
  /** Name of the test in errors. Default `test.stf`. */
  readonly file?: string;
  /** Executor of the program on the embedded switch. Default `interpreter`. */
  readonly executor?: ExecutorName;
}

/**
 * Runs an STF test on a program, on an embedded switch of its own with 511 ports and virtual time.
 *
 * @param program p4c's BMv2 JSON, as text.
 * @param test the statements.
 * @returns whether what left the switch is what the test expects, and the first difference if not.
 * @throws StfError `file:line: …` for a statement that cannot be read or executed, InputError for a
 * program that the switch cannot run.
 */
export function runStfText(program: string, test: string, options: StfOptions = {}): StfVerdict {
  const { file = 'test.stf', executor = 'interpreter' } = options;
  const target = new EmbeddedTarget(program, executorFactory(executor));
  return runStf(parseStf(test, file), readOutline(program), target);
}
