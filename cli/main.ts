import type { runCommand } from './run-command';
import { keepCompiledModules } from '../common/io/loop/compiled-modules';
import { KEPT_FOLDER } from '../common/io/loop/kept-files';
import { namedCommand } from './command-names';
import { nameSourcesOfDefects } from './name-sources';

process.stdout.on('error', handleOutputError);

/** Whoever read the output has gone, as `head` does, or its disk is full. */
function handleOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hpcc: standard output: ${error.message}\n`);
  process.exitCode = 1;
}

nameSourcesOfDefects();
const words = process.argv.slice(2);
keepCompiledModules(namedCommand(words), KEPT_FOLDER);
/** Loaded here, so that it is kept compiled. */
const run = (): typeof runCommand =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  (require('./run-command') as typeof import('./run-command')).runCommand;

void run()(words);
