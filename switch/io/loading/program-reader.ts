import { workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { InputError } from '../../../common/errors';
import { keepCompiledModules } from '../../../common/io/loop/compiled-modules';
import { keepProgram } from './kept-programs';
import { partsOf } from './message-parts';
import type { GeneratedProgram } from '../../codegen/generate';
import type { ProgramPart } from './message-parts';

/** Input of the thread that reads programs. */
export interface ReadingTask {
  /** The BMv2 JSON. */
  readonly json: string;
  /** Generates code for switches with that drop port; undefined generates none. */
  readonly dropPort: number | undefined;
  /** File that keeps the program for the next process. */
  readonly keepAs?: string;
}

/** Port for the thread's messages. */
export interface ReadingPort {
  readonly port: MessagePort;
}

/** Messages of the thread: parts and the end, or the reason why the program is refused. */
export type ReadingMessage =
  | { readonly kind: 'part'; readonly part: ProgramPart }
  | { readonly kind: 'end'; readonly generated: GeneratedProgram | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

/** A thread of its own: reads a program and generates code for it. */
function main({ json, dropPort, keepAs, port }: ReadingTask & ReadingPort): void {
  const post = (message: ReadingMessage): void => port.postMessage(message);
  /* eslint-disable @typescript-eslint/no-require-imports -- PERF: they are kept compiled if loaded from here on */
  const { generatedProgram } =
    require('../../codegen/generated-executor') as typeof import('../../codegen/generated-executor');
  const { readProgram } =
    require('../../ir/lowering/read-program') as typeof import('../../ir/lowering/read-program');
  /* eslint-enable @typescript-eslint/no-require-imports */
  try {
    const program = readProgram(json);
    const generated = dropPort === undefined ? undefined : generatedProgram(program, dropPort);
    const parts = [...partsOf(program)];
    for (const part of parts) post({ kind: 'part', part });
    post({ kind: 'end', generated });
    if (keepAs !== undefined) keepProgram(keepAs, { parts, generated });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    post({ kind: 'refused', reason: error.message });
  } finally {
    port.close();
  }
}

keepCompiledModules('reader');
main(workerData as ReadingTask & ReadingPort);
