import { generatedExecutors } from '../../codegen/compile';
import { createInterpreter } from '../../interpreter/interpreter';
import type { ExecutorFactory } from '../../executor/executor';

/** What can run a program inside the embedded switch, by name. */
export const EXECUTORS: ReadonlyMap<string, ExecutorFactory> = new Map([
  ['interpreter', createInterpreter],
  ['generated', generatedExecutors()],
]);
