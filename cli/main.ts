import { CommanderError } from 'commander';
import { InputError } from '../common/errors';
import { commandLine } from './command-line';

/** Errors that a person can mend are one message and exit code 1; others keep their stack. */
async function main(): Promise<void> {
  try {
    await commandLine(process.argv[2]).parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
    } else if (error instanceof InputError) {
      process.stderr.write(`hpcc: ${error.message}\n`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}

void main();
