import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { print } from '../../common/io/terminal';
import { didYouMean } from '../../common/nearest-word';
import { LAYER_KINDS } from '../../common/telemetry/craft/kinds';
import type { Shape } from '../../common/telemetry/craft/values';

export function registerLayers(parent: Command): void {
  parent
    .command('layers')
    .summary('list the layers of documents, or the fields of one')
    .argument('[layer]', 'print its fields and their values')
    .action((name?: string) => {
      if (name === undefined) {
        for (const { name: each, text } of LAYER_KINDS.values())
          print(`${each.padEnd(20)} ${text}`);
        return;
      }
      const kind = LAYER_KINDS.get(name);
      if (kind === undefined) {
        const names = [...LAYER_KINDS.keys()];
        throw new InputError(
          `no such layer: ${name}${didYouMean(name, names)}; there are ${names.join(', ')}`,
        );
      }
      print(kind.text);
      printFields(kind.shape, '  ');
    });
}

function printFields(shape: Shape, indent: string): void {
  for (const [name, { wanted, form }] of Object.entries(shape)) {
    const item = form.type === 'list' ? form.item.form : form;
    if (item.type !== 'section') {
      print(`${indent}${name}: ${wanted}`);
      continue;
    }
    print(`${indent}${name}: ${form.type === 'list' ? 'a list of sections' : 'a section'}`);
    printFields(item.shape, `${indent}  `);
  }
}
