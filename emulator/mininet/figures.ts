import { jainIndex } from '../../common/statistics/jain-index';
import { percentileOf } from '../record/statistics';
import { bottleneckOf, queueSamples, utilisationOf } from './bottleneck';
import type { QueueSample } from './bottleneck';
import { coordinationFigures } from './coordination-figures';
import { dropsOf } from './drops';
import type { FigureName, FlowDocument } from './experiment';
import { busyTime, bytesBetween, isMeasured } from './observation';
import type { Observation } from './observation';

/** Figures of a run; null where the run cannot tell. */
export type Figures = Readonly<Record<FigureName, number | null>>;

/** Packets up to which a queue counts as empty. */
export const SHORT_QUEUE_PACKETS = 5;
const BITS_PER_MEGABIT = 1e6;

export function figuresOf(observation: Observation): Figures {
  const { document } = observation.own;
  const bottleneck = bottleneckOf(observation);
  const busy = busyTime(observation);
  const queue = queueSamples(observation, bottleneck).filter(([at]) => at >= busy.from);
  const bytes = queue.map(([, length]) => length);
  const packets = (length: number): number => length / document.frameBytes;
  const p99 = percentileOf(bytes, 0.99);
  const known = <T>(value: T): T | null => (queue.length > 0 ? value : null);
  const drops = dropsOf(observation);
  return {
    utilisation: utilisationOf(observation, bottleneck, busy),
    throughputMbps: throughput(observation),
    queueP99Packets: known(packets(p99)),
    queueMaxPackets: known(packets(maxOf(bytes))),
    queueDelayP99Ms: known((8e3 * p99) / bottleneck.rateBps),
    drainRtts: document.flows.some(isTogether) ? drainRtts(queue, document) : null,
    drops: Object.values(drops).reduce((sum, count) => sum + count, 0),
    retransmissions: observation.flows.reduce((sum, flow) => sum + flow.retransmissions, 0),
    jainSecondHalf: jainSecondHalf(observation),
    recoverySeconds: recoverySeconds(observation),
    lostBytes: lostBytes(observation),
    miceFctP99Ms: miceFct(observation),
    rateMbps: bottleneck.rateBps / BITS_PER_MEGABIT,
    ...coordinationFigures(observation),
  };
}

/** Only flows that begin at one instant make a queue that has to drain. */
const isTogether = (flow: FlowDocument): boolean => flow.kind === 'hpcc' && flow.together;

const maxOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

/** Payload of the measured flows, over the time in which there were any. */
function throughput(observation: Observation): number | null {
  const { from, to } = busyTime(observation);
  if (!(to > from)) return null;
  const bytes = observation.flows
    .filter(isMeasured)
    .reduce((sum, flow) => sum + bytesBetween(flow, from, to), 0);
  return (8 * bytes) / (to - from) / BITS_PER_MEGABIT;
}

/** The burst of flows that begin together has its peak within so many T. */
const BURST_RTTS = 10;

/**
 * From the instant at which the queue first was long to the first one after the peak of that burst
 * at which it was short, in multiples of T; 0 for a queue that never was long, null for one that
 * stayed long.
 */
export function drainRtts(
  samples: readonly QueueSample[],
  {
    frameBytes,
    algorithm,
  }: { readonly frameBytes: number; readonly algorithm: { readonly baseRttUs: number } },
): number | null {
  if (samples.length === 0) return null;
  const isLong = ([, bytes]: QueueSample): boolean => bytes > SHORT_QUEUE_PACKETS * frameBytes;
  const first = samples.find(isLong);
  if (first === undefined) return 0;
  const rttSeconds = algorithm.baseRttUs / 1e6;
  const burstEnd = first[0] + BURST_RTTS * rttSeconds;
  const burst = samples.filter(([at]) => at >= first[0] && at <= burstEnd);
  const most = maxOf(burst.map(([, bytes]) => bytes));
  const peak = samples.findIndex(([at, bytes]) => at >= first[0] && bytes === most);
  const after = samples.slice(peak).find((sample) => !isLong(sample));
  return after === undefined ? null : (after[0] - first[0]) / rttSeconds;
}

/** Of what the flows delivered during the second half of the time in which all were active. */
function jainSecondHalf({ flows }: Observation): number | null {
  const measured = flows.filter(isMeasured);
  const from = Math.max(...measured.map(({ startsAt }) => startsAt));
  const to = Math.min(...measured.map(({ endsAt }) => endsAt));
  if (measured.length < 2 || !(to > from)) return null;
  return jainIndex(measured.map((flow) => bytesBetween(flow, (from + to) / 2, to)));
}

const BEFORE_SECONDS = 2;
const RECOVERED = 0.9;
const STEP_SECONDS = 0.1;
const SUSTAINED_SECONDS = 1;

/** From the first link that failed until a second's throughput was 90 % of what it was before. */
function recoverySeconds(observation: Observation): number | null {
  const failed = observation.run.links.find(({ state }) => state === 'down')?.seconds;
  if (failed === undefined) return null;
  const measured = observation.flows.filter(isMeasured);
  const rate = (from: number, to: number): number =>
    measured.reduce((sum, flow) => sum + bytesBetween(flow, from, to), 0) / (to - from);
  const before = rate(failed - BEFORE_SECONDS, failed);
  const { to: end } = busyTime(observation);
  for (let at = failed; at + SUSTAINED_SECONDS <= end; at += STEP_SECONDS) {
    if (rate(at, at + SUSTAINED_SECONDS) >= RECOVERED * before) return at - failed;
  }
  return null;
}

/** Bytes that senders count as delivered and receivers do not have, or have otherwise. */
function lostBytes({ flows, agents }: Observation): number | null {
  const own = flows.filter(({ sender }) => sender.flow.kind === 'hpcc');
  if (own.length === 0) return null;
  return own.reduce((sum, flow) => {
    const received = agents.get(flow.sender.flow.to)?.received;
    const found = received?.find((each) => each.flow === flow.flowId);
    const isSame = found !== undefined && found.sha256 === flow.sha256;
    return sum + (isSame ? Math.max(0, flow.bytes - found.bytes) : flow.bytes);
  }, 0);
}

/** Flows of a given size that repeat are the mice. */
function miceFct({ flows }: Observation): number | null {
  const mice = flows.filter(
    ({ sender: { flow }, isComplete }) =>
      flow.kind === 'hpcc' && flow.repeat !== undefined && isComplete,
  );
  if (mice.length === 0) return null;
  return 1e3 * percentileOf(mice.map(({ startsAt, endsAt }) => endsAt - startsAt), 0.99);
}
