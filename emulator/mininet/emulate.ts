import type { Result } from '../record/result';
import { percentileOf } from '../record/statistics';
import { scenarioSchema } from '../scenario/schema';
import type { ScenarioDocument } from '../scenario/schema';
import { attachments } from '../../common/topology/topology';
import { bottleneckOf } from './bottleneck';
import type { Figures } from './figures';
import type { Observation } from './observation';

const NS_PER_US = 1000;
const BITS_PER_BYTE = 8;
const QUEUE_INTERVAL_NS = 1_000_000;
const FLOW_INTERVAL_NS = 20_000_000;
/** Twice as long as the run itself is time enough for flows to end. */
const PATIENCE = 2;

/**
 * The same flows on the same links under the same parameters in virtual time. Where nobody knows
 * what the machine added to the round trip, links get the delay that makes it T.
 */
export function emulatedScenario(observation: Observation): ScenarioDocument {
  const { own, network, flows } = observation;
  const { document } = own;
  const { algorithm } = document;
  const { topology } = network.spec;
  const bottleneck = bottleneckOf(observation);
  const end = Math.max(...flows.map(({ endsAt }) => endsAt));
  const first = Math.min(...flows.map(({ startsAt }) => startsAt));
  return scenarioSchema.parse({
    name: document.experiment,
    title: `${document.title} (emulated)`,
    topology: {
      kind: 'custom',
      switches: topology.switches.map(({ name }) => name),
      hosts: topology.hosts.map(({ name }) => name),
      links: topology.links.map(({ a, b, rate }) => ({
        between: [a.node, b.node],
        rateGbps: rate / 1e9,
        delayNs: linkDelayNs(observation),
      })),
    },
    flows: flows
      .filter(({ bytes }) => bytes > 0)
      .map(({ sender: { flow }, bytes, startsAt }) => ({
        from: flow.from,
        to: flow.to,
        bytes,
        startUs: Math.round((startsAt - first) * 1e6),
      })),
    parameters: {
      eta: algorithm.targetUtilization,
      maxStage: algorithm.maxStage,
      baseRttNs: algorithm.baseRttUs * NS_PER_US,
      segmentBytes: algorithm.mss,
      waiBytes: additiveIncrease(observation),
    },
    record: { queueIntervalNs: QUEUE_INTERVAL_NS, flowIntervalNs: FLOW_INTERVAL_NS },
    giveUpAfterUs: PATIENCE * 1e6 * (end - first) + bottleneck.rateBps / 1e3,
  });
}

/** Delay of one link that makes the longest round trip of the idle network T, or nearly so. */
function linkDelayNs({ own: { document }, network }: Observation): number {
  const { topology } = network.spec;
  const links = Math.max(2, topology.switches.length + 1);
  const slowest = Math.min(...topology.links.map(({ rate }) => rate));
  const serialisationNs = (BITS_PER_BYTE * document.frameBytes * links * 1e9) / slowest;
  const spare = document.algorithm.baseRttUs * NS_PER_US - serialisationNs;
  return Math.max(0, Math.floor(spare / (2 * links)));
}

/** W_ai as the agents have it: the window's room above the target, shared by N flows. */
function additiveIncrease({ own: { document }, network, flows }: Observation): number {
  const { algorithm } = document;
  const ports = attachments(network.spec.topology);
  const sender = flows[0]?.sender.flow.from ?? '';
  const rate = ports.get(sender)?.[0]?.link.rate ?? 0;
  const window = (rate * algorithm.baseRttUs) / 1e6 / BITS_PER_BYTE;
  return (window * (1 - algorithm.targetUtilization)) / algorithm.expectedFlows;
}

/** Figures of an emulated run that a real one has too. */
export function emulatedFigures(result: Result, frameBytes: number): Figures {
  const { bottleneck, queueTimeline, flows, counters } = result;
  const rate = result.links.find(({ name }) => name === bottleneck.link)?.rateGbps ?? 0;
  const busy = queueTimeline.bytes.slice(0, Math.ceil(result.durationUs / queueTimeline.intervalUs));
  const p99 = percentileOf(busy, 0.99);
  const bytes = flows.reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0);
  return {
    utilisation: bottleneck.utilization,
    throughputMbps: (BITS_PER_BYTE * bytes) / result.durationUs,
    queueP99Packets: p99 / frameBytes,
    queueMaxPackets: bottleneck.queuePeakBytes / frameBytes,
    queueDelayP99Ms: rate === 0 ? null : (BITS_PER_BYTE * p99) / (rate * 1e6),
    drainRtts: null,
    drops: Object.values(counters.drops).reduce((sum, count) => sum + count, 0),
    retransmissions: flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0),
    jainSecondHalf: result.jain,
    recoverySeconds: null,
    lostBytes: bytes - flows.reduce((sum, flow) => sum + flow.deliveredBytes, 0),
    miceFctP99Ms: null,
    rateMbps: rate * 1000,
    controlRequired: null,
    controlReleased: null,
    reroutingRequired: null,
    pathChanges: null,
  };
}

/** Queueing delays at the bottleneck, one per sample of an emulated run. */
export function emulatedDelays({ queueTimeline, links }: Result): number[] {
  const rate = links.find(({ name }) => name === queueTimeline.link)?.rateGbps ?? 0;
  return rate === 0 ? [] : queueTimeline.bytes.map((bytes) => (BITS_PER_BYTE * bytes) / (rate * 1e6));
}
