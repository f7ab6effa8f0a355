import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { generatedExecutors } from '../../switch/codegen/generated-executor';
import type { CompiledTexts } from '../../switch/codegen/compile';
import type { ExecutorFactory } from '../../switch/executor/executor';
import { createInterpreter } from '../../switch/interpreter/interpreter';

export const EXECUTOR_NAMES = ['generated', 'interpreter'] as const;

/** What runs P4 programs: JavaScript that is generated for them, or the reference interpreter. */
export type ExecutorName = (typeof EXECUTOR_NAMES)[number];

export const DEFAULT_EXECUTOR: ExecutorName = 'generated';

/** @param compiled see {@link generatedExecutors}. */
export function executorFactory(name: ExecutorName, compiled?: CompiledTexts): ExecutorFactory {
  return name === 'interpreter' ? createInterpreter : generatedExecutors(keepText, compiled);
}

/** Keeps generated text that does not compile, as evidence of a defect; returns where it is. */
export function keepText(programName: string, text: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-generated-'));
  const file = path.join(folder, `${path.basename(programName)}.js`);
  fs.writeFileSync(file, text);
  return file;
}
