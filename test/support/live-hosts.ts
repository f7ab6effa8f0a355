import { startHostProcess } from '../../bench/live/host-star';
import type { Ended, RunningHost, SendReport } from '../../bench/live/host-star';
import { inNamespace } from '../../bench/live/test-bed';
import type { Leg } from '../../bench/live/test-bed';
import { PROGRAM } from './live-network';

/** Starts `hpcc agent` or `hpcc send` inside the namespace. */
export const startHost = (leg: Leg, argv: readonly string[]): RunningHost =>
  startHostProcess(inNamespace(leg, [process.execPath, PROGRAM, ...argv, '-i', leg.inner]));

/** Starts `hpcc agent` and waits until it receives. */
export async function startAgent(leg: Leg, ...argv: readonly string[]): Promise<RunningHost> {
  const host = startHost(leg, ['agent', ...argv]);
  await host.logged(/"msg":"ready"/);
  return host;
}

/** Runs `hpcc send --json` to its end. */
export async function send(
  leg: Leg,
  ...argv: readonly string[]
): Promise<Ended & { readonly report: SendReport }> {
  const ended = await startHost(leg, ['send', '--json', ...argv]).ended;
  if (ended.stdout === '') throw new Error(`hpcc send ended with ${ended.code}: ${ended.stderr}`);
  return { ...ended, report: JSON.parse(ended.stdout) as SendReport };
}
