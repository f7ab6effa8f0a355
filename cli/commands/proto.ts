import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { repositoryRoot } from '../../common/io/repository';
import { print } from '../../common/io/terminal';

export function registerProto(command: Command): void {
  command
    .description(
      'Generates common/p4runtime/generated from common/p4runtime/proto; needs protoc on PATH ' +
        '(Debian: protobuf-compiler). Only needed after a change of the protocol files.',
    )
    .action(async () => {
      const folder = path.join('common', 'p4runtime', 'generated');
      const sources = path.join(repositoryRoot(), folder);
      if (!fs.existsSync(sources)) {
        throw new InputError(
          'the generated sources are not in the package: run this in a checkout',
        );
      }
      // What it needs is not in the package.
      const { generateProtocol } = await import('../../common/p4runtime/io/generate.js');
      generateProtocol(sources);
      print(folder);
    });
}
