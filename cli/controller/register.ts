import type { Command } from 'commander';
import { addWanted } from '../shared/wanted-command';
import type { Register } from '../shared/wanted-command';

const COMMANDS: Readonly<Record<string, () => Register>> = {
  plan: () => (require('./plan') as typeof import('./plan')).registerPlan,
  apply: () => (require('./apply') as typeof import('./apply')).registerApply,
  watch: () => (require('./watch') as typeof import('./watch')).registerWatch,
  dump: () => (require('./dump') as typeof import('./dump')).registerDump,
  get: () => (require('./get') as typeof import('./get')).registerGet,
  shell: () => (require('./shell') as typeof import('./shell')).registerShell,
  import: () => (require('./import') as typeof import('./import')).registerImport,
  gnmi: () => (require('./gnmi') as typeof import('./gnmi')).registerGnmi,
  chassis: () => (require('./chassis') as typeof import('./chassis')).registerChassis,
};

/** The commands `hpcc controller …`. */
export function registerController(controller: Command): void {
  addWanted(controller, COMMANDS);
}
