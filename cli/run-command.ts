import { CommanderError } from 'commander';
import { failureText, isOperationalError } from '../common/errors';
import { note } from '../common/io/terminal';
import { commandLine } from './command-line';
import { namedCommand } from './command-names';

/**
 * Does what the arguments after `hpcc` ask for, and sets the exit code of the process. Errors that a
 * person can mend, among them what files, sockets and the system refuse, are one message and exit
 * code 1. @throws what is a defect of the program, which keeps its stack.
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    const words = withCommandOfToday(args);
    await commandLine(namedCommand(words)).parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
    } else if (isOperationalError(error)) {
      note(`hpcc: ${failureText(error)}`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}

/** `hpcc coordination` is a form of `compare` since 0.3.0; the old name goes with the next version. */
function withCommandOfToday(args: readonly string[]): readonly string[] {
  const [command, ...rest] = args;
  if (command !== 'coordination') return args;
  note(
    'hpcc: hpcc coordination is now hpcc compare --coordination; the old name goes with the next version',
  );
  return ['compare', ...rest, '--coordination'];
}
