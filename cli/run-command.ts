import type { CommanderError } from 'commander';
import { failureText, isOperationalError } from '../common/errors';
import { note } from '../common/io/terminal';
import type { commandLine } from './command-line';
import { namedCommand } from './command-names';
import type { CommandName } from './command-names';

/**
 * Commands that read all their words themselves. PERF: a process that stays keeps no reader of command lines in
 * memory, which takes half a megabyte.
 */
const READERS: Partial<Record<CommandName, () => (words: readonly string[]) => Promise<void>>> = {
  switch: () =>
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is wanted
    (require('../switch/io/run-switch') as typeof import('../switch/io/run-switch')).runSwitch,
};

const commander = (): typeof commandLine =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see READERS
  (require('./command-line') as typeof import('./command-line')).commandLine;

/**
 * Does what the arguments after `hpcc` ask for, and sets the exit code of the process. Errors that a
 * person can mend, among them what files, sockets and the system refuse, are one message and exit
 * code 1. @throws what is a defect of the program, which keeps its stack.
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    const words = withCommandOfToday(args);
    const name = namedCommand(words);
    const reader = name !== 'none' && words[0] === name ? READERS[name] : undefined;
    if (reader !== undefined) await reader()(words.slice(1));
    else await commander()(name).parseAsync(words, { from: 'user' });
  } catch (error) {
    if (isRefusedLine(error)) {
      process.exitCode = error.exitCode;
    } else if (isOperationalError(error)) {
      note(`hpcc: ${failureText(error)}`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}

/** A command line that Commander has refused, or answered by its help, and has written about. */
const isRefusedLine = (error: unknown): error is CommanderError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');

/** `hpcc coordination` is a form of `compare` since 0.3.0; the old name goes with the next version. */
function withCommandOfToday(args: readonly string[]): readonly string[] {
  const [command, ...rest] = args;
  if (command !== 'coordination') return args;
  note(
    'hpcc: hpcc coordination is now hpcc compare --coordination; the old name goes with the next version',
  );
  return ['compare', ...rest, '--coordination'];
}
