import { startHostProcess } from '../../bench/live/host-star';
import type { Ended, RunningHost } from '../../bench/live/host-star';
import { inNamespace } from '../../bench/live/test-bed';
import type { Leg } from '../../bench/live/test-bed';
import type { AgentReport } from '../../host-agent/io/live/run-agent';
import type { FlowInterval } from '../../host-agent/traffic/traffic-report';
import { PROGRAM } from './live-network';

/** What `hpcc send --json` prints. */
export type SendReport = AgentReport & { readonly intervals: readonly (readonly FlowInterval[])[] };

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
