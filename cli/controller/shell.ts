import * as readline from 'node:readline';
import * as repl from 'node:repl';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { loadNetwork } from '../../controller/io/network-file';
import { QueueRecords } from '../../controller/io/queue-records';
import { Shell } from '../../controller/io/shell';
import { connectOptions, withCommonOptions } from './options';
import type { CommonOptions } from './options';
import { print } from './output';
import { stateFile } from './plan';

export function registerShell(parent: Command): void {
  withCommonOptions(parent.command('shell'))
    .summary('read and write by hand, with completion of names')
    .argument('<file>', 'network document')
    .action(async (file: string, options: CommonOptions) => {
      const network = await loadNetwork(file);
      const shell = new Shell(network.switches, {
        ...connectOptions(options, network.folder),
        records: await QueueRecords.load(stateFile(file, undefined)),
      });
      try {
        await session(shell);
      } finally {
        shell.close();
      }
    });
}

/** Lines until the end of the input; a line that fails is told, and the next one is read. */
async function session(shell: Shell): Promise<void> {
  if (process.stdin.isTTY) return conversation(shell);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    await printAnswer(shell, line);
  }
}

function conversation(shell: Shell): Promise<void> {
  const server = repl.start({
    prompt: shell.prompt,
    completer: (line: string) => shell.complete(line),
    ignoreUndefined: true,
    eval: (line, _context, _file, done) => {
      printAnswer(shell, line).then(
        () => {
          server.setPrompt(shell.prompt);
          done(null, undefined);
        },
        (error: unknown) => done(error as Error, undefined),
      );
    },
  });
  return new Promise((resolve) => server.once('exit', () => resolve()));
}

async function printAnswer(shell: Shell, line: string): Promise<void> {
  try {
    const text = await shell.run(line);
    if (text !== '') print(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    print(error.message);
  }
}
