import { CommanderError } from 'commander';
import { failureText, isMendable } from '../common/errors';
import { commandLine } from './command-line';

/**
 * Errors that a person can mend, among them what files, sockets and the system refuse, are one message
 * and exit code 1; others keep their stack.
 */
async function main(): Promise<void> {
  try {
    await commandLine(process.argv[2]).parseAsync();
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

void main();
