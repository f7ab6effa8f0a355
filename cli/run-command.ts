import { CommanderError } from 'commander';
import { failureText, isMendable } from '../common/errors';
import { commandLine } from './command-line';

/**
 * Does what the arguments after `hpcc` ask for, and sets the exit code of the process. Errors that a
 * person can mend, among them what files, sockets and the system refuse, are one message and exit
 * code 1. @throws what is a defect of the program, which keeps its stack.
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await commandLine(args[0]).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
    } else if (isMendable(error)) {
      process.stderr.write(`hpcc: ${failureText(error)}\n`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}
