import { startHostProcess } from '../../bench/live/host-star';
import type { Ended, RunningHost } from '../../bench/live/host-star';
import { inNamespace } from '../../bench/live/test-bed';
import type { Leg } from '../../bench/live/test-bed';
import { wordsAt } from '../../host-agent/settings/idle';
import type { AgentReport } from '../../host-agent/io/live/run-agent';
import type { FlowInterval } from '../../host-agent/traffic/traffic-report';
import { LIVE_PROGRAM } from './own-command';

/** Output of `hpcc send --json`. */
export type SendReport = AgentReport & { readonly intervals: readonly (readonly FlowInterval[])[] };

/** Starts `hpcc agent` or `hpcc send` inside the namespace. */
export const startHost = (leg: Leg, argv: readonly string[]): RunningHost =>
  startHostProcess(inNamespace(leg, [...LIVE_PROGRAM, ...argv, '-i', leg.inner]));

/** Starts `hpcc agent` with the options of both hosts that it takes, and waits until it receives. */
export async function startAgent(leg: Leg, ...argv: readonly string[]): Promise<RunningHost> {
  const starts = argv.includes('--send');
  const host = startHost(leg, ['agent', ...wordsAt(argv, { starts, answers: true })]);
  await host.logged(/"msg":"ready"/);
  return host;
}

/** Runs `hpcc send --json` to its end, with the options of both hosts that it takes. */
export async function send(
  leg: Leg,
  ...argv: readonly string[]
): Promise<Ended & { readonly report: SendReport }> {
  const own = wordsAt(argv, { starts: true, answers: false });
  const ended = await startHost(leg, ['send', '--json', ...own]).ended;
  if (ended.stdout === '') throw new Error(`hpcc send ended with ${ended.code}: ${ended.stderr}`);
  return { ...ended, report: JSON.parse(ended.stdout) as SendReport };
}
