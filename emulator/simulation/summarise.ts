import { jainIndex, distributionOf, percentileOf } from '../../common/statistics/statistics';
import { assert } from '../../common/assert';
import { PS_PER_US, nanoseconds } from '../../common/units/units';
import type { Duration, Instant } from '../../common/units/units';
import { collectiveRecords, coordinationRecord } from './summarise-coordination';
import type { Channel } from '../network/channel';
import type { RunningFlow } from './flow-runner';
import type { Simulation } from './simulation';
import type { SwitchNode } from '../node/switch-node';
import type { RecordedPort } from '../record/recorder';
import { RESULT_SCHEMA } from '../result/result';
import { slowdownsBySize } from '../result/slowdowns';
import type { FlowRecord, FlowSeries, LinkRecord, Result } from '../result/result';

const DRAINED_BYTES = 5000;
const FAIRNESS_INTERVAL_US = 50;

/** Condenses a finished run. Pure: calling it twice gives equal results. */
export function summarise(simulation: Simulation, generator: Result['generator']): Result {
  const { scenario, runner, queue, recorder } = simulation;
  const bottleneck = bottleneckOf(simulation);
  const flows = runner.flows.map(flowRecord);
  const slowdowns = slowdownsBySize(flows);
  const finished = flows.flatMap(({ fctUs }) => (fctUs === null ? [] : [fctUs]));
  return {
    schema: RESULT_SCHEMA,
    generator,
    scenario: { name: scenario.name, title: scenario.title },
    seed: simulation.seed,
    parameters: parametersOf(simulation),
    topology: topologyOf(simulation),
    frames: {
      dataAtHostBytes: simulation.frames.data,
      dataAtBottleneckBytes: bottleneck.channel.ledger.largestPacket,
      ackBytes: simulation.traffic.ackBytesMax,
      segmentBytes: simulation.frames.payload,
    },
    durationUs: queue.now / PS_PER_US,
    flows,
    fctUs: distributionOf(finished),
    ...(slowdowns !== undefined && { slowdowns }),
    bottleneck: bottleneckRecord(bottleneck),
    queueTimeline: {
      link: bottleneck.channel.name,
      startUs: 0,
      intervalUs: scenario.record.queueIntervalNs / 1000,
      bytes: bottleneck.samples,
    },
    timelines: simulation.timelines.timelines(),
    links: linksOf(simulation),
    traffic: simulation.traffic.traffic,
    series: [...recorder.series],
    jain: overallJain(recorder.series, runner.flows),
    jainTimeline: jainTimeline(recorder.series, scenario.record.flowIntervalNs / 1000),
    counters: countersOf(simulation),
    ...coordinationPart(simulation),
    violations: violationsOf(simulation),
  };
}

/** Absent where there is nothing to tell. */
function coordinationPart(simulation: Simulation): Pick<Result, 'collectives' | 'coordination'> {
  const coordination = coordinationRecord(simulation);
  return {
    ...(simulation.collectives.length > 0 && { collectives: collectiveRecords(simulation) }),
    ...(coordination !== undefined && { coordination }),
  };
}

interface Bottleneck {
  readonly port: RecordedPort;
  readonly channel: Channel;
  readonly samples: number[];
  readonly sampleInterval: Duration;
}

/**
 * The switch port with the longest queue of the run; among equals, the one that sent most. Less than
 * a packet waiting is no queue: it only says that two packets met once.
 */
function bottleneckOf({ ports, recorder, scenario }: Simulation): Bottleneck {
  const ledgers = ports.map((port) => channelOf(port).ledger);
  const onePacket = ledgers.reduce((most, one) => Math.max(most, one.largestPacket), 0);
  const peaks = ports.map(peakOf).map(({ bytes }) => (bytes < onePacket ? 0 : bytes));
  const peak = (i: number): number => peaks[i] as number;
  const sent = (i: number): number => (ledgers[i] as Channel['ledger']).sentBytes;
  let best = 0;
  for (let i = 1; i < ports.length; i++) {
    if (peak(i) > peak(best) || (peak(i) === peak(best) && sent(i) > sent(best))) best = i;
  }
  const port = ports[best];
  assert(port !== undefined, 'a network has switch ports');
  const sampleInterval = nanoseconds(scenario.record.queueIntervalNs);
  const samples = recorder.queueSamples(best);
  return { port, channel: channelOf(port), samples, sampleInterval };
}

function channelOf({ node, port }: RecordedPort): Channel {
  const channel = node.channel(port);
  assert(channel !== undefined, `port ${port} of ${node.name} has a link`);
  return channel;
}

const peakOf = ({ node, port }: RecordedPort): { bytes: number; at: Instant } =>
  node.device.queuePeak(port);

function bottleneckRecord({
  port,
  channel,
  samples,
  sampleInterval,
}: Bottleneck): Result['bottleneck'] {
  const peak = peakOf(port);
  const { ledger, rate } = channel;
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

/** Samples until the link had sent everything. */
function sampleCount({ lastEnd }: Channel['ledger'], interval: Duration): number {
  return Math.max(1, Math.floor(lastEnd / interval) + 1);
}

function flowRecord(flow: RunningFlow): FlowRecord {
  const { number, source, destination, bytes, startsAt, completedAt, idealTime } = flow;
  const fct = completedAt === undefined ? null : completedAt - startsAt;
  return {
    id: number,
    source,
    destination,
    bytes,
    startUs: startsAt / PS_PER_US,
    fctUs: fct === null ? null : fct / PS_PER_US,
    idealFctUs: idealTime / PS_PER_US,
    slowdown: fct === null ? null : fct / idealTime,
    deliveredBytes: flow.deliveredBytes,
    retransmittedSegments: flow.retransmittedSegments,
  };
}

function parametersOf({ scenario, baseRtt }: Simulation): Result['parameters'] {
  const { waiBytes, queueCapacityBytes, constants, ...rest } = scenario.parameters;
  return {
    ...rest,
    ...constants,
    baseRttNs: baseRtt / 1000,
    waiBytes: waiBytes ?? null,
    queueCapacityBytes: queueCapacityBytes ?? null,
  };
}

function topologyOf({ plan }: Simulation): Result['topology'] {
  const { switches, hosts } = plan.topology;
  return {
    nodes: [
      ...switches.map(({ name }) => ({ name, kind: 'switch' as const })),
      ...hosts.map(({ name }) => ({ name, kind: 'host' as const })),
    ],
    links: plan.links.map(({ a, b, rate, delay }) => ({
      a: a.node,
      b: b.node,
      rateGbps: rate / 1e9,
      delayUs: delay / PS_PER_US,
    })),
  };
}

function linksOf({ network, ports }: Simulation): LinkRecord[] {
  const peaks = new Map(ports.map((port) => [port.link, peakOf(port).bytes]));
  return network.channels.map(({ name, rate, ledger }) => ({
    name,
    rateGbps: rate / 1e9,
    packets: ledger.sentPackets,
    bytes: ledger.sentBytes,
    lostPackets: ledger.lostPackets,
    queuePeakBytes: peaks.get(name) ?? 0,
  }));
}

/** Over the time from the last start to the first completion, if it is at least one sample long. */
function overallJain(series: readonly FlowSeries[], flows: readonly RunningFlow[]): number | null {
  if (series.length < 2 || series.length < flows.length) return null;
  const from = Math.max(...series.map((one) => one.timeUs[0] ?? Infinity));
  const to = Math.min(...series.map((one) => one.timeUs.at(-1) ?? -Infinity));
  return from < to ? jainIndex(series.map((one) => deliveredBetween(one, from, to))) : null;
}

/** Over consecutive intervals, among the flows that were active during the whole of each. */
function jainTimeline(series: readonly FlowSeries[], sampleUs: number): Result['jainTimeline'] {
  const end = Math.max(0, ...series.map((one) => one.timeUs.at(-1) ?? 0));
  const step = Math.max(FAIRNESS_INTERVAL_US, sampleUs);
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

/** Bytes delivered between two instants, at the resolution of the samples. */
function deliveredBetween(series: FlowSeries, fromUs: number, toUs: number): number {
  const at = (time: number): number => {
    const index = series.timeUs.findLastIndex((sample) => sample <= time);
    return index < 0 ? 0 : (series.deliveredBytes[index] ?? 0);
  };
  return at(toUs) - at(fromUs);
}

function countersOf({
  network,
  queue,
  runner,
  checker,
  telemetryRejections,
}: Simulation): Result['counters'] {
  const drops: Record<string, number> = {};
  for (const [name, node] of network.switches) {
    for (const [reason, count] of Object.entries(node.device.counters().drops)) {
      if (count > 0) drops[`${name}: ${reason}`] = count;
    }
  }
  const packetHops = network.channels.reduce((sum, { ledger }) => sum + ledger.sentPackets, 0);
  return {
    packetHops,
    events: queue.scheduled,
    telemetryRecords: checker.telemetryRecords,
    drops,
    hostRejections: { ...runner.rejections },
    telemetryRejections: { ...telemetryRejections },
    lies: network.channels.reduce((sum, { liar }) => sum + (liar?.lies ?? 0), 0),
    programs: Object.fromEntries([...network.switches].flatMap(programCounters)),
  };
}

/** Counters per port or per flow would fill pages. */
const CELLS_MAX = 16;

function programCounters([name, { device }]: [string, SwitchNode]): [string, number][] {
  const counters = [...(device.pipeline?.counters.values() ?? [])];
  return counters
    .filter(({ size }) => size <= CELLS_MAX)
    .flatMap((counter) =>
      Array.from({ length: counter.size }, (_, i): [string, number] => [
        `${name}: ${counter.name}[${i}]`,
        counter.read(i)?.packets ?? 0,
      ]),
    )
    .filter(([, packets]) => packets > 0);
}

function violationsOf({ checker, network, runner, queue }: Simulation): string[] {
  checker.checkChannels(network.channels, queue);
  for (const flow of runner.flows) {
    if (flow.completedAt !== undefined && flow.deliveredBytes !== flow.bytes) {
      const delivered = `${flow.deliveredBytes} of ${flow.bytes} bytes delivered`;
      checker.report(`flow ${flow.number} is complete with ${delivered}`);
    }
  }
  return checker.violations;
}
