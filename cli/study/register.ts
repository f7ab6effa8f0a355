import type { Command } from 'commander';
import { registerCell } from './cell';
import { registerEmit } from './emit';
import { registerRun } from './run';
import { registerShow } from './show';
import { registerWorker } from './worker';

export function registerStudy(program: Command): void {
  const study = program
    .command('study')
    .summary('run a grid of scenarios, on this machine or on many')
    .description(
      'A study is a document: a scenario, axes that vary it, seeds, and figures to keep. Every cell ' +
        'of the grid runs once, wherever there is room, and is found again.',
    );
  registerRun(study);
  registerShow(study);
  registerCell(study);
  registerWorker(study);
  registerEmit(study);
}
