import { runCommand } from './run-command';

process.stdout.on('error', handleOutputError);

/** Whoever read the output has gone, as `head` does, or its disk is full. */
function handleOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hpcc: standard output: ${error.message}\n`);
  process.exitCode = 1;
}

void runCommand(process.argv.slice(2));
