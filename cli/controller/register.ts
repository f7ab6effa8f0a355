import type { Command } from 'commander';
import { registerApply } from './apply';
import { registerChassis } from './chassis';
import { registerDump } from './dump';
import { registerGet } from './get';
import { registerGnmi } from './gnmi';
import { registerImport } from './import';
import { registerPlan } from './plan';
import { registerShell } from './shell';
import { registerWatch } from './watch';

/** The commands `hpcc controller …`. */
export function registerController(program: Command): void {
  const controller = program
    .command('controller')
    .summary('bring switches to what a document says, and keep them there');
  registerPlan(controller);
  registerApply(controller);
  registerWatch(controller);
  registerDump(controller);
  registerGet(controller);
  registerShell(controller);
  registerImport(controller);
  registerGnmi(controller);
  registerChassis(controller);
}
