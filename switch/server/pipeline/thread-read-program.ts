import { rememberedProgram } from '../../ir/remembered-program';
import type { Program } from '../../ir/nodes';

/** Loads what checks and lowers JSON. */
const lowering = (): typeof import('../../ir/lowering/read-program') =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: a third of a switch's modules
  require('../../ir/lowering/read-program') as typeof import('../../ir/lowering/read-program');

/**
 * Reads BMv2 JSON as `readProgram` does, whose modules are loaded where no thread has read the text before.
 * @throws InputError
 */
export const threadReadProgram = (json: string): Program =>
  rememberedProgram(json) ?? lowering().readProgram(json);
