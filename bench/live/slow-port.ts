import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { ownProgram } from '../../common/io/loop/own-program';
import type { BitsPerSecond, Bytes } from '../../common/units/units';
import type { AgentReport } from '../../host-agent/io/live/run-agent';
import { percentileOf } from '../../common/statistics/statistics';
import { startStar, withHostProcesses } from './host-star';
import { ownWords } from './own-words';
import type { Ended, RunningHost, StarHost } from './host-star';
import { embeddedSwitch } from './switch-process';
import { realTime } from './real-time';
import { inNamespace } from './test-bed';
import type { Leg } from './test-bed';

/** Bytes of a frame with 1000 bytes of payload and the telemetry of one hop. */
const FRAME: Bytes = 1106;
const PAYLOAD: Bytes = 1000;
/** Bytes of queue per packet, as a switch with bmv2's units reports it. */
const QUEUE_UNIT: Bytes = 1024;
/** Seconds that JIT compilers of fresh processes need. */
const SETTLED_SECONDS = 0.5;

/** A port, and a flow that has it as its bottleneck. */
export interface SlowPort {
  readonly rate: BitsPerSecond;
  readonly bytes: Bytes;
  readonly baseRttUs: number;
}

export interface SlowPortFigures {
  readonly bottleneckBps: BitsPerSecond;
  readonly flowBytes: Bytes;
  readonly baseRttUs: number;
  /** Bytes on the bottleneck's wire over what it carries in the flow's completion time. */
  readonly utilisation: number;
  /** The same of the first flow alone, which the switch and the receiver have just begun with. */
  readonly utilisationOfFirst: number;
  readonly queuePacketsP99: number;
  readonly queuePacketsMax: number;
  /** The same without the first half second. */
  readonly queuePacketsP99Settled: number;
  readonly retransmitted: number;
  /** Jain's index of two flows at once. */
  readonly jainOfTwo: number;
}

type Sent = NonNullable<AgentReport['sent']>;

/** Medians over flows of fresh senders, one after the other, through one `hpcc switch`. */
export async function runSlowPort(port: SlowPort, rounds: number): Promise<SlowPortFigures> {
  const { rate, bytes, baseRttUs } = port;
  const single: Measured[] = [];
  const shares: number[] = [];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-slow-port-'));
  try {
    await withSlowPort(port, 3, async ({ start, to, from: [one, two] }) => {
      const send = async (host: StarHost, flows: number): Promise<Measured> => {
        const trace = path.join(folder, host.address);
        const argv = ['send', to.address, '--json', '-n', String(bytes), '--trace', trace];
        return measured(await start(host, [...argv, ...tuning(port, flows)]).ended, trace);
      };
      for (let round = 0; round < rounds; round++) {
        single.push(await send(one, 1));
        const pair = await Promise.all([send(one, 2), send(two as StarHost, 2)]);
        const [a = 0, b = 0] = pair.map(({ sent }) => sent.total.bitsPerSecond);
        shares.push((a + b) ** 2 / (2 * (a * a + b * b)));
      }
    });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  const median = (of: (run: Measured) => number, digits = 0): number =>
    middle(single.map(of), digits);
  return {
    bottleneckBps: rate,
    flowBytes: bytes,
    baseRttUs,
    utilisation: median((run) => utilisationOf(run, rate), 3),
    utilisationOfFirst: middle(
      single.slice(0, 1).map((run) => utilisationOf(run, rate)),
      3,
    ),
    queuePacketsP99: median(({ queues }) => percentileOf(queues, 0.99)),
    queuePacketsMax: median(({ queues }) => percentileOf(queues, 1)),
    queuePacketsP99Settled: median(({ settled }) => percentileOf(settled, 0.99)),
    retransmitted: median(({ sent }) => sent.total.segmentsRetransmitted),
    jainOfTwo: middle(shares, 4),
  };
}

/**
 * Bytes on the wire of the bottleneck over what it carries while the first flow lasts that goes through
 * a switch, from a sender to a receiver that have just begun, too.
 */
export async function runFirstFlow(port: SlowPort): Promise<number> {
  return withSlowPort(port, 2, async ({ start, to, from: [one] }) => {
    const argv = ['send', to.address, '--json', '-n', String(port.bytes), ...tuning(port, 1)];
    const { sent } = reportOf(await start(one, argv).ended);
    if (sent === undefined) throw new InputError('hpcc send reported no flows');
    return (sent.total.bitsPerSecond * FRAME) / PAYLOAD / port.rate;
  });
}

/** Senders and controller of a measurement. */
interface SlowNetwork {
  /** A command of the host command line, scheduled in real time. */
  readonly start: (host: StarHost, argv: readonly string[]) => RunningHost;
  readonly to: StarHost;
  readonly from: readonly [StarHost, ...StarHost[]];
}

/** A switch whose port to a receiver that is ready is slow. */
async function withSlowPort<Result>(
  port: SlowPort,
  count: number,
  use: (network: SlowNetwork) => Promise<Result>,
): Promise<Result> {
  const { rate } = port;
  const command = [...realTime(), ...embeddedSwitch(), '--link-rate-bps', `1=${rate}`];
  const star = await startStar(command, { hosts: count, bottleneckGbps: rate / 1e9 });
  try {
    return await withHostProcesses(async (startProcess) => {
      const start = ({ leg }: StarHost, argv: readonly string[]): RunningHost =>
        startProcess([...realTime(), ...hostCommand(leg, argv)]);
      const [to, ...from] = star.hosts as [StarHost, StarHost, ...StarHost[]];
      const receiver = start(to, ['agent', ...linkOf(port)]);
      await receiver.logged(/"msg":"ready"/);
      const result = await use({ start, to, from });
      await receiver.stop();
      return result;
    });
  } finally {
    await star.stop();
  }
}

/** T of several packet times. */
const linkOf = ({ rate, baseRttUs }: SlowPort): string[] => [
  '--link-rate-bps',
  String(rate),
  '--base-rtt-us',
  String(baseRttUs),
];

/** The same with the way of slow links in docs/agent.md. */
const tuning = (port: SlowPort, flows: number): string[] => [
  ...linkOf(port),
  '--max-stage',
  '0',
  '--expected-flows',
  String(flows),
];

interface Measured {
  readonly sent: Sent;
  /** In packets, by acknowledgement. */
  readonly queues: readonly number[];
  readonly settled: readonly number[];
}

const utilisationOf = ({ sent }: Measured, rate: BitsPerSecond): number =>
  (sent.total.bitsPerSecond * FRAME) / PAYLOAD / rate;

function measured(ended: Ended, trace: string): Measured {
  const { sent } = reportOf(ended);
  if (sent === undefined) throw new InputError('hpcc send reported no flows');
  const lines = fs
    .readFileSync(trace, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly t: number; readonly queueBytes: number });
  const from = (lines[0]?.t ?? 0) + SETTLED_SECONDS;
  const packets = ({ queueBytes }: { readonly queueBytes: number }): number =>
    queueBytes / QUEUE_UNIT;
  return {
    sent,
    queues: lines.map(packets),
    settled: lines.filter(({ t }) => t >= from).map(packets),
  };
}

/** A command of the host command line in the namespace of its interface. */
export const hostCommand = (leg: Leg, argv: readonly string[]): string[] =>
  inNamespace(leg, [...ownProgram(), ...ownWords(argv), '-i', leg.inner]);

/** @throws InputError with what a process that failed has said. */
export function reportOf({ code, stdout, stderr }: Ended): AgentReport {
  if (code !== 0) throw new InputError(`a host ended with ${code ?? 'a signal'}: ${stderr}`);
  return JSON.parse(stdout) as AgentReport;
}

/** The same over a cable, where no switch writes telemetry: a sender whose flows have finished ends with 1 all the same. */
export function cableReportOf(ended: Ended): AgentReport {
  if (ended.code !== 1 || ended.stdout === '') return reportOf(ended);
  const report = JSON.parse(ended.stdout) as Partial<AgentReport>;
  const isFinished = report.sent?.total.unfinishedFlows === 0;
  return reportOf(isFinished ? { ...ended, code: 0 } : ended);
}

export function middle(values: readonly number[], digits = 0): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[sorted.length >> 1] ?? 0).toFixed(digits));
}
