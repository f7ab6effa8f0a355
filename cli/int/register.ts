import type { Command } from 'commander';

type Register = (parent: Command) => void;

/** The commands in the order of the help text; a module is loaded when its command is wanted. */
const COMMANDS: Readonly<Record<string, () => Register>> = {
  collect: () => (require('./collect') as typeof import('./collect')).registerCollect,
  craft: () => (require('./craft') as typeof import('./craft')).registerCraft,
  dissect: () => (require('./dissect') as typeof import('./dissect')).registerDissect,
  judge: () => (require('./judge') as typeof import('./judge')).registerJudge,
  layers: () => (require('./layers') as typeof import('./layers')).registerLayers,
};

/** @param wanted the only command that is needed; all are there unless it is one of them. */
export function registerInt(program: Command, wanted = process.argv[3]): void {
  const int = program
    .command('int')
    .summary('make frames with telemetry, and take them apart')
    .description('Tools for who builds or tests devices of in-band telemetry (docs/int-tools.md).');
  const only = Object.entries(COMMANDS).filter(([name]) => name === wanted);
  for (const [, load] of only.length > 0 ? only : Object.entries(COMMANDS)) load()(int);
}
