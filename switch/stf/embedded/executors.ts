import { generatedExecutors } from '../../codegen/generated-executor';
import { createInterpreter } from '../../interpreter/interpreter';
import type { ExecutorFactory } from '../../executor/executor';

/** What can run a program inside the embedded switch, by name. */
export const EXECUTORS = new Map<string, ExecutorFactory>([
  ['interpreter', createInterpreter],
  ['generated', generatedExecutors()],
]);
