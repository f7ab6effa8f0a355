import { InputError } from '../../common/errors';
import { print } from '../../common/io/terminal';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { liveRun } from '../../emulator/view/server/live-run';
import type { ViewSession } from '../../emulator/view/server/view-session';
import { serveView } from '../../emulator/view/server/view-server';
import { networkSpec } from '../../controller/document/network';
import { readNetworkFile } from '../../controller/io/network-file';
import { liveMetrics } from '../../emulator/view/server/live-metrics';
import type { MetricsTarget } from '../../emulator/view/server/metrics-request';
import { followRun, isRunFolder } from '../../mininet/io/follow-run';
import { readRun } from '../shared/read-run';
import { typedCommand } from '../shared/typed-command';

/** Options of `hpcc view`. */
export interface ViewFlags {
  readonly port: number;
  readonly with?: string;
  readonly live?: true;
  readonly metrics: readonly MetricsTarget[];
  readonly seed?: number;
  readonly trust?: true;
}

/** Serves what the command line of `hpcc view` names until it is interrupted. */
export async function viewChosen(given: string | undefined, flags: ViewFlags): Promise<void> {
  const interruption = new AbortController();
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const { session, over } = await sessionOf(given, flags, interruption.signal);
  const server = await serveView(session, flags.port);
  print(`${session.page().title}: ${server.url}`);
  // The watched source may turn out to be unreadable; its end alone ends nothing.
  const failed = new Promise<never>((_, reject) => {
    over?.catch(reject);
  });
  try {
    await Promise.race([interrupted, failed]);
  } finally {
    interruption.abort();
    await server.close();
  }
  await over;
}

interface Watched {
  readonly session: ViewSession;
  readonly over?: Promise<void>;
}

async function sessionOf(
  given: string | undefined,
  flags: ViewFlags,
  signal: AbortSignal,
): Promise<Watched> {
  if (flags.live === true) return liveSession(given, flags, signal);
  if (flags.seed !== undefined) throw new InputError(SEED);
  if (flags.metrics.length > 0) throw new InputError('--metrics needs --live');
  if (given === undefined) throw new InputError('give the folder of a result, or --live');
  const trusts = flags.trust === true;
  const run = readRun(given, trusts);
  const other = flags.with === undefined ? undefined : readRun(flags.with, trusts);
  return { session: finishedRun(run, run.extras, other) };
}

async function liveSession(
  given: string | undefined,
  { with: other, metrics: targets, seed }: ViewFlags,
  signal: AbortSignal,
): Promise<Watched> {
  if (other !== undefined) throw new InputError('--live and --with exclude each other');
  const isRun = given !== undefined && targets.length === 0 && !isRunFolder(given);
  if (seed !== undefined && !isRun) throw new InputError(SEED);
  if (targets.length > 0) {
    const topology =
      given === undefined
        ? undefined
        : networkSpec((await readNetworkFile(given)).document).topology;
    return liveMetrics({ targets, topology, command: typedCommand() }, signal);
  }
  if (given === undefined) {
    throw new InputError(
      '--live: give a scenario, the folder of a run under Mininet, or --metrics',
    );
  }
  if (isRunFolder(given)) return followRun(given, signal);
  return liveRun({ scenario: loadScenario(given), seed: seed ?? 1 }, signal);
}

const SEED = '--seed is of a scenario that is run with --live; whatever else is shown has its own';
