import type { Command } from 'commander';
import { Argument } from 'commander';
import { print } from '../../common/io/terminal';
import { DOCUMENT_NAMES, jsonSchemaOf } from '../shared/document-schemas';
import type { DocumentName } from '../shared/document-schemas';

export function registerSchema(command: Command): void {
  command
    .description(
      'Prints the JSON Schema (draft 2020-12) of a document that hpcc reads. Editors complete and check keys with\n' +
        'it: in YAML by a first line such as # yaml-language-server: $schema=scenario.schema.json',
    )
    .addArgument(new Argument('<document>', 'which document').choices(DOCUMENT_NAMES))
    .action((name: DocumentName) => print(JSON.stringify(jsonSchemaOf(name), undefined, 2)));
}
