import type { Command } from 'commander';
import { failureText, isMendable } from '../../common/errors';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { runAgent } from '../../host-agent/io/live/run-agent';
import type { AgentReport } from '../../host-agent/io/live/run-agent';
import { OWN_PROCESS } from '../../common/io/surroundings';
import type { Surroundings } from '../../common/io/surroundings';
import { alignedTable } from '../../common/io/terminal';
import {
  agentOptions,
  checkHostOptions,
  sendOptions,
  withHostOptions,
} from '../shared/agent-options';
import type { HostFlags } from '../shared/host-flags';

type Flags = HostFlags & { readonly json: boolean };
type Interval = Parameters<NonNullable<Parameters<typeof runAgent>[0]['onInterval']>>[0];
type Sent = NonNullable<AgentReport['sent']>;

/** Flows to a host that runs `hpcc agent`, with reports in the manner of iperf3. */
export function registerSend(program: Command, surroundings: Surroundings = OWN_PROCESS): void {
  const print = (text: string): void => surroundings.write(1, `${text}\n`);
  const command = program
    .command('send')
    .summary('send flows to a running hpcc agent and measure them')
    .description(
      'Sends payload under HPCC++ and reports throughput, window and queues every second and at ' +
        'the end. Exits with 1 when a flow did not finish. See docs/agent.md.',
    )
    .argument('<ipv4>', 'the host that runs hpcc agent')
    .option('--json', 'print one JSON document at the end instead of text', false);
  withHostOptions(command, { isAgent: false, logLevel: 'warn' }).action(
    async (destination: string, flags: Flags) => {
      checkHostOptions(command, flags, true);
      const intervals: Interval[] = [];
      const onInterval = (flows: Interval): void => {
        if (flags.json) intervals.push(flows);
        else print(intervalText(flows));
      };
      const send = sendOptions(destination, flags);
      const run = { agent: agentOptions(flags), send, staysOn: false, onInterval };
      const report = await runAgent(run, surroundings).catch((error: unknown) => {
        // A program that reads JSON gets the reason where it looks for the report, and so do people.
        if (flags.json && isMendable(error)) print(jsonText({ error: failureText(error) }));
        throw error;
      });
      if (flags.json) print(jsonText({ intervals, ...report }));
      else if (report.sent !== undefined) print(summaryText(report.sent, flags));
      if (report.advice !== undefined) surroundings.write(2, `hpcc: ${report.advice}\n`);
      if ((report.sent?.total.unfinishedFlows ?? 1) > 0) surroundings.setExitCode(1);
    },
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
        `queue ${kilobytes(flow.queueBytes)}`,
      ];
      return `[${flow.flow}] ${time}  ${cells.map((cell) => cell.padStart(COLUMN)).join('  ')}`;
    })
    .join('\n');
}

function summaryText({ flows, total }: Sent, { operation, algorithm }: Flags): string {
  const header = ['flow', 'payload', 'time', 'throughput', 'rtx', 'window', 'queue max', 'hops'];
  const rows = flows.map((flow) => [
    `[${flow.flow}]${flow.isComplete ? '' : ' unfinished'}`,
    megabytes(flow.acknowledgedBytes),
    `${flow.seconds.toFixed(3)} s`,
    megabits(flow.bitsPerSecond),
    String(flow.segmentsRetransmitted),
    kilobytes(flow.windowBytes),
    kilobytes(flow.queueBytesMax),
    String(flow.hops),
  ]);
  const sum = [
    'all',
    megabytes(total.bytes),
    `${total.seconds.toFixed(3)} s`,
    megabits(total.bitsPerSecond),
    String(total.segmentsRetransmitted),
    '',
    kilobytes(total.queueBytesMax),
    '',
  ];
  const checks = flows.flatMap(({ flow, sha256 }) =>
    sha256 === undefined ? [] : [`[${flow}] SHA-256 ${sha256}`],
  );
  const jain = flows.length > 1 ? [`Jain's index ${total.jain.toFixed(4)}`] : [];
  // What is read is steered where it comes from.
  const isSteeredHere = operation !== 'read';
  const { telemetry } = algorithmNamed(algorithm ?? 'hpccpp').signals;
  const needsHops = isSteeredHere && telemetry === 'hops';
  const silent = needsHops && flows.every(({ withTelemetry }) => withTelemetry === 0);
  const note = silent ? ['no telemetry came: windows stayed as they were, uncontrolled'] : [];
  return [alignedTable([header, ...rows, sum]), ...jain, ...note, ...checks].join('\n');
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} KB`;
const megabits = (rate: number): string => `${(rate / 1e6).toFixed(1)} Mb/s`;
