import type { Command } from 'commander';
import { checkTrust, withTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';
import { failureText, isOperationalError } from '../../common/errors';
import { MSS } from '../../host-agent/host/host-config';
import { runAgent } from '../../host-agent/io/live/run-agent';
import type { AgentReport, GivenHost } from '../../host-agent/io/live/run-agent';
import { OWN_PROCESS } from '../../common/io/environment';
import type { Environment } from '../../common/io/environment';
import { figureAt } from '../../emulator/figures/dictionary';
import { figureText } from '../../emulator/figures/figure-text';
import { sendOptions } from '../../host-agent/io/options/send-options';
import { withHostDefaults } from '../../host-agent/settings/settings';
import { intervalText, summaryText } from '../shared/sent-text';
import { sourcePathsOf } from '../shared/source-paths';
import { checkGiven, hostSettings, withSettings } from '../shared/setting-options';

type Interval = Parameters<NonNullable<Parameters<typeof runAgent>[0]['onInterval']>>[0];
type Sent = NonNullable<AgentReport['sent']>;

/** Flows to a host that runs `hpcc agent`, with reports in the manner of iperf3. */
export function registerSend(command: Command, environment: Environment = OWN_PROCESS): void {
  const print = (text: string): void => environment.write(1, `${text}\n`);
  command
    .description(
      'Sends payload under HPCC++ and reports throughput, window and queues every second and at ' +
        'the end. Exits with 1 when a flow did not finish or sent without control for a twentieth of its time. See docs/agent.md.',
    )
    .argument('<ipv4>', 'the host that runs hpcc agent')
    .option('--json', 'print one JSON document at the end instead of text', false);
  withTrust(withSettings(command, 'send')).action(
    async (destination: string, flags: TrustFlags & { readonly json: boolean }) => {
      const agent = hostSettings(command, 'send', environment);
      checkGiven(agent, { starts: true, answers: false });
      checkTrust(flags, [agent.algorithm ?? 'hpccpp']);
      const intervals: Interval[] = [];
      const onInterval = (flows: Interval): void => {
        if (flags.json) intervals.push(flows);
        else print(intervalText(flows));
      };
      const send = sendOptions(destination, agent);
      const run = { agent, send, staysOn: false, trust: flags.trust, onInterval };
      const ran = sourcePathsOf(agent).then((sourcePaths) =>
        runAgent({ ...run, sourcePaths }, environment),
      );
      const report = await ran.catch((error: unknown) => {
        // A program that reads JSON gets the reason where it looks for the report, and so do people.
        if (flags.json && isOperationalError(error)) print(jsonText({ error: failureText(error) }));
        throw error;
      });
      if (flags.json) print(jsonText({ intervals, ...report }));
      else if (report.sent !== undefined) print(summaryText(report.sent, agent));
      if (report.advice !== undefined) environment.write(2, `hpcc: ${report.advice}\n`);
      const uncontrolled = uncontrolledText(report.sent?.flows ?? []);
      if (uncontrolled !== undefined) environment.write(2, `hpcc: ${uncontrolled}\n`);
      const shortT = roundTripHint(report.sent, agent);
      if (shortT !== undefined) environment.write(2, `hpcc: ${shortT}\n`);
      const total = report.sent?.total;
      const isFinished = total?.unfinishedFlows === 0;
      if (!isFinished || (total?.uncontrolledFlows ?? 0) > 0) environment.setExitCode(1);
    },
  );
}

const WITHOUT_CONTROL = figureAt('sent.flows.*.uncontrolledSeconds');

/** Names flows that sent without control, and for how long, if there are any. */
function uncontrolledText(flows: Sent['flows']): string | undefined {
  const times = flows
    .filter(({ uncontrolledSeconds }) => uncontrolledSeconds > 0)
    .map(
      ({ flow, uncontrolledSeconds }) =>
        `[${flow}] for ${figureText(WITHOUT_CONTROL, uncontrolledSeconds)}`,
    );
  if (times.length === 0) return undefined;
  return (
    `sent without control, since no feedback came that could be used: ${times.join(', ')}; ` +
    'see docs/agent.md, "Flows without control"'
  );
}

/** Share of segments sent again from which on T is the likely cause. */
const MANY_AGAIN = 0.01;

/** Advice for flows that repeat much with a T that nobody has chosen. */
function roundTripHint(sent: Sent | undefined, agent: GivenHost): string | undefined {
  const isChosen = agent.baseRttUs !== undefined || agent.baseRtt !== undefined;
  const { baseRttUs, mss = MSS } = withHostDefaults(agent);
  const { bytes = 0, segmentsRetransmitted: again = 0 } = sent?.total ?? {};
  if (isChosen || again <= (MANY_AGAIN * bytes) / mss) return undefined;
  return (
    `${again} segments were sent again: T is the default of ${baseRttUs} us; where round trips are ` +
    'longer, give both hosts --base-rtt-us, or give the sender --base-rtt-us auto to measure it'
  );
}

const jsonText = (document: object): string => JSON.stringify(document, null, 2);
