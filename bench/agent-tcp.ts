import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../common/errors';
import { ownProgram } from '../common/io/loop/own-program';
import { ThriftSwitch } from '../controller/io/thrift-switch';
import type { TcpAgentReport } from '../host-agent/io/tcp/run-tcp-agent';
import { startHostProcess, startStar } from './live/host-star';
import type { RunningHost, StarHost } from './live/host-star';
import { canMeasureTcp, congestionControls, runIperf, withoutOffloads } from './live/iperf';
import { embeddedSwitch } from './live/switch-process';
import { inNamespace } from './live/test-bed';

const BOTTLENECK_BPS = 20e6;
/** Packets that may wait at the bottleneck: 150 ms of full frames. */
const QUEUE_PACKETS = 250;
const SECONDS = 6;
/** Interval between probes that only measure. */
const PROBE_INTERVAL_MS = 5;

/** One connection through the bottleneck. */
interface TcpFigures {
  /** Payload, in bits/s. */
  readonly throughputBps: number;
  /** Queueing delay of the bottleneck, in ms: quantiles over samples of telemetry. */
  readonly queueMsP50: number;
  readonly queueMsP99: number;
  readonly retransmits: number;
  readonly kernelRttMs: number;
}

type Kind = 'hpcc++' | 'hpcc++ with windows' | (string & {});

/**
 * Unmodified TCP of the kernel through `hpcc switch` with a slow port: under HPCC++, and under the
 * kernel's own algorithms alone. Queues are measured by the same probes in all runs.
 * @throws InputError without root rights or iperf3.
 */
export async function benchAgentTcp(rounds: number): Promise<object> {
  if (process.getuid?.() !== 0) {
    throw new InputError('needs root, because it makes network namespaces');
  }
  if (!canMeasureTcp()) throw new InputError('needs iperf3, ethtool and tc on PATH');
  const offered = congestionControls();
  const peers = ['cubic', 'bbr'].filter((name) => offered.includes(name));
  const kinds: readonly Kind[] = ['hpcc++', 'hpcc++ with windows', ...peers];
  const runs = new Map<Kind, TcpFigures[]>(kinds.map((kind) => [kind, []]));
  // In turns, so that other work on the machine disturbs all of them alike.
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) runs.get(kind)?.push(await withNetwork(kind));
  }
  const medians = [...runs].map(([kind, figures]) => [kind, medianOf(figures)] as const);
  return {
    bottleneckBps: BOTTLENECK_BPS,
    queuePackets: QUEUE_PACKETS,
    seconds: SECONDS,
    ...Object.fromEntries(medians),
  };
}

async function withNetwork(kind: Kind): Promise<TcpFigures> {
  const flags = ['--link-rate-bps', `1=${BOTTLENECK_BPS}`];
  const shape = { hosts: 2, bottleneckGbps: BOTTLENECK_BPS / 1e9 };
  const star = await startStar([...embeddedSwitch(), ...flags], shape);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bench-'));
  try {
    await limitQueue(star.device.thriftAddress);
    star.hosts.forEach(({ leg }) => withoutOffloads(leg));
    const [to, from] = star.hosts as [StarHost, StarHost];
    return await runKind(kind, { to, from, trace: path.join(folder, 'trace.jsonl') });
  } finally {
    fs.rmSync(folder, { recursive: true });
    await star.stop();
  }
}

async function limitQueue(address: string): Promise<void> {
  const device = await ThriftSwitch.connect({ name: 's1', address, deadline: 5000 });
  await device.setQueue({ port: 1, depthPackets: QUEUE_PACKETS });
  device.close();
}

interface Ends {
  readonly to: StarHost;
  readonly from: StarHost;
  readonly trace: string;
}

async function runKind(kind: Kind, { to, from, trace }: Ends): Promise<TcpFigures> {
  const isControlled = kind.startsWith('hpcc++');
  const observe = ['--tcp-observe', '--probe-interval-ms', String(PROBE_INTERVAL_MS)];
  const windows = kind === 'hpcc++ with windows' ? ['--rewrite-window'] : [];
  const mode = isControlled ? windows : observe;
  const receiver = await startAgent(to, mode);
  const sender = await startAgent(from, [...mode, '--trace', trace]);
  const congestionControl = isControlled ? 'cubic' : kind;
  const figures = await runIperf(from, to, { seconds: SECONDS, congestionControl });
  const [report] = await Promise.all([ended(sender), ended(receiver)]);
  const bulk = [...report.connections].sort((a, b) => b.bytes - a.bytes)[0];
  if (bulk === undefined) throw new InputError('the agent has seen no connection');
  const queueMs = queueSamples(trace, bulk.connection);
  return {
    throughputBps: figures.bitsPerSecond,
    queueMsP50: quantile(queueMs, 0.5),
    queueMsP99: quantile(queueMs, 0.99),
    retransmits: figures.retransmits,
    kernelRttMs: figures.kernelRttUs / 1e3,
  };
}

async function startAgent({ leg }: StarHost, argv: readonly string[]): Promise<RunningHost> {
  const command = [...ownProgram(), 'agent', '--tcp', '-i', leg.inner];
  const agent = startHostProcess(inNamespace(leg, [...command, ...argv]));
  await agent.logged(/"msg":"ready"/);
  return agent;
}

async function ended(agent: RunningHost): Promise<TcpAgentReport> {
  const { code, stdout, stderr } = await agent.stop();
  if (code !== 0) throw new InputError(`an agent ended with ${code ?? 'a signal'}: ${stderr}`);
  return JSON.parse(stdout) as TcpAgentReport;
}

/** Queueing delay at each sample of one connection, in ms. */
function queueSamples(trace: string, connection: string): number[] {
  const lines = fs.readFileSync(trace, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { readonly flow: string; readonly queueDelayUs: number })
    .filter(({ flow }) => flow === connection)
    .map(({ queueDelayUs }) => queueDelayUs / 1e3);
}

function medianOf(runs: readonly TcpFigures[]): TcpFigures {
  const median = (of: (run: TcpFigures) => number, digits = 1): number =>
    Number(quantile(runs.map(of), 0.5).toFixed(digits));
  return {
    throughputBps: median((run) => run.throughputBps, 0),
    queueMsP50: median((run) => run.queueMsP50),
    queueMsP99: median((run) => run.queueMsP99),
    retransmits: median((run) => run.retransmits, 0),
    kernelRttMs: median((run) => run.kernelRttMs),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
