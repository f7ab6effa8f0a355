import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { print } from '../../common/io/terminal';
import { readResult } from '../../emulator/io/read-result';
import { loadScenario } from '../../emulator/io/scenario-files';
import { SCENARIO_FILE } from '../../emulator/io/write-result';
import { resultSchema } from '../../emulator/result/result';
import type { Result } from '../../emulator/result/result';
import type { PageExtras } from '../../emulator/view/data/run-page';
import { finishedRun } from '../../emulator/view/server/finished-run';
import type { FinishedRun } from '../../emulator/view/server/finished-run';
import { liveRun } from '../../emulator/view/server/live-run';
import type { ViewSession } from '../../emulator/view/server/view-session';
import { serveView } from '../../emulator/view/server/view-server';
import { mininetResultSchema } from '../../mininet/figures/mininet-result';
import type { MininetResult } from '../../mininet/figures/mininet-result';
import { reportExtras } from '../../mininet/figures/summary-page';
import { within, wholeOption } from '../shared/option-values';

interface ViewFlags {
  readonly port: number;
  readonly with?: string;
  readonly live?: true;
  readonly seed: number;
}

export function registerView(program: Command): void {
  program
    .command('view')
    .summary('see what happened in a network, in a browser')
    .description(
      'Serves a page on the loopback interface: the network with loads and queues at any instant, ' +
        'charts that zoom together, and the life of each flow. Ends with Ctrl-C.',
    )
    .argument('<result>', 'folder or result.json of a run; with --live, a scenario')
    .option('--live', 'run the scenario now, and watch it')
    .option('--seed <n>', 'seed of a run with --live', wholeOption, 1)
    .option('--with <result>', 'a second run to set beside it')
    .option(
      '--port <n>',
      'TCP port on 127.0.0.1; 0 takes a free one',
      within(0, 65_535, wholeOption),
      0,
    )
    .action((given: string, flags: ViewFlags) => view(given, flags));
}

async function view(given: string, flags: ViewFlags): Promise<void> {
  const interruption = new AbortController();
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const { session, over } = await sessionOf(given, flags, interruption.signal);
  const server = await serveView(session, flags.port);
  print(`${session.page().title}: ${server.url}`);
  await interrupted;
  interruption.abort();
  await over;
  await server.close();
}

async function sessionOf(
  given: string,
  flags: ViewFlags,
  signal: AbortSignal,
): Promise<{ readonly session: ViewSession; readonly over?: Promise<void> }> {
  if (flags.live === true) {
    if (flags.with !== undefined) throw new InputError('--live and --with exclude each other');
    return liveRun({ scenario: loadScenario(given), seed: flags.seed }, signal);
  }
  const run = readRun(given);
  const other = flags.with === undefined ? undefined : readRun(flags.with);
  return { session: finishedRun(run, run.extras, other) };
}

/** A result and, where it lies beside it, the scenario that runs it again. */
function readRun(given: string): FinishedRun & { readonly extras: PageExtras } {
  const { result, folder } = readResult<Result>(given, (document) =>
    'machine' in document ? mininetResultSchema : resultSchema,
  );
  const file = path.join(folder, SCENARIO_FILE);
  const extras = 'machine' in result ? reportExtras(result as MininetResult) : {};
  const run = { name: path.basename(path.resolve(folder)), result };
  if (!fs.existsSync(file)) return { ...run, extras };
  const { seed } = result;
  const command = `./hpcc run ${file} --seed ${seed}`;
  return {
    ...run,
    repeat: { scenario: loadScenario(file), seed },
    extras: { ...extras, command },
  };
}
