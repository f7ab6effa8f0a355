import { jainIndex, distributionOf, percentileOf } from '../../common/statistics/statistics';
import { assert } from '../../common/assert';
import { PS_PER_US } from '../../common/units/units';
import type { Duration, Instant } from '../../common/units/units';
import type { Channel } from '../network/channel';
import { flowRecord } from './flow-record';
import type { Simulation } from './simulation';
import type { FlowOutcome } from './flow-outcome';
import type { LinkOutcome, Outcome, PortOutcome, SwitchOutcome } from './outcome';
import { linkViolations, violationTexts } from '../record/invariants';
import { allSamples } from '../record/queue-samples';
import type { RecordedPort } from '../record/recorder';
import { RESULT_SCHEMA } from '../result/result';
import { reorderingRecord } from '../result/reordering';
import { queuesRecord } from '../result/queues';
import type { SampledQueue } from '../result/queues';
import { trimmingRecord } from '../result/trimming';
import { topologyRecord } from '../result/topology-record';
import { slowdownsBySize } from '../result/slowdowns';
import { hasResponsesAlone } from '../../host-agent/settings/configuration';
import { uncontrolledText } from '../result/uncontrolled';
import type { FlowRecord, FlowSeries, LinkRecord, Result } from '../result/result';
import type { CollectiveRecord, CoordinationRecord } from '../result/coordination-record';
import type { Span } from '../workload/message-schedule';
import { sumUpTrace } from '../workload/tasks/sum-up-trace';
import type { TaskSchedule } from '../workload/tasks/task-schedule';
import { coordinationTitle } from '../scenario/variants';
import { coordinationOf } from '../scenario/data-plane-schema';

const DRAINED_BYTES = 5000;
const FAIRNESS_INTERVAL_US = 50;
/** A longer run has longer ones. */
const FAIRNESS_INTERVALS_MAX = 4096;

/** Facts about a run beside its outcome. */
interface RunFacts {
  readonly generator: Result['generator'];
  /** Time at which the run was interrupted, if it was. */
  readonly interruptedAt: Instant | undefined;
}

/**
 * Summarises the outcome of a run, wherever it was run. Pure: calling it twice gives equal results.
 * @param simulation the run's plan; where it was run elsewhere, nothing else of it is used.
 */
export function summarise(
  simulation: Simulation,
  outcome: Outcome,
  { generator, interruptedAt }: RunFacts,
): Result {
  const { scenario, runner } = simulation;
  const { series } = outcome;
  const bottleneck = bottleneckOf(simulation, outcome);
  const queues = queuesRecord(sampledQueues(simulation, outcome));
  const isAlone = hasResponsesAlone(scenario.parameters);
  const flows = runner.flows.map((flow, i) => flowRecord(flow, outcome.flows[i], isAlone));
  const { fold, flowRows } = simulation;
  const uncontrolled =
    fold === undefined
      ? uncontrolledText(flows, runner.count)
      : fold.uncontrolledText(runner.count);
  const slowdowns = fold === undefined ? slowdownsBySize(flows) : fold.slowdowns;
  const finished = flows.flatMap(({ fctUs }) => (fctUs === null ? [] : [fctUs]));
  const reordering = reorderingRecord(outcome.reordering, outcome.traffic.data.packets);
  const trimming = trimmingRecord(outcome.trimmed, outcome.traffic.data.packets);
  const durationUs = outcome.endedAt / PS_PER_US;
  const all = { flows: runner.count, listed: flows.length, rows: flowRows, durationUs };
  return {
    schema: RESULT_SCHEMA,
    generator,
    scenario: { name: scenario.name, title: scenario.title },
    seed: simulation.seed,
    parameters: parametersOf(simulation),
    topology: topologyRecord(simulation.plan.topology),
    frames: {
      dataAtHostBytes: simulation.frames.data,
      dataAtBottleneckBytes: bottleneck.ledger.largestPacket,
      ackBytes: outcome.ackBytesMax,
      segmentBytes: simulation.frames.payload,
    },
    durationUs,
    ...(interruptedAt !== undefined && { interruptedAtUs: interruptedAt / PS_PER_US }),
    flows,
    ...(fold !== undefined && { flowTotals: fold.totals(all) }),
    fctUs: fold === undefined ? distributionOf(finished) : fold.fctUs,
    ...(slowdowns !== undefined && { slowdowns }),
    bottleneck: bottleneckRecord(bottleneck),
    ...(queues !== undefined && { queues }),
    queueTimeline: {
      link: bottleneck.channel.name,
      startUs: 0,
      intervalUs: outcome.queueInterval / PS_PER_US,
      bytes: bottleneck.samples,
    },
    timelines: outcome.timelines,
    links: linksOf(simulation, outcome),
    traffic: outcome.traffic,
    ...(reordering !== undefined && { reordering }),
    ...(trimming !== undefined && { trimming }),
    series: [...series],
    jain: overallJain(series, runner.count),
    jainTimeline: jainTimeline(series, outcome.flowInterval / PS_PER_US),
    counters: countersOf(simulation, outcome),
    ...coordinationPart(simulation, outcome),
    ...tracePart(simulation),
    ...(simulation.pauses !== undefined && {
      lossless: simulation.pauses.record(simulation.time.now),
    }),
    ...(interruptedAt === undefined && unfinishedFlows(simulation, flows, outcome.endedAt)),
    ...(uncontrolled !== undefined && { uncontrolled }),
    violations: violationsOf(simulation, outcome),
  };
}

/** A run that goes on until its flows have finished is no result where some have not. */
function unfinishedFlows(
  { scenario, fold, runner }: Simulation,
  flows: readonly FlowRecord[],
  endedAt: Instant,
): Pick<Result, 'unfinished'> {
  const open = flows.filter(({ fctUs }) => fctUs === null);
  const { count, first } = fold?.unfinished ?? { count: open.length, first: open[0] };
  if (first === undefined || scenario.untilUs !== undefined) return {};
  const which = `the first is flow ${first.id} from ${first.source} to ${first.destination}`;
  const unfinished =
    `${count} of ${runner.count} flows did not finish (${which}): the run ended at ` +
    `${endedAt / PS_PER_US} us, and gives up at ${scenario.giveUpAfterUs} us (giveUpAfterUs); ` +
    'give untilUs where a run is to end before its flows';
  return { unfinished };
}

/** Coordination of a result; absent where there is none. */
function coordinationPart(
  simulation: Simulation,
  outcome: Outcome,
): Pick<Result, 'collectives' | 'coordination'> {
  const coordination = coordinationRecord(simulation, outcome);
  const collectives = [...collectiveRecords(simulation, outcome), ...streamedRecords(simulation)];
  return {
    ...(collectives.length > 0 && { collectives }),
    ...(coordination !== undefined && { coordination }),
  };
}

/** Traces among the workloads; absent where there are none. */
function tracePart({ runner, traces }: Simulation): Pick<Result, 'traces'> {
  if (traces.length === 0) return {};
  return {
    traces: traces.map(({ name }, i) => sumUpTrace(name, runner.tasks[i] as TaskSchedule)),
  };
}

interface Bottleneck {
  readonly channel: Channel;
  readonly ledger: LinkOutcome['ledger'];
  readonly peak: PortOutcome['peak'];
  readonly samples: number[];
  readonly sampleInterval: Duration;
}

/**
 * The switch port with the longest queue of the run; among equals, the one that sent most. Less than
 * a packet waiting is no queue: it only says that two packets met once. Where hosts are joined directly, the
 * link that sent most.
 */
function bottleneckOf({ ports, network }: Simulation, outcome: Outcome): Bottleneck {
  if (ports.length === 0) return busiestLink(network, outcome);
  const ledgers = portLedgers({ ports, network }, outcome);
  const onePacket = ledgers.reduce((most, one) => Math.max(most, one.largestPacket), 0);
  const peaks = outcome.ports.map(({ peak }) => (peak.bytes < onePacket ? 0 : peak.bytes));
  const peak = (i: number): number => peaks[i] as number;
  const sent = (i: number): number => (ledgers[i] as LinkOutcome['ledger']).sentBytes;
  let best = 0;
  for (let i = 1; i < ports.length; i++) {
    if (peak(i) > peak(best) || (peak(i) === peak(best) && sent(i) > sent(best))) best = i;
  }
  const [port, ledger, found] = [ports[best], ledgers[best], outcome.ports[best]];
  assert(port !== undefined && ledger !== undefined && found !== undefined, 'there is a port');
  const sampleInterval = outcome.queueInterval;
  const count = Math.min(outcome.samples, Math.floor(outcome.endedAt / sampleInterval) + 1);
  const samples = allSamples(found.samples, count);
  return { channel: channelOf(port), ledger, peak: found.peak, samples, sampleInterval };
}

/** No queue stands at a host, which sends only what its link can take. */
function busiestLink({ channels }: Simulation['network'], outcome: Outcome): Bottleneck {
  const sent = outcome.links.map(({ ledger }) => ledger.sentBytes);
  const most = sent.reduce((best, bytes, i) => (bytes > (sent[best] ?? 0) ? i : best), 0);
  const [channel, link] = [channels[most], outcome.links[most]];
  assert(channel !== undefined && link !== undefined, 'a network has a link');
  const peak = { bytes: 0, at: 0 };
  const sampleInterval = outcome.queueInterval;
  const samples = new Array<number>(Math.floor(outcome.endedAt / sampleInterval) + 1).fill(0);
  return { channel, ledger: link.ledger, peak, samples, sampleInterval };
}

function channelOf({ node, port }: RecordedPort): Channel {
  const channel = node.channel(port);
  assert(channel !== undefined, `port ${port} of ${node.name} has a link`);
  return channel;
}

function bottleneckRecord({
  channel,
  ledger,
  peak,
  samples,
  sampleInterval,
}: Bottleneck): Result['bottleneck'] {
  const { rate } = channel;
  const lasted = ledger.lastEnd - ledger.firstStart;
  const isLow = (bytes: number): boolean => bytes <= DRAINED_BYTES;
  const fromPeak = Math.ceil(peak.at / sampleInterval);
  const drained = samples.findIndex((bytes, i) => i >= fromPeak && isLow(bytes));
  const settled = Math.max(fromPeak, samples.findLastIndex((bytes) => !isLow(bytes)) + 1);
  const timeOf = (sample: number): number | null =>
    sample >= 0 && sample < samples.length ? (sample * sampleInterval) / PS_PER_US : null;
  return {
    link: channel.name,
    queuePeakBytes: peak.bytes,
    queuePeakAtUs: peak.at / PS_PER_US,
    drainedAtUs: timeOf(drained),
    settledAtUs: timeOf(settled),
    queueP99Bytes: percentileOf(samples.slice(0, sampleCount(ledger, sampleInterval)), 0.99),
    utilization: lasted > 0 ? (ledger.sentBytes * 8e12) / lasted / rate : 0,
  };
}

/** Ledger of the link behind each switch port. */
function portLedgers(
  { ports, network }: Pick<Simulation, 'ports' | 'network'>,
  outcome: Outcome,
): LinkOutcome['ledger'][] {
  const links = new Map(network.channels.map((channel, i) => [channel, i]));
  return ports.map((port) => {
    const link = links.get(channelOf(port)) ?? -1;
    return (outcome.links[link] as LinkOutcome).ledger;
  });
}

/** The queue of each switch port up to its last transmission. */
function sampledQueues(simulation: Simulation, outcome: Outcome): SampledQueue[] {
  const { queueInterval, ports } = outcome;
  return portLedgers(simulation, outcome).map((ledger, i) => ({
    pairs: (ports[i] as PortOutcome).samples,
    count: sampleCount(ledger, queueInterval),
  }));
}

/** Samples until the link had sent everything. */
function sampleCount({ lastEnd }: LinkOutcome['ledger'], interval: Duration): number {
  return Math.max(1, Math.floor(lastEnd / interval) + 1);
}

function parametersOf({ scenario, baseRtt, hostFrames }: Simulation): Result['parameters'] {
  const { waiBytes, queueCapacityBytes, baseRttUs: _, constants, ...rest } = scenario.parameters;
  return {
    ...rest,
    carrier: hostFrames.carrier.name,
    ...constants,
    baseRttNs: baseRtt / 1000,
    waiBytes: waiBytes ?? null,
    queueCapacityBytes: queueCapacityBytes ?? null,
  };
}

function linksOf({ network, ports }: Simulation, outcome: Outcome): LinkRecord[] {
  const peaks = new Map(ports.map((port, i) => [port.link, outcome.ports[i]?.peak.bytes]));
  return network.channels.map(({ name, rate }, i) => {
    const { ledger } = outcome.links[i] as LinkOutcome;
    return {
      name,
      rateGbps: rate / 1e9,
      packets: ledger.sentPackets,
      bytes: ledger.sentBytes,
      lostPackets: ledger.lostPackets,
      queuePeakBytes: peaks.get(name) ?? 0,
    };
  });
}

/** Over the time from the last start to the first completion, if it is at least one sample long. */
function overallJain(series: readonly FlowSeries[], flows: number): number | null {
  if (series.length < 2 || series.length < flows) return null;
  const from = Math.max(...series.map((one) => one.timeUs[0] ?? Infinity));
  const to = Math.min(...series.map((one) => one.timeUs.at(-1) ?? -Infinity));
  return from < to ? jainIndex(series.map((one) => deliveredBetween(one, from, to))) : null;
}

/** Over consecutive intervals, among the flows that were active during the whole of each. */
function jainTimeline(series: readonly FlowSeries[], sampleUs: number): Result['jainTimeline'] {
  const end = Math.max(0, ...series.map((one) => one.timeUs.at(-1) ?? 0));
  const step = Math.max(FAIRNESS_INTERVAL_US, sampleUs, end / FAIRNESS_INTERVALS_MAX);
  const timeline: Result['jainTimeline'] = [];
  for (let from = 0; from + step <= end; from += step) {
    const to = from + step;
    const active = series.filter(
      ({ timeUs }) => (timeUs[0] ?? Infinity) <= from && (timeUs.at(-1) ?? 0) >= to,
    );
    if (active.length < 2) continue;
    const shares = active.map((one) => deliveredBetween(one, from, to));
    timeline.push({ startUs: from, endUs: to, jain: jainIndex(shares) });
  }
  return timeline;
}

/** Index of the last of ascending values that is at most `most`, or -1. */
function lastAtMost(ascending: readonly number[], most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Bytes delivered between two instants, at the resolution of the samples. */
function deliveredBetween(series: FlowSeries, fromUs: number, toUs: number): number {
  const at = (time: number): number => {
    const index = lastAtMost(series.timeUs, time);
    return index < 0 ? 0 : (series.deliveredBytes[index] ?? 0);
  };
  return at(toUs) - at(fromUs);
}

function countersOf({ network }: Simulation, outcome: Outcome): Result['counters'] {
  const { events, links, hostRejections, telemetryRejections, telemetryRecords } = outcome;
  const names = [...network.switches.keys()];
  const bySwitch = (kind: keyof SwitchOutcome): Record<string, number> =>
    Object.fromEntries(
      outcome.switches.flatMap((counters, i) =>
        Object.entries(counters[kind]).map(([what, count]) => [`${names[i]}: ${what}`, count]),
      ),
    );
  return {
    packetHops: links.reduce((sum, { ledger }) => sum + ledger.sentPackets, 0),
    events: events.reduce((sum, count) => sum + count, 0),
    telemetryRecords,
    drops: bySwitch('drops'),
    hostRejections: sorted(hostRejections),
    telemetryRejections: sorted(telemetryRejections),
    lies: links.reduce((sum, { forgeries }) => sum + forgeries, 0),
    programs: bySwitch('programs'),
  };
}

/** Counts in order of their names, since the order of first occurrence depends on the observer. */
function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function violationsOf({ network, runner, fold }: Simulation, outcome: Outcome): string[] {
  const links = outcome.links.map((link, i) => ({
    ...link,
    name: network.channels[i]?.name ?? '',
  }));
  const flows =
    fold?.faults ??
    runner.flows.flatMap(({ number, bytes }, i) => {
      const { completedAt, deliveredBytes } = outcome.flows[i] as FlowOutcome;
      if (completedAt === undefined || deliveredBytes === bytes) return [];
      return [`flow ${number} is complete with ${deliveredBytes} of ${bytes} bytes delivered`];
    });
  const late = [...linkViolations(links), ...flows].map((text) => ({ at: Infinity, text }));
  return violationTexts([...outcome.reports, ...late], outcome.omitted);
}

/** Record of coordination in the run; undefined if its switches do not coordinate. */
function coordinationRecord(
  { scenario, coordination }: Simulation,
  { coordination: counts }: Outcome,
): CoordinationRecord | undefined {
  const section = coordinationOf(scenario);
  const recorder = coordination?.recorder;
  if (section === undefined || recorder === undefined || counts === undefined) return undefined;
  return recorder.summary(coordinationTitle(section.mode, section.balancing), counts);
}

/** When each workload began and when its last message had arrived. */
function collectiveRecords(
  { collectives, runner }: Simulation,
  outcome: Outcome,
): CollectiveRecord[] {
  return collectives.map(({ name, kind, connections }) => {
    const spans = connections.flatMap((connection) => outcome.flows[connection]?.span ?? []);
    const bytes = connections.reduce((sum, i) => sum + (runner.flows[i]?.bytes ?? 0), 0);
    const from = spans.reduce((first, span) => Math.min(first, span.from ?? Infinity), Infinity);
    const to = spans.reduce<Instant | undefined>(
      (last, span) =>
        last === undefined || span.to === undefined ? undefined : Math.max(last, span.to),
      0,
    );
    const span = { from: from === Infinity ? undefined : from, to };
    return { name, kind, connections: connections.length, bytes, ...spanFigures(span) };
  });
}

/** The same of the workloads of a stream, whose flows nobody holds. */
const streamedRecords = ({ stream, runner }: Simulation): CollectiveRecord[] =>
  (stream?.workloads ?? []).map((workload, i) => ({
    ...workload,
    ...spanFigures(runner.workloadSpan(i)),
  }));

const spanFigures = ({
  from = 0,
  to,
}: Span): Pick<CollectiveRecord, 'startUs' | 'completionUs'> => ({
  startUs: from / PS_PER_US,
  completionUs: to === undefined ? null : (to - from) / PS_PER_US,
});
