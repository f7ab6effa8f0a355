import * as path from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { InputError } from '../../../common/errors';
import { rememberGenerated } from '../../codegen/generated-executor';
import { rememberedProgram, rememberProgram } from '../../ir/remembered-program';
import { ProgramParts } from './message-parts';
import type { ReadingMessage, ReadingPort, ReadingTask } from './program-reader';

const READER = path.join(__dirname, 'program-reader.js');

/**
 * Reads a program in a thread of its own, so that this one goes on forwarding packets: reading and
 * generating take half a second for a large program. The next read of the text then returns at
 * once. Without a thread nothing happens, and the next read takes its time.
 * @throws InputError when the program is refused.
 */
export function readInThread(task: ReadingTask): Promise<void> {
  if (rememberedProgram(task.json) !== undefined) return Promise.resolve();
  const key = `${task.dropPort ?? ''} ${task.json}`;
  const reading = READING.get(key) ?? read(task).finally(() => READING.delete(key));
  READING.set(key, reading);
  return reading;
}

/** Programs being read, by drop port and text: switches of one process read equal programs once. */
const READING = new Map<string, Promise<void>>();

async function read(task: ReadingTask): Promise<void> {
  const parts = new ProgramParts();
  for await (const message of messagesFor(task)) {
    switch (message.kind) {
      case 'part':
        parts.add(message.part);
        break;
      case 'refused':
        throw new InputError(message.reason);
      case 'end': {
        const program = parts.whole();
        rememberProgram(task.json, program);
        if (task.dropPort !== undefined && message.generated !== undefined) {
          rememberGenerated(program, task.dropPort, message.generated);
        }
      }
    }
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
    ours.close();
  }
}
