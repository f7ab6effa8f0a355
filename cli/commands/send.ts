import type { Command } from 'commander';
import { checkTrust, withTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';
import { failureText, isOperationalError } from '../../common/errors';
import { MSS } from '../../host-agent/host/host-config';
import { runAgent } from '../../host-agent/io/live/run-agent';
import type { AgentReport, GivenHost } from '../../host-agent/io/live/run-agent';
import { OWN_PROCESS } from '../../common/io/environment';
import type { Environment } from '../../common/io/environment';
import { alignedTable } from '../../common/io/terminal';

import { sendOptions } from '../../host-agent/io/options/send-options';
import { controlNotes } from '../../host-agent/traffic/control-notes';
import { withHostDefaults } from '../../host-agent/settings/settings';
import type { Settings } from '../../host-agent/settings/settings';
import { checkGiven, hostSettings, withSettings } from '../shared/setting-options';

type Interval = Parameters<NonNullable<Parameters<typeof runAgent>[0]['onInterval']>>[0];
type Sent = NonNullable<AgentReport['sent']>;

/** Flows to a host that runs `hpcc agent`, with reports in the manner of iperf3. */
export function registerSend(program: Command, environment: Environment = OWN_PROCESS): void {
  const print = (text: string): void => environment.write(1, `${text}\n`);
  const command = program
    .command('send')
    .summary('send flows to a running hpcc agent and measure them')
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
      const report = await runAgent(run, environment).catch((error: unknown) => {
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

/** Names flows that sent without control, and for how long, if there are any. */
function uncontrolledText(flows: Sent['flows']): string | undefined {
  const times = flows
    .filter(({ uncontrolledSeconds }) => uncontrolledSeconds > 0)
    .map(({ flow, uncontrolledSeconds }) => `[${flow}] for ${uncontrolledSeconds.toFixed(3)} s`);
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

const COLUMN = 11;

function intervalText(flows: Interval): string {
  return flows
    .map((flow) => {
      const time = `${flow.fromSeconds.toFixed(1)}-${flow.toSeconds.toFixed(1)} s`;
      const cells = [
        megabytes(flow.bytes),
        megabits(flow.bitsPerSecond),
        `rtx ${flow.segmentsRetransmitted}`,
        `window ${kilobytes(flow.windowBytes)}`,
        `queue ${orDash(flow.queueBytes, kilobytes)}`,
      ];
      return `[${flow.flow}] ${time}  ${cells.map((cell) => cell.padStart(COLUMN)).join('  ')}`;
    })
    .join('\n');
}

function summaryText({ flows, total }: Sent, { operation, algorithm }: Settings): string {
  const isMany = flows.length < total.flows;
  const header = ['flow', 'payload', 'time', 'throughput', 'rtx', 'window', 'queue max', 'hops'];
  const rows = (isMany ? [] : flows).map((flow) => [
    `[${flow.flow}]${flow.isComplete ? '' : ' unfinished'}`,
    megabytes(flow.acknowledgedBytes),
    `${flow.seconds.toFixed(3)} s`,
    megabits(flow.bitsPerSecond),
    String(flow.segmentsRetransmitted),
    kilobytes(flow.windowBytes),
    orDash(flow.queueBytesMax, kilobytes),
    orDash(flow.hops, String),
  ]);
  const sum = [
    isMany ? `all ${total.flows}` : 'all',
    megabytes(total.bytes),
    `${total.seconds.toFixed(3)} s`,
    megabits(total.bitsPerSecond),
    String(total.segmentsRetransmitted),
    '',
    orDash(total.queueBytesMax, kilobytes),
    '',
  ];
  const { median, p99, max } = total.fctSeconds;
  const times = isMany
    ? [
        `FCT median ${(median * 1e3).toFixed(3)} ms, p99 ${(p99 * 1e3).toFixed(3)} ms, max ${(max * 1e3).toFixed(3)} ms; ` +
          `${(total.flows / total.seconds).toFixed(0)} flows/s, ${total.unfinishedFlows} unfinished`,
      ]
    : [];
  const checks = (isMany ? [] : flows).flatMap(({ flow, sha256 }) =>
    sha256 === undefined ? [] : [`[${flow}] SHA-256 ${sha256}`],
  );
  const jain = flows.length > 1 ? [`Jain's index ${total.jain.toFixed(4)}`] : [];
  // Data that is read is controlled at its source.
  const note = operation === 'read' ? [] : controlNotes({ flows, total }, algorithm);
  return [alignedTable([header, ...rows, sum]), ...times, ...jain, ...note, ...checks].join('\n');
}

/** A figure that this end of the flow does not know is a dash. */
const orDash = (value: number | null, text: (value: number) => string): string =>
  value === null ? '-' : text(value);

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} KB`;
const megabits = (rate: number): string => `${(rate / 1e6).toFixed(1)} Mb/s`;
