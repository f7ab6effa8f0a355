import type { Command } from 'commander';
import { InputError } from '../../../common/errors';
import type { GnmiUpdate } from '../../../controller/gnmi/notification';
import { parseAssignment, parsePath, printPath } from '../../../controller/gnmi/path';
import { parseValue } from '../../../controller/gnmi/value-text';
import { jsonText, print } from '../output';
import { withGnmiClient, withGnmiOptions } from './options';
import type { GnmiOptions } from './options';

interface SetOptions extends GnmiOptions {
  readonly update: readonly string[];
  readonly replace: readonly string[];
  readonly delete: readonly string[];
}

export function registerGnmiSet(parent: Command): void {
  const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];
  withGnmiOptions(parent.command('set'))
    .summary('change values, all or none')
    .description(
      'Deletes, replaces and updates in one transaction. VALUE is TYPE:TEXT with a type such as ' +
        'string, int, uint, bool, bytes, double, leaflist, json; other text is JSON as of RFC 7951.',
    )
    .option('--update <path=value>', 'merge a value (repeatable)', collect, [])
    .option('--replace <path=value>', 'put a value in place of all below (repeatable)', collect, [])
    .option('--delete <path>', 'remove all below (repeatable)', collect, [])
    .action(async (address: string, options: SetOptions) => {
      const changes = {
        deletes: options.delete.map(parsePath),
        replaces: options.replace.map(assignment),
        updates: options.update.map(assignment),
      };
      if (Object.values(changes).every((each) => each.length === 0)) {
        throw new InputError('gnmi set: wanted --update, --replace or --delete, found none');
      }
      const { timestamp, results } = await withGnmiClient(address, options, (client) =>
        client.set(changes),
      );
      const texts = results.map(({ path, operation }) => ({ path: printPath(path), operation }));
      if (options.json) print(jsonText({ timestamp: String(timestamp), results: texts }));
      else for (const { path, operation } of texts) print(`${path} ${operation}`);
    });
}

function assignment(text: string): GnmiUpdate {
  const { path, value } = parseAssignment(text);
  return { path, value: parseValue(value) };
}
