import type { Command } from 'commander';
import { addWanted } from '../shared/wanted-command';
import type { Register } from '../shared/wanted-command';

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

export function registerStudy(study: Command): void {
  study.description(
    'A study is a document: a scenario, axes that vary it, seeds, and figures to keep. Every cell ' +
      'of the grid runs once, wherever there is room, and is found again.',
  );
  addWanted(study, COMMANDS);
}
