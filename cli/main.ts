import { CommanderError } from 'commander';
import { failureText, isMendable } from '../common/errors';
import { commandLine } from './command-line';

/**
 * Errors that a person can mend, among them what files, sockets and the system refuse, are one message
 * and exit code 1; others keep their stack.
 */
async function main(): Promise<void> {
  process.stdout.on('error', handleOutputError);
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

/** Whoever read the output has gone, as `head` does, or its disk is full. */
function handleOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hpcc: standard output: ${error.message}\n`);
  process.exitCode = 1;
}

void main();
