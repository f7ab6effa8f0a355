import * as path from 'node:path';
import type { Command } from 'commander';
import { print } from '../../common/io/terminal';
import { readResult } from '../../emulator/io/read-result';
import { resultSchema } from '../../emulator/result/result';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { serveView } from '../../emulator/view/server/view-server';
import { mininetResultSchema } from '../../mininet/figures/mininet-result';
import { within, wholeOption } from '../shared/option-values';

interface ViewFlags {
  readonly port: number;
}

export function registerView(program: Command): void {
  program
    .command('view')
    .summary('see what happened in a network, in a browser')
    .description(
      'Serves a page on the loopback interface: the network with loads and queues at any instant, ' +
        'charts that zoom together, and the life of each flow. Ends with Ctrl-C.',
    )
    .argument('<result>', 'folder or result.json of a run')
    .option(
      '--port <n>',
      'TCP port on 127.0.0.1; 0 takes a free one',
      within(0, 65_535, wholeOption),
      0,
    )
    .action((given: string, flags: ViewFlags) => view(given, flags));
}

async function view(given: string, { port }: ViewFlags): Promise<void> {
  const { result, folder } = readResult(given, (document) =>
    'machine' in document ? mininetResultSchema : resultSchema,
  );
  const server = await serveView(finishedRun(result, { command: `./hpcc view ${folder}` }), port);
  print(`${path.basename(folder)}: ${server.url}`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.close();
}
