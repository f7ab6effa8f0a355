import { InputError } from '../common/errors';
import { CABLE_RECEIVER, withCable } from './live/cable';
import { withHostProcesses } from './live/host-star';
import { realTime } from './live/real-time';
import { cableReportOf, hostCommand, middle, runSlowPort } from './live/slow-port';
import type { SlowPortFigures } from './live/slow-port';
import type { Leg } from './live/test-bed';

const SECONDS = 3;
/** Window W_init = rate * T: 375 KB, less than the receiver's ring holds. */
const CABLE_TUNING = ['--link-rate-bps', '10G', '--base-rtt-us', '300'];
const PAYLOAD_BYTES = 1000;
/** T that processes with 64 flows need on shared cores. */
const SHORT_FLOW_TUNING = ['--link-rate-bps', '10G', '--base-rtt-us', '10000'];
/** Time until the receiver listens, whose log has no line for each flow. */
const START_SECONDS = 3;
const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, 1000 * count));

/** Ports of `hpcc switch` that are slow, each with T of several packet times. */
const SLOW_PORTS = [
  { rate: 100e6, bytes: 20e6, baseRttUs: 1500 },
  { rate: 20e6, bytes: 10e6, baseRttUs: 5000 },
  { rate: 10e6, bytes: 5e6, baseRttUs: 10_000 },
];

/**
 * Agents as processes of their own: over one virtual cable, as fast as they can, and through
 * `hpcc switch` with slow ports. Everything shares the machine's cores.
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
    shortFlows: [await benchShortFlows(20_000), await benchShortFlows(200_000)],
    isRealTime: realTime().length > 0,
    slowPorts: await benchSlowPorts(rounds),
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

async function benchSlowPorts(rounds: number): Promise<readonly SlowPortFigures[]> {
  const figures: SlowPortFigures[] = [];
  for (const port of SLOW_PORTS) figures.push(await runSlowPort(port, rounds));
  return figures;
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

interface ShortFlowFigures {
  /** Flows of one packet each, which follow each other. */
  readonly flows: number;
  readonly unfinished: number;
  readonly flowsPerSecond: number;
  readonly fctMs: { readonly median: number; readonly p99: number };
  /** The most memory of a process, which does not grow with the flows. */
  readonly senderMegabytes: number;
  readonly receiverMegabytes: number;
}

/** Flows of one host to another over the cable, 64 at a time. */
async function benchShortFlows(flows: number): Promise<ShortFlowFigures> {
  return withCable((near, far) =>
    withHostProcesses(async (startProcess) => {
      const start = (leg: Leg, ...argv: readonly string[]) =>
        startProcess(hostCommand(leg, [...argv, ...SHORT_FLOW_TUNING]));
      const receiver = start(near, 'agent', '--log-level', 'warn');
      const many = ['-n', String(PAYLOAD_BYTES), '-P', '64', '--flows', String(flows)];
      await seconds(START_SECONDS);
      const sender = start(far, 'send', CABLE_RECEIVER, '--json', ...many);
      const { sent, memoryPeakBytes } = cableReportOf(await sender.ended);
      const received = cableReportOf(await receiver.stop());
      if (sent === undefined) throw new InputError('hpcc send reported no flows');
      const { total } = sent;
      return {
        flows: total.flows,
        unfinished: total.unfinishedFlows,
        flowsPerSecond: Math.round(total.flows / total.seconds),
        fctMs: { median: 1e3 * total.fctSeconds.median, p99: 1e3 * total.fctSeconds.p99 },
        senderMegabytes: Math.round(memoryPeakBytes / 1e6),
        receiverMegabytes: Math.round(received.memoryPeakBytes / 1e6),
      };
    }),
  );
}

async function runCable(options: readonly string[]): Promise<CableFigures> {
  return withCable((near, far) =>
    withHostProcesses(async (startProcess) => {
      const start = (leg: Leg, ...argv: readonly string[]) =>
        startProcess(hostCommand(leg, [...argv, ...CABLE_TUNING, ...options]));
      const receiver = start(near, 'agent');
      await receiver.logged(/"msg":"ready"/);
      const sender = start(far, 'send', CABLE_RECEIVER, '--json', '-t', String(SECONDS));
      const { sent, cpuSeconds } = cableReportOf(await sender.ended);
      const received = cableReportOf(await receiver.stop());
      if (sent === undefined) throw new InputError('hpcc send reported no flows');
      const packets = sent.total.bytes / PAYLOAD_BYTES;
      return {
        packetsPerSecond: packets / sent.total.seconds,
        retransmitted: sent.total.segmentsRetransmitted,
        senderNsPerPacket: (1e9 * cpuSeconds) / packets,
        receiverNsPerPacket: (1e9 * received.cpuSeconds) / packets,
      };
    }),
  );
}
