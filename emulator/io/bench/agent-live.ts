import { spawnSync } from 'node:child_process';
import { InputError } from '../../../common/errors';
import { startHostProcess } from './live/host-process';
import type { Ended } from './live/host-process';
import { ipIn, startStar } from './live/host-star';
import type { StarHost } from './live/host-star';
import { embeddedSwitch } from './live/switch-process';
import { inNamespace, makeLeg, removeLeg } from './live/test-bed';
import type { AgentReport } from '../../../host-agent/main';
import type { Leg } from './live/test-bed';

const SECONDS = 3;
/** Window W_init = rate * T: 375 KB, less than the receiver's ring holds. */
const CABLE_TUNING = ['--link-rate-bps', '10G', '--base-rtt-us', '300'];
const RECEIVER = '10.0.0.1';
const SENDER = '10.0.0.2';
const PAYLOAD_BYTES = 1000;

const BOTTLENECK_BPS = 100e6;
const STAR_TUNING = ['--link-rate-bps', '1G', '--base-rtt-us', '2000', '--expected-flows', '4'];
/** Long enough that the compilers of three processes do not decide the figure. */
const FLOW_BYTES = 20e6;
/** Share of the wire that payload has: 1000 bytes in frames of 1074, with one hop 1106. */
const PAYLOAD_SHARE = PAYLOAD_BYTES / 1106;

/**
 * Agents as processes of their own: over one virtual cable, as fast as they can, and through
 * `hpcc switch` with a slow port. Everything shares the machine's cores.
 * @throws InputError without root rights.
 */
export async function benchAgentLive(rounds: number): Promise<object> {
  if (process.getuid?.() !== 0) {
    throw new InputError('needs root, because it makes network namespaces');
  }
  return {
    payloadBytes: PAYLOAD_BYTES,
    cable: await benchCable(rounds, ['--ack-every', '1']),
    cableAckEvery8: await benchCable(rounds, ['--ack-every', '8']),
    cableUdp: await benchCable(rounds, ['--transport', 'udp', '--base-rtt-us', '100']),
    throughSwitch: await benchSwitch(rounds),
  };
}

interface CableFigures {
  /** Data packets that were acknowledged; each is a frame to the receiver and one for its ACK. */
  readonly packetsPerSecond: number;
  readonly retransmitted: number;
  /** Processor time per data packet, start-up and compiler included. */
  readonly senderNsPerPacket: number;
  readonly receiverNsPerPacket: number;
}

/** Medians of runs over one pair of interfaces. */
async function benchCable(rounds: number, options: readonly string[]): Promise<CableFigures> {
  const runs: CableFigures[] = [];
  for (let round = 0; round < rounds; round++) runs.push(await runCable(options));
  const median = (of: (run: CableFigures) => number): number => middle(runs.map(of));
  return {
    packetsPerSecond: median((run) => run.packetsPerSecond),
    retransmitted: median((run) => run.retransmitted),
    senderNsPerPacket: median((run) => run.senderNsPerPacket),
    receiverNsPerPacket: median((run) => run.receiverNsPerPacket),
  };
}

async function runCable(options: readonly string[]): Promise<CableFigures> {
  return withCable(async (near, far) => {
    const start = (leg: Leg, ...argv: readonly string[]) =>
      startHostProcess(hostCommand(leg, [...argv, ...CABLE_TUNING, ...options]));
    const receiver = start(near, 'agent');
    await receiver.logged(/"msg":"ready"/);
    const sender = start(far, 'send', RECEIVER, '--json', '-t', String(SECONDS));
    const { sent, cpuSeconds } = reportOf(await sender.ended);
    const received = reportOf(await receiver.stop());
    if (sent === undefined) throw new InputError('hpcc send reported no flows');
    const packets = sent.total.bytes / PAYLOAD_BYTES;
    return {
      packetsPerSecond: packets / sent.total.seconds,
      retransmitted: sent.total.segmentsRetransmitted,
      senderNsPerPacket: (1e9 * cpuSeconds) / packets,
      receiverNsPerPacket: (1e9 * received.cpuSeconds) / packets,
    };
  });
}

/** Two namespaces with one cable between them. */
async function withCable<Result>(use: (near: Leg, far: Leg) => Promise<Result>): Promise<Result> {
  const legs: Leg[] = [];
  try {
    const near = makeLeg();
    legs.push(near);
    const other = makeLeg();
    legs.push(other);
    const far = { ...other, inner: near.outer };
    ipIn(near.namespace, 'addr', 'add', `${RECEIVER}/24`, 'dev', near.inner);
    spawnSync('ip', ['link', 'set', near.outer, 'netns', far.namespace]);
    ipIn(far.namespace, 'addr', 'add', `${SENDER}/24`, 'dev', far.inner);
    ipIn(far.namespace, 'link', 'set', far.inner, 'up');
    return await use(near, far);
  } finally {
    legs.forEach(removeLeg);
  }
}

/** One flow, and two flows at once, into a port of {@link BOTTLENECK_BPS}. */
async function benchSwitch(rounds: number): Promise<object> {
  const rate = ['--link-rate-bps', `1=${BOTTLENECK_BPS}`];
  const shape = { hosts: 3, bottleneckGbps: BOTTLENECK_BPS / 1e9 };
  const star = await startStar([...embeddedSwitch(), ...rate], shape);
  try {
    const [to, one, two] = star.hosts as [StarHost, StarHost, StarHost];
    const receiver = startHostProcess(hostCommand(to.leg, ['agent', ...STAR_TUNING]));
    await receiver.logged(/"msg":"ready"/);
    const send = async (host: StarHost): Promise<NonNullable<AgentReport['sent']>> => {
      const argv = ['send', to.address, '--json', '-n', String(FLOW_BYTES), ...STAR_TUNING];
      const { sent } = reportOf(await startHostProcess(hostCommand(host.leg, argv)).ended);
      if (sent === undefined) throw new InputError('hpcc send reported no flows');
      return sent;
    };
    const single: NonNullable<AgentReport['sent']>[] = [];
    const shares: number[] = [];
    for (let round = 0; round < rounds; round++) {
      single.push(await send(one));
      const pair = await Promise.all([send(one), send(two)]);
      const [a = 0, b = 0] = pair.map(({ total }) => total.bitsPerSecond);
      shares.push((a + b) ** 2 / (2 * (a * a + b * b)));
    }
    await receiver.stop();
    const best = BOTTLENECK_BPS * PAYLOAD_SHARE;
    return {
      bottleneckBps: BOTTLENECK_BPS,
      flowBytes: FLOW_BYTES,
      fctMs: middle(single.map(({ total }) => 1e3 * total.seconds)),
      shareOfBottleneck: middle(
        single.map(({ total }) => total.bitsPerSecond / best),
        3,
      ),
      queueBytesMax: middle(single.map(({ total }) => total.queueBytesMax)),
      retransmitted: middle(single.map(({ total }) => total.segmentsRetransmitted)),
      jainOfTwo: middle(shares, 4),
    };
  } finally {
    await star.stop();
  }
}

const hostCommand = (leg: Leg, argv: readonly string[]): string[] =>
  inNamespace(leg, [process.execPath, process.argv[1] ?? '', ...argv, '-i', leg.inner]);

function reportOf({ code, stdout, stderr }: Ended): AgentReport {
  if (code !== 0) throw new InputError(`a host ended with ${code ?? 'a signal'}: ${stderr}`);
  return JSON.parse(stdout) as AgentReport;
}

function middle(values: readonly number[], digits = 0): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[sorted.length >> 1] ?? 0).toFixed(digits));
}
