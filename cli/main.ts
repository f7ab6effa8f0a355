import type { runCommand } from './run-command';
import { keepCompiledModules } from '../common/io/loop/compiled-modules';
import { KEPT_FOLDER } from '../common/io/loop/kept-files';
import { nameSourcesOfDefects } from './name-sources';

process.stdout.on('error', handleOutputError);

/** Whoever read the output has gone, as `head` does, or its disk is full. */
function handleOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hpcc: standard output: ${error.message}\n`);
  process.exitCode = 1;
}

nameSourcesOfDefects();
// One file for all commands, as they share most of their modules.
keepCompiledModules('main', KEPT_FOLDER);
/** Loaded here, so that it is kept compiled. */
const run = (): typeof runCommand =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  (require('./run-command') as typeof import('./run-command')).runCommand;

void run()(process.argv.slice(2));
