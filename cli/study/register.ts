import type { Command } from 'commander';

type Register = (parent: Command) => void;

/**
 * The commands of studies in the order of the help text. As with those of `hpcc`, a module is loaded
 * when its command is wanted: a study that is finished says so without loading an emulator.
 */
const COMMANDS: Readonly<Record<string, () => Register>> = {
  run: () => (require('./run') as typeof import('./run')).registerRun,
  status: () => (require('./status') as typeof import('./status')).registerStatus,
  results: () => (require('./results') as typeof import('./results')).registerResults,
  report: () => (require('./report') as typeof import('./report')).registerReport,
  clean: () => (require('./clean') as typeof import('./clean')).registerClean,
  cell: () => (require('./cell') as typeof import('./cell')).registerCell,
  worker: () => (require('./worker') as typeof import('./worker')).registerWorker,
  emit: () => (require('./emit') as typeof import('./emit')).registerEmit,
};

/** @param wanted the only command that is needed; all are there unless it is one of them. */
export function registerStudy(program: Command, wanted = process.argv[3]): void {
  const study = program
    .command('study')
    .summary('run a grid of scenarios, on this machine or on many')
    .description(
      'A study is a document: a scenario, axes that vary it, seeds, and figures to keep. Every cell ' +
        'of the grid runs once, wherever there is room, and is found again.',
    );
  const only = Object.entries(COMMANDS).filter(([name]) => name === wanted);
  for (const [, load] of only.length > 0 ? only : Object.entries(COMMANDS)) load()(study);
}
