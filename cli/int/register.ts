import type { Command } from 'commander';
import { addWanted } from '../shared/wanted-command';
import type { Register } from '../shared/wanted-command';

const COMMANDS: Readonly<Record<string, () => Register>> = {
  collect: () => (require('./collect') as typeof import('./collect')).registerCollect,
  craft: () => (require('./craft') as typeof import('./craft')).registerCraft,
  dissect: () => (require('./dissect') as typeof import('./dissect')).registerDissect,
  judge: () => (require('./judge') as typeof import('./judge')).registerJudge,
  layers: () => (require('./layers') as typeof import('./layers')).registerLayers,
};

export function registerInt(int: Command): void {
  int.description(
    'Tools for who builds or tests devices of in-band telemetry (docs/int-tools.md).',
  );
  addWanted(int, COMMANDS);
}
