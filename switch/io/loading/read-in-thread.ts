import * as path from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { InputError } from '../../../common/errors';
import { rememberGenerated } from '../../codegen/generated-executor';
import { flagsAgain } from '../../../common/io/loop/optimising';
import { rememberedProgram, rememberProgram } from '../../ir/remembered-program';
import { keptFolder } from '../../../common/io/loop/kept-files';
import { keptProgramFile, readKeptProgram } from './kept-programs';
import { ProgramParts } from './message-parts';
import type { GeneratedProgram } from '../../codegen/generate';
import type { ReadingMessage, ReadingPort, ReadingTask } from './program-reader';

const READER = path.join(__dirname, 'program-reader.js');

/**
 * Reads a program in a thread of its own, so that this one goes on forwarding packets: reading and
 * generating take half a second for a large program. The next read of the text then returns at
 * once. What a process before has read and kept is taken from there. Without a thread nothing happens, and the next
 * read takes its time.
 * @param folder of programs that were read before; nothing is kept without one.
 * @throws InputError when the program is refused.
 */
export function readInThread(
  task: Pick<ReadingTask, 'json' | 'dropPort'>,
  folder = keptFolder(),
): Promise<void> {
  if (rememberedProgram(task.json) !== undefined) return Promise.resolve();
  const key = `${task.dropPort ?? ''} ${task.json}`;
  const reading = READING.get(key) ?? read(task, folder).finally(() => READING.delete(key));
  READING.set(key, reading);
  return reading;
}

/** Programs being read, by drop port and text: switches of one process read equal programs once. */
const READING = new Map<string, Promise<void>>();

async function read(
  task: Pick<ReadingTask, 'json' | 'dropPort'>,
  folder: string | undefined,
): Promise<void> {
  const keepAs = folder && keptProgramFile(folder, task);
  const kept = keepAs && readKeptProgram(keepAs);
  const parts = new ProgramParts();
  if (kept) {
    for (const part of kept.parts) parts.add(part);
    remember(task, parts, kept.generated);
    return;
  }
  for await (const message of messagesFor({ ...task, ...(keepAs && { keepAs }) })) {
    switch (message.kind) {
      case 'part':
        parts.add(message.part);
        break;
      case 'refused':
        throw new InputError(message.reason);
      case 'end':
        remember(task, parts, message.generated);
    }
  }
}

function remember(
  { json, dropPort }: Pick<ReadingTask, 'json' | 'dropPort'>,
  parts: ProgramParts,
  generated: GeneratedProgram | undefined,
): void {
  const program = parts.whole();
  rememberProgram(json, program);
  if (dropPort !== undefined && generated !== undefined) {
    rememberGenerated(program, dropPort, generated);
  }
}

/** Messages of the thread, one in each round of the event loop, so that packets pass in between. */
async function* messagesFor(task: ReadingTask): AsyncIterable<ReadingMessage> {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const workerData: ReadingTask & ReadingPort = { ...task, port: theirs };
  try {
    const worker = new Worker(READER, { workerData, transferList: [theirs] });
    await new Promise<void>((resolve) => {
      worker.on('error', () => resolve());
      worker.on('exit', () => resolve());
    });
    for (;;) {
      const found: { message: ReadingMessage } | undefined = receiveMessageOnPort(ours);
      if (found === undefined) return;
      yield found.message;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    flagsAgain();
    ours.close();
  }
}
