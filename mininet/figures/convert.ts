import { distributionOf, jainIndex, percentileOf } from '../../common/statistics/statistics';
import { LiveLinks } from '../../emulator/view/live/live-links';
import { topologyRecord } from '../../emulator/result/topology-record';
import { RESULT_SCHEMA } from '../../emulator/result/result';
import { tuningOf } from '../experiment/tuning';
import { uncontrolledText } from '../../emulator/result/uncontrolled';
import { isUncontrolled } from '../../host-agent/traffic/traffic-report';
import { ONLY_CASE } from '../experiment/load-experiment';
import { bottleneckOf, outgoing, queueSamples } from '../observation/bottleneck';
import { dropsOf } from '../observation/drops';
import { busyTime, bytesBetween, isMeasured } from '../observation/observation';
import { toldPaths } from '../observation/told-paths';
import { flowSeries } from '../observation/series';
import { countedAt } from '../observation/watch';
import { SHORT_QUEUE_PACKETS } from './figures';
import type { FlowRecord, LinkRecord, Result } from '../../emulator/result/result';
import type { Bottleneck, QueueSample } from '../observation/bottleneck';
import type { Machine } from '../observation/machine';
import type { Observation, ObservedFlow } from '../observation/observation';
import type { BarVerdict } from './bars';
import type { Figures } from './figures';
import type { MininetResult } from './mininet-result';

const US_PER_SECOND = 1e6;
const QUEUE_INTERVAL_US = 10_000;
const JAIN_INTERVAL_SECONDS = 1;

/** Conclusions from an observation, and facts about the programs that ran. */
export interface Conclusions {
  readonly generator: Result['generator'];
  readonly machine: Machine;
  readonly figures: Figures;
  readonly bars: readonly BarVerdict[];
}

/** Puts a run into the words of the emulator's results. Times count from readiness. */
export function convertRun(observation: Observation, own: Conclusions): MininetResult {
  const { document, name, values } = observation.own;
  const bottleneck = bottleneckOf(observation);
  const queue = queueSamples(observation, bottleneck);
  const flows = observation.flows.map((flow) => flowRecord(flow, bottleneck, observation));
  const free = observation.flows.map(({ uncontrolledSeconds, startsAt, endsAt }) =>
    isUncontrolled({ uncontrolledSeconds, seconds: endsAt - startsAt }),
  );
  const uncontrolled = uncontrolledText(
    flows.filter((_, i) => free[i]),
    flows.length,
  );
  const links = linkRecords(observation);
  const timelines = timelinesOf(observation, links);
  const paths = toldPaths(observation);
  return {
    schema: RESULT_SCHEMA,
    generator: own.generator,
    scenario: {
      name: document.experiment,
      title: name === ONLY_CASE ? document.title : `${document.title}: ${name}`,
    },
    seed: 0,
    parameters: { ...values, ...algorithmParameters(observation) },
    topology: topologyRecord(observation.network.spec.topology),
    frames: frameLengths(observation),
    durationUs: Math.max(0, busyTime(observation).to) * US_PER_SECOND,
    flows,
    fctUs: distributionOf(flows.flatMap(({ fctUs }) => (fctUs === null ? [] : [fctUs]))),
    bottleneck: bottleneckRecord(queue, bottleneck, { observation, figures: own.figures }),
    queueTimeline: timeline(queue, bottleneck.name, observation),
    ...(timelines && { timelines }),
    links,
    traffic: trafficOf(observation),
    series: observation.flows.map(flowSeries),
    jain: overallJain(observation),
    jainTimeline: jainTimeline(observation),
    counters: countersOf(observation),
    ...(uncontrolled !== undefined && { uncontrolled }),
    violations: [],
    machine: own.machine,
    ...(paths && { toldPaths: paths }),
    figures: own.figures,
    bars: [...own.bars],
  };
}

function algorithmParameters({ own: { document } }: Observation): Result['parameters'] {
  const { algorithm, frameBytes } = document;
  return {
    ...tuningOf(algorithm, document.options),
    mss: algorithm.mss,
    baseRttNs: algorithm.baseRttUs * 1000,
    frameBytes,
  };
}

function flowRecord(
  flow: ObservedFlow,
  { rateBps }: Bottleneck,
  { own: { document } }: Observation,
): FlowRecord {
  const { algorithm, frameBytes } = document;
  const seconds = flow.endsAt - flow.startsAt;
  const wireBytes = (flow.bytes * frameBytes) / algorithm.mss;
  const idealFctUs = algorithm.baseRttUs + (8 * wireBytes * US_PER_SECOND) / rateBps;
  const fctUs = flow.isComplete ? seconds * US_PER_SECOND : null;
  return {
    id: flow.number,
    source: flow.sender.flow.from,
    destination: flow.sender.flow.to,
    bytes: flow.bytes,
    startUs: Math.round(flow.startsAt * US_PER_SECOND),
    fctUs,
    idealFctUs,
    slowdown: fctUs === null ? null : fctUs / idealFctUs,
    deliveredBytes: flow.bytes,
    retransmittedSegments: flow.retransmissions,
    ...(flow.uncontrolledSeconds > 0 && {
      uncontrolledUs: flow.uncontrolledSeconds * US_PER_SECOND,
    }),
    ...(flow.switchResponses !== undefined && { switchResponses: flow.switchResponses }),
  };
}

function bottleneckRecord(
  samples: readonly QueueSample[],
  { name }: Bottleneck,
  { observation, figures }: { readonly observation: Observation; readonly figures: Figures },
): Result['bottleneck'] {
  const limit = SHORT_QUEUE_PACKETS * observation.own.document.frameBytes;
  let peak: QueueSample = samples[0] ?? [0, 0];
  for (const sample of samples) if (sample[1] > peak[1]) peak = sample;
  const from = samples.indexOf(peak);
  const drained = samples.find(([, bytes], i) => i >= from && bytes <= limit);
  const settled = samples[samples.findLastIndex(([, bytes]) => bytes > limit) + 1];
  const us = (sample: QueueSample | undefined): number | null =>
    sample === undefined ? null : sample[0] * US_PER_SECOND;
  return {
    link: name,
    queuePeakBytes: peak[1],
    queuePeakAtUs: peak[0] * US_PER_SECOND,
    queueP99Bytes: percentileOf(
      samples.map(([, bytes]) => bytes),
      0.99,
    ),
    drainedAtUs: us(drained),
    settledAtUs: us(settled),
    utilization: figures.utilisation ?? 0,
  };
}

/** The longest queue of each interval; 0 where none was reported. */
function timeline(
  samples: readonly QueueSample[],
  link: string,
  observation: Observation,
): Result['queueTimeline'] {
  const { to } = busyTime(observation);
  const count = Math.max(1, Math.ceil((to * US_PER_SECOND) / QUEUE_INTERVAL_US));
  const bytes = Array.from({ length: Number.isFinite(count) ? count : 1 }, () => 0);
  for (const [seconds, length] of samples) {
    const at = Math.floor((seconds * US_PER_SECOND) / QUEUE_INTERVAL_US);
    if (at >= 0 && at < bytes.length) bytes[at] = Math.max(bytes[at] ?? 0, length);
  }
  return { link, startUs: 0, intervalUs: QUEUE_INTERVAL_US, bytes };
}

/** Load and queue of every link over the run; undefined where the kernel was sampled too rarely. */
function timelinesOf(observation: Observation, links: readonly LinkRecord[]): Result['timelines'] {
  const { ports, network } = observation;
  const [first] = ports;
  const until = ports.findIndex(({ seconds }) => seconds >= busyTime(observation).to);
  const samples = until < 0 ? ports : ports.slice(0, until + 1);
  if (first === undefined || samples.length < 3) return undefined;
  const places = Object.keys(ports.at(-1)?.ports ?? {}).map((port) => {
    const at = port.lastIndexOf(':');
    const { links: all } = network.spec.topology;
    return outgoing(all, port.slice(0, at), Number(port.slice(at + 1)));
  });
  const nameOf = new Map(places.map(({ port, name }) => [port, name]));
  const waited = places.map((place) => new LinkWaits(place.name, queueSamples(observation, place)));
  const watched = new LiveLinks(links.map(({ name }) => name));
  for (const sample of samples) {
    for (const link of waited) link.tell(watched, sample.seconds);
    const counted = countedAt(sample, first, (port) => nameOf.get(port));
    watched.counted(sample.seconds * US_PER_SECOND, counted);
  }
  return watched.timelines();
}

/** Lengths of one link's queue, to be told in parts; in columns, since all links have theirs at once. */
class LinkWaits {
  readonly #times: Float64Array;
  readonly #bytes: Float64Array;
  #told = 0;

  constructor(
    private readonly link: string,
    samples: readonly QueueSample[],
  ) {
    this.#times = Float64Array.from(samples, ([seconds]) => seconds);
    this.#bytes = Float64Array.from(samples, ([, bytes]) => bytes);
  }

  /** Tells those up to an instant; seconds. */
  tell(watched: LiveLinks, until: number): void {
    for (; (this.#times[this.#told] ?? Infinity) <= until; this.#told++) {
      const us = (this.#times[this.#told] ?? 0) * US_PER_SECOND;
      watched.waited(us, this.link, this.#bytes[this.#told] ?? 0);
    }
  }
}

/** Directions of links that leave a switch, as the kernel has counted them. */
function linkRecords(observation: Observation): LinkRecord[] {
  const { links } = observation.network.spec.topology;
  const first = observation.ports[0]?.ports ?? {};
  return Object.entries(observation.ports.at(-1)?.ports ?? {}).map(([port, counters]) => {
    const at = port.lastIndexOf(':');
    const place = outgoing(links, port.slice(0, at), Number(port.slice(at + 1)));
    const peak = queueSamples(observation, place).reduce((most, [, b]) => Math.max(most, b), 0);
    return {
      name: place.name,
      rateGbps: place.rateBps / 1e9,
      packets: counters.txPackets - (first[port]?.txPackets ?? 0),
      bytes: counters.txBytes - (first[port]?.txBytes ?? 0),
      lostPackets: counters.txDropped - (first[port]?.txDropped ?? 0),
      queuePeakBytes: peak,
    };
  });
}

/**
 * Traffic of flows under HPCC++, in full frames; acknowledgements as receivers have counted them.
 */
function trafficOf(observation: Observation): Result['traffic'] {
  const { dataAtHostBytes, ackBytes } = frameLengths(observation);
  const packets = observation.flows.reduce((sum, { dataSent }) => sum + dataSent, 0);
  const acks = [...observation.agents.values()].reduce((sum, { host }) => sum + host.acksSent, 0);
  const none = { packets: 0, bytes: 0 };
  return {
    data: { packets, bytes: packets * dataAtHostBytes },
    probes: none,
    acks: { packets: acks, bytes: acks * ackBytes },
    feedback: none,
  };
}

function overallJain({ flows }: Observation): number | null {
  const measured = flows.filter(isMeasured);
  const from = Math.max(...measured.map(({ startsAt }) => startsAt));
  const to = Math.min(...measured.map(({ endsAt }) => endsAt));
  if (measured.length < 2 || !(to > from)) return null;
  return jainIndex(measured.map((flow) => bytesBetween(flow, from, to)));
}

function jainTimeline(observation: Observation): Result['jainTimeline'] {
  const { from: start, to: end } = busyTime(observation);
  const parts: Result['jainTimeline'] = [];
  for (let from = start; from + JAIN_INTERVAL_SECONDS <= end; from += JAIN_INTERVAL_SECONDS) {
    const to = from + JAIN_INTERVAL_SECONDS;
    const active = observation.flows.filter(
      (flow) => isMeasured(flow) && flow.startsAt <= from && flow.endsAt >= to,
    );
    if (active.length < 2) continue;
    const jain = jainIndex(active.map((flow) => bytesBetween(flow, from, to)));
    parts.push({ startUs: from * US_PER_SECOND, endUs: to * US_PER_SECOND, jain });
  }
  return parts;
}

function countersOf(observation: Observation): Result['counters'] {
  const packetHops = linkRecords(observation).reduce((sum, { packets }) => sum + packets, 0);
  const telemetryRecords = observation.flows.reduce((sum, { trace }) => sum + trace.hopCount, 0);
  const { byCause: drops } = dropsOf(observation);
  return {
    packetHops,
    events: 0,
    telemetryRecords,
    drops,
    hostRejections: {},
    telemetryRejections: {},
    programs: {},
  };
}

/** Ethernet, IPv4, UDP, INT shim, INT-MD header and our transport header. */
const DATA_HEADERS = 74;

/** Lengths on the wire: full data frames, and what acknowledgements were on average. */
export function frameLengths(observation: Observation): Result['frames'] {
  const { algorithm, frameBytes } = observation.own.document;
  return {
    dataAtHostBytes: DATA_HEADERS + algorithm.mss,
    dataAtBottleneckBytes: frameBytes,
    ackBytes: averageAckBytes(observation),
    segmentBytes: algorithm.mss,
  };
}

/** Mean length of frames from hosts that only receive. */
function averageAckBytes({ network, agents, ports, flows }: Observation): number {
  const senders = new Set(flows.map(({ sender: { flow } }) => flow.from));
  const last = ports.at(-1)?.ports ?? {};
  const first = ports[0]?.ports ?? {};
  let [bytes, packets] = [0, 0];
  for (const { a, b } of network.spec.topology.links) {
    const [host, port] = agents.has(a.node) ? [a, b] : [b, a];
    if (!agents.has(host.node) || senders.has(host.node)) continue;
    const name = `${port.node}:${port.port}`;
    bytes += (last[name]?.rxBytes ?? 0) - (first[name]?.rxBytes ?? 0);
    packets += (last[name]?.rxPackets ?? 0) - (first[name]?.rxPackets ?? 0);
  }
  return packets === 0 ? 0 : Math.round(bytes / packets);
}
