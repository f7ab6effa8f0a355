import type { Command } from 'commander';
import { stringify } from 'yaml';
import { stateDocument } from '../../controller/document/state-document';
import type { NamedEntity } from '../../controller/entities/named-entity';
import { forEachSwitch } from '../../controller/io/for-each-switch';
import { loadNetwork } from '../../controller/io/network-file';
import { readFilters } from '../../controller/io/read-state';
import { withCommonOptions } from './options';
import type { CommonOptions } from './options';
import { jsonText, print } from './output';
import { chosenSwitches, readingFrom } from './targets';

interface DumpOptions extends CommonOptions {
  readonly switch?: string;
}

export function registerDump(parent: Command): void {
  withCommonOptions(parent.command('dump'))
    .summary('print what the switches hold')
    .description(
      'Prints the entries, members, groups, multicast groups and clone sessions of every switch ' +
        'as the part of a document that would bring them there again, or as entities with --json.',
    )
    .argument('<file>', 'network document')
    .option('--switch <name>', 'only this switch')
    .action(async (file: string, options: DumpOptions) => {
      const network = await loadNetwork(file);
      const chosen = chosenSwitches(network, options.switch);
      const states = await forEachSwitch(chosen, async (each) => {
        const name = each.spec.node.name;
        const at = { ...options, folder: network.folder };
        const entities = await readingFrom(each, at, async (client, index) => {
          const found: NamedEntity[] = [];
          for (const filters of readFilters(index)) {
            for await (const entity of client.read(...filters)) found.push(entity);
          }
          return found;
        });
        return { name, entities };
      });
      if (options.json) print(jsonText({ switches: states }));
      else print(stringify({ switches: states.map(dumpText) }).trimEnd());
    });
}

function dumpText({ name, entities }: { name: string; entities: readonly NamedEntity[] }): object {
  return { name, ...stateDocument(entities) };
}
