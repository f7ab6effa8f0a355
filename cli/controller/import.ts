import * as path from 'node:path';
import * as fs from 'node:fs/promises';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { InputError } from '../../common/errors';
import { parseNetwork } from '../../controller/document/load';
import { foreignDocument } from '../../controller/io/network-file';
import { jsonText, print } from './output';

export function registerImport(parent: Command): void {
  parent
    .command('import')
    .summary("print a tutorials' or p4-utils' topology as a document")
    .description(
      'Reads a topology.json of the p4lang tutorials, with the runtime files that it names, or ' +
        'one that p4-utils has written, or its p4app.json, and prints the document that it stands for. plan, apply ' +
        'and watch read such files as they are; this is for going on from them.',
    )
    .argument('<file>', 'topology.json or p4app.json')
    .option('--json', 'print JSON instead of YAML')
    .action(async (file: string, options: { readonly json?: true }) => {
      const text = await fs.readFile(file, 'utf8').catch((error: unknown) => {
        throw new InputError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? ''}`);
      });
      const document = await foreignDocument(text, file, path.dirname(path.resolve(file)));
      if (document === undefined) {
        const wanted =
          'wanted a topology.json of the p4lang tutorials or of p4-utils, or a p4app.json';
        throw new InputError(`${file}: ${wanted}`);
      }
      parseNetwork(JSON.stringify(document), file);
      print(options.json ? jsonText(document) : stringify(document).trimEnd());
    });
}
