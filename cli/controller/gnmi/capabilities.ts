import type { Command } from 'commander';
import { jsonText, print } from '../output';
import { withGnmiClient, withGnmiOptions } from './options';
import type { GnmiOptions } from './options';

export function registerGnmiCapabilities(parent: Command): void {
  withGnmiOptions(parent.command('capabilities'))
    .summary('print version, encodings and models of a gNMI server')
    .action(async (address: string, options: GnmiOptions) => {
      const found = await withGnmiClient(address, options, (client) => client.capabilities());
      if (options.json) {
        print(jsonText(found));
        return;
      }
      print(`gNMI ${found.version}`);
      print(`encodings: ${found.encodings.join(', ')}`);
      for (const { name, version, organization } of found.models) {
        print(`model ${name} ${version} (${organization})`);
      }
    });
}
