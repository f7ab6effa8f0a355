import { createInterpreter } from '../interpreter/interpreter';
import { generatedExecutors } from './generated-executor';
import type { ExecutorFactory } from '../executor/executor';
import type { CompiledTexts, TextKeeper } from './compile';
import { EXECUTOR_NAMES } from './executor-names';
import type { ExecutorName } from './executor-names';

/** @param options see {@link generatedExecutors}. */
export function executorFactory(
  name: ExecutorName,
  { keep, compiled }: { readonly keep?: TextKeeper; readonly compiled?: CompiledTexts } = {},
): ExecutorFactory {
  return name === 'interpreter' ? createInterpreter : generatedExecutors(keep, compiled);
}

/** All of them by name. */
export const EXECUTORS: ReadonlyMap<string, ExecutorFactory> = new Map(
  EXECUTOR_NAMES.map((name) => [name, executorFactory(name)]),
);
