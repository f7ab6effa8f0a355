import type { Command } from 'commander';
import { registerGnmiCapabilities } from './capabilities';
import { registerGnmiGet } from './get';
import { registerGnmiSet } from './set';
import { registerGnmiSubscribe } from './subscribe';

/** The commands `hpcc controller gnmi …`. */
export function registerGnmi(controller: Command): void {
  const gnmi = controller
    .command('gnmi')
    .summary('read, change and watch the configuration and state of a device');
  registerGnmiCapabilities(gnmi);
  registerGnmiGet(gnmi);
  registerGnmiSet(gnmi);
  registerGnmiSubscribe(gnmi);
}
