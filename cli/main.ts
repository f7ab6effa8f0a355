import type { runCommand } from './run-command';
import { keepCompiledModules } from '../common/io/loop/compiled-modules';

process.stdout.on('error', handleOutputError);

/** Whoever read the output has gone, as `head` does, or its disk is full. */
function handleOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hpcc: standard output: ${error.message}\n`);
  process.exitCode = 1;
}

keepCompiledModules('live');
/** Loaded here, so that it is kept compiled. */
const run = (): typeof runCommand =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  (require('./run-command') as typeof import('./run-command')).runCommand;

void run()(process.argv.slice(2));
