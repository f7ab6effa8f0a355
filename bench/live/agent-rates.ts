import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { InputError } from '../../common/errors';
import { percentileOf } from '../../common/statistics/statistics';
import { parseIpv4 } from '../../common/topology/topology';
import { CABLE_RECEIVER, CABLE_SENDER, withCable } from './cable';
import type { FrameTime } from './frame-times';
import { withHostProcesses } from './host-star';
import { processorSeconds } from './processor-time';
import { cableReportOf, hostCommand, middle } from './slow-port';
import { inNamespace } from './test-bed';
import type { Leg } from './test-bed';

const PAYLOAD_BYTES = 1000;
/** As a rate counts them. */
const FRAME_BYTES = 1106;
/** More than a sender needs to begin. */
const START_SECONDS = 1;
/** Compilers have their time first. */
const SETTLING_SECONDS = 1.5;
const SECONDS = 2;
const FLOW_SECONDS = START_SECONDS + SETTLING_SECONDS + SECONDS;
/** Time until processes listen, and for packets on their way at the end. */
const MARGIN_SECONDS = 1.5;
const PROGRAM = path.join(__dirname, 'frame-times.js');
const OUTPUT_MAX = 64 * 1024 * 1024;
/** A rate of its own, far below that of the link: the window never closes. */
const TUNING = ['--link-rate-bps', '10G', '--base-rtt-us', '2000', '--ack-every', '1'];

interface AgentFigures {
  readonly packetsPerSecond: number;
  /** Processor time per data packet. */
  readonly senderUsPerPacket: number;
  readonly receiverUsPerPacket: number;
  /**
   * Time from a data packet in the receiver's kernel to its acknowledgement in that of the sender,
   * in us.
   */
  readonly answerP50: number;
  readonly answerP99: number;
  readonly answerP999: number;
}

/**
 * Measures the processor time per packet of two agents over one virtual cable at `rate` packets per
 * second, and how late the receiver answers. Medians of the rounds.
 * @throws InputError when an agent fails, or packets were lost.
 */
export async function benchAgentRate(rate: number, rounds: number): Promise<object> {
  const found: AgentFigures[] = [];
  for (let round = 0; round < rounds; round++) found.push(await measureAgents(rate));
  const median = (of: (figures: AgentFigures) => number): number => middle(found.map(of), 1);
  return {
    offeredPerSecond: rate,
    packetsPerSecond: median((each) => each.packetsPerSecond),
    senderUsPerPacket: median((each) => each.senderUsPerPacket),
    receiverUsPerPacket: median((each) => each.receiverUsPerPacket),
    answerUs: {
      p50: median((each) => each.answerP50),
      p99: median((each) => each.answerP99),
      p999: median((each) => each.answerP999),
    },
  };
}

async function measureAgents(rate: number): Promise<AgentFigures> {
  return withCable((near, far) =>
    withHostProcesses(async (startProcess) => {
      const start = (leg: Leg, ...argv: readonly string[]) =>
        startProcess(hostCommand(leg, [...argv, ...TUNING]));
      const receiver = start(near, 'agent');
      await receiver.logged(/"msg":"ready"/);
      const [data, answers] = [arrivals(near, CABLE_RECEIVER), arrivals(far, CABLE_SENDER)];
      await seconds(MARGIN_SECONDS / 2);
      const bits = String(8 * FRAME_BYTES * rate);
      const flow = ['send', CABLE_RECEIVER, '--json', '-t', String(FLOW_SECONDS), '--rate', bits];
      const sender = start(far, ...flow);
      await seconds(START_SECONDS + SETTLING_SECONDS);
      const spent = (): number[] =>
        [sender, receiver].map(({ child }) => processorSeconds(child.pid));
      const [before, began] = [spent(), performance.now()];
      await seconds(SECONDS);
      const [after, ended] = [spent(), performance.now()];
      const { sent } = cableReportOf(await sender.ended);
      const latencies = settled(await data, await answers);
      await receiver.stop();
      if (sent === undefined) throw new InputError('hpcc send reported no flows');
      const packetsPerSecond = sent.total.bitsPerSecond / 8 / PAYLOAD_BYTES;
      const packets = (packetsPerSecond * (ended - began)) / 1000;
      const [ofSender = 0, ofReceiver = 0] = after.map((each, i) => each - (before[i] ?? 0));
      return {
        packetsPerSecond,
        senderUsPerPacket: (1e6 * ofSender) / packets,
        receiverUsPerPacket: (1e6 * ofReceiver) / packets,
        answerP50: percentileOf(latencies, 0.5),
        answerP99: percentileOf(latencies, 0.99),
        answerP999: percentileOf(latencies, 0.999),
      };
    }),
  );
}

const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * count));

async function arrivals(leg: Leg, address: string): Promise<readonly FrameTime[]> {
  const last = String(START_SECONDS + FLOW_SECONDS + MARGIN_SECONDS);
  const program = [process.execPath, PROGRAM, leg.inner, last, String(parseIpv4(address) ?? 0)];
  const [command = '', ...rest] = inNamespace(leg, program);
  const { stdout } = await promisify(execFile)(command, rest, { maxBuffer: OUTPUT_MAX });
  return JSON.parse(stdout) as FrameTime[];
}

/**
 * Times from the data to the first answer that covers it, in us, without the first packets of the
 * flow.
 */
function settled(data: readonly FrameTime[], answers: readonly FrameTime[]): number[] {
  const recent = data.slice(Math.floor((data.length * (FLOW_SECONDS - SECONDS)) / FLOW_SECONDS));
  let next = 0;
  return recent.map(({ at, end }) => {
    while ((answers[next]?.end ?? Infinity) < end) next++;
    const answer = answers[next];
    if (answer === undefined) throw new InputError(`data up to byte ${end} had no answer`);
    return (answer.at - at) / 1000;
  });
}
