import { Option } from 'commander';
import type { Command } from 'commander';
import { DATA_TYPES } from '../../../controller/gnmi/notification';
import type { GnmiDataType } from '../../../controller/gnmi/notification';
import { parsePath } from '../../../controller/gnmi/path';
import { jsonText, print } from '../output';
import { encodingOption, withGnmiClient, withGnmiOptions } from './options';
import type { EncodingOption, GnmiOptions } from './options';
import { notificationJson, notificationLines } from './output';

interface GetOptions extends GnmiOptions, EncodingOption {
  readonly type: GnmiDataType;
}

export function registerGnmiGet(parent: Command): void {
  withGnmiOptions(parent.command('get'))
    .summary('print the values below paths')
    .argument('<path...>', 'such as /interfaces/interface[name=eth0]/state')
    .addOption(encodingOption())
    .addOption(new Option('--type <name>', 'which part').choices(DATA_TYPES).default('all'))
    .action(async (address: string, texts: readonly string[], options: GetOptions) => {
      const paths = texts.map(parsePath);
      const found = await withGnmiClient(address, options, (client) => client.get(paths, options));
      if (options.json) print(jsonText({ notifications: found.map(notificationJson) }));
      else for (const line of found.flatMap(notificationLines)) print(line);
    });
}
