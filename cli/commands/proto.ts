import * as path from 'node:path';
import type { Command } from 'commander';
import { repositoryRoot } from '../../common/io/repository';
import { generateProtocol } from '../../common/p4runtime/io/generate';
import { print } from '../../common/io/terminal';

export function registerProto(program: Command): void {
  program
    .command('proto')
    .summary('generate TypeScript from the P4Runtime protocol files')
    .description(
      'Generates common/p4runtime/generated from common/p4runtime/proto; needs protoc on PATH ' +
        '(Debian: protobuf-compiler). Only needed after a change of the protocol files.',
    )
    .action(() => {
      const folder = path.join('common', 'p4runtime', 'generated');
      generateProtocol(path.join(repositoryRoot(), folder));
      print(folder);
    });
}
