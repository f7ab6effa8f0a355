import { optionIn } from '../../host-agent/settings/words';
import { formatIpv4 } from '../../common/topology/topology';
import { percentileOf } from '../../common/statistics/statistics';
import { bottleneckOf, queueSamples, utilisationOf } from '../observation/bottleneck';
import { dropsOf } from '../observation/drops';
import { busyTime, isMeasured } from '../observation/observation';
import {
  fairAfterSeconds,
  firstFailure,
  firstShare,
  jainSecondHalf,
  miceFct,
  recoverySeconds,
  throughputMbps,
} from './flow-figures';
import { intFigures } from './int-figures';
import type { FigureName, FlowDocument } from '../experiment/experiment';
import type { QueueSample } from '../observation/bottleneck';
import type { Observation, ObservedFlow } from '../observation/observation';
import type { NotificationCounts } from '../observation/outputs';
import type { Trace } from '../observation/trace';

/** Figures of a run; null where the run has no such figure. */
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
  const measured = observation.flows.filter(isMeasured);
  const known = <T>(value: T): T | null => (queue.length > 0 ? value : null);
  return {
    utilisation: utilisationOf(observation, bottleneck, busy),
    throughputMbps: throughputMbps(measured, busy),
    queueP99Packets: known(packets(p99)),
    queueMaxPackets: known(packets(maxOf(bytes))),
    queueDelayP99Ms: known((8e3 * p99) / bottleneck.rateBps),
    drainRtts: document.flows.some(isTogether) ? drainRtts(queue, document) : null,
    drops: dropsOf(observation).total ?? null,
    retransmissions: observation.flows.reduce((sum, flow) => sum + flow.retransmissions, 0),
    timeouts: timeouts(observation),
    ...pathFigures(observation),
    jainSecondHalf: jainSecondHalf(measured),
    fairAfterSeconds: fairAfterSeconds(measured),
    firstShare: firstShare(measured),
    feedbackPerData: feedbackPerData(observation),
    controlUpdatesPerRtt: controlUpdatesPerRtt(measured, document.algorithm),
    recoverySeconds: recoverySeconds(measured, firstFailure(observation)),
    lostBytes: lostBytes(observation),
    miceFctP99Ms: miceFct(observation.flows),
    rateMbps: bottleneck.rateBps / BITS_PER_MEGABIT,
    ...coordinationFigures(observation),
    ...intFigures(observation),
  };
}

/** True for flows that begin at one instant: only they make a queue that has to drain. */
export const isTogether = (flow: FlowDocument): boolean => flow.kind === 'hpcc' && flow.together;

const maxOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

/** The burst of flows that begin together has its peak within so many T. */
const BURST_RTTS = 10;

/**
 * Time to drain the queue in multiples of T: from the instant at which it first was long to the
 * first one after the peak of that burst at which it was short; 0 for a queue that never was long,
 * null for one that stayed long.
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

/** Feedback packets to senders per data packet, answers of switches included. */
function feedbackPerData({ flows }: Observation): number | null {
  const sent = flows.reduce((sum, { dataSent }) => sum + dataSent, 0);
  return sent === 0 ? null : flows.reduce((sum, each) => sum + each.acksReceived, 0) / sent;
}

/**
 * Updates of the window per flow and T, wherever its algorithm runs. Null for flows without such an
 * algorithm.
 */
function controlUpdatesPerRtt(
  flows: readonly ObservedFlow[],
  { baseRttUs }: { readonly baseRttUs: number },
): number | null {
  const controlled = flows.filter(({ sender }) => sender.flow.kind === 'hpcc');
  const seconds = controlled.reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
  const updates = controlled.reduce((sum, { trace }) => sum + updatesIn(trace), 0);
  return seconds > 0 ? updates / (seconds / (baseRttUs / 1e6)) : null;
}

/** Number of updates, without lines of senders that tell the window of a receiver. */
function updatesIn(trace: Trace): number {
  let updates = 0;
  for (let row = 0; row < trace.length; row++) {
    if (trace.normalizedInflight(row) !== null) updates++;
  }
  return updates;
}

/** Null where all flows are of TCP. */
function timeouts({ flows }: Observation): number | null {
  const own = flows.flatMap(({ timeouts: count }) => count ?? []);
  return own.length === 0 ? null : own.reduce((sum, count) => sum + count, 0);
}

/** Counts of receivers: trimmed data where switches trim, reordered data where packets take several paths at once. */
function pathFigures(
  observation: Observation,
): Pick<Figures, 'trimmedPackets' | 'reorderedPackets'> {
  const { text } = observation.network;
  const hosts = [...observation.agents.values()].map(({ host }) => host);
  const sum = (of: 'trimmedReceived' | 'reorderedPackets'): number =>
    hosts.reduce((all, host) => all + host[of], 0);
  return {
    trimmedPackets: text.trim === undefined ? null : sum('trimmedReceived'),
    reorderedPackets: isSprayed(observation) ? sum('reorderedPackets') : null,
  };
}

/** True if switches, or hosts by entropies, choose among paths for each packet. */
export function isSprayed({ own: { document }, network, flows }: Observation): boolean {
  const isByHost = ({ sender: { flow } }: ObservedFlow): boolean => {
    if (flow.kind !== 'hpcc') return false;
    const words = [...document.options, ...flow.bothOptions, ...flow.options];
    return (optionIn(words, 'balancing') ?? 'ecmp') !== 'ecmp';
  };
  return network.text.spray !== undefined || flows.some(isByHost);
}

/** Bytes that senders count as delivered and receivers do not have, or have otherwise. */
function lostBytes({ flows, agents, network }: Observation): number | null {
  const addresses = new Map(
    network.spec.topology.hosts.map(({ name, ipv4 }) => [name, formatIpv4(ipv4)]),
  );
  const own = flows.filter(({ sender }) => sender.flow.kind === 'hpcc');
  if (own.length === 0) return null;
  return own.reduce((sum, flow) => {
    const { from, to } = flow.sender.flow;
    // Two senders may give their flows the same id.
    const isOwn = (source: string, id: number): boolean =>
      source === addresses.get(from) && id === flow.flowId;
    const received = agents.get(to)?.received;
    const found = received?.find((each) => isOwn(each.source, each.flow));
    const isSame = found !== undefined && found.sha256 === flow.sha256;
    return sum + (isSame ? Math.max(0, flow.bytes - found.bytes) : flow.bytes);
  }, 0);
}

type CoordinationFigures = Pick<Figures, keyof NotificationCounts | 'pathChanges'>;

/**
 * Notifications that senders have taken, and how often flows went another way. Null in networks
 * without coordination; without notifications where switches send none.
 */
export function coordinationFigures({ flows, network }: Observation): CoordinationFigures {
  const counts = flows.flatMap(({ notifications }) => notifications ?? []);
  const sum = (name: keyof NotificationCounts): number | null =>
    counts.length === 0 ? null : counts.reduce((all, each) => all + each[name], 0);
  const changes = flows.reduce((all, { trace }) => all + pathChanges(trace), 0);
  return {
    controlRequired: sum('controlRequired'),
    controlReleased: sum('controlReleased'),
    reroutingRequired: sum('reroutingRequired'),
    pathChanges: network.text.coordination === undefined ? null : changes,
  };
}

/** Number of times that telemetry came from other switches than the telemetry before it. */
export function pathChanges(trace: Trace): number {
  let changes = 0;
  for (let row = 1; row < trace.length; row++) if (!isSamePath(trace, row - 1, row)) changes++;
  return changes;
}

function isSamePath(trace: Trace, row: number, other: number): boolean {
  const [from, otherFrom] = [trace.hopStart(row), trace.hopStart(other)];
  const count = trace.hopEnd(row) - from;
  if (trace.hopEnd(other) - otherFrom !== count) return false;
  for (let i = 0; i < count; i++) {
    if (trace.hopNode(from + i) !== trace.hopNode(otherFrom + i)) return false;
  }
  return true;
}
