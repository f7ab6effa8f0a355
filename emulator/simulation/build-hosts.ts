import { gigabitsPerSecond } from '../../common/units/units';
import type { Duration } from '../../common/units/units';
import type {
  CongestionControlFactory,
  CongestionEvent,
  TelemetryRejection,
} from '../../host-agent/algorithm/congestion-control';
import type { PlausibilityLimits } from '../../host-agent/algorithm/plausible-telemetry';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { FixedRate } from '../../host-agent/algorithm/fixed-rate';
import { KeyRing } from '../../host-agent/feedback/key-ring';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import { RoceHost } from '../../host-agent/roce/roce-host';
import { HostAgent } from '../../host-agent/transport/host';
import type { Delivery, HostConfig } from '../../host-agent/host/host-config';
import type { PacketPool } from '../../switch/executor/packet-pool';
import type { EventQueue } from '../kernel/event-queue';
import { HostNode } from '../node/host-node';
import type { HostObserver } from '../node/host-node';
import { namesLinks } from '../scenario/carrier-needs';
import { answerKeysOf, carrierOptionsOf, feedbackOf, tuningOf } from './host-settings';
import type { PauseObserver } from '../lossless/pause-observer';
import type { ScenarioDocument } from '../scenario/schema';
import { linkOf } from '../network/plan';
import type { NetworkPlan } from '../network/plan';

export interface HostOptions {
  readonly plan: NetworkPlan;
  readonly queue: EventQueue;
  readonly scenario: ScenarioDocument;
  readonly baseRtt: Duration;
  /** Switches on the longest path of a flow. */
  readonly expectedHops: number;
  readonly observer: HostObserver;
  readonly deliver: (host: string, delivery: Delivery) => void;
  /** How a host coordinates with the switches, and who looks on; absent: it does not. */
  readonly coordination?: (host: string) => Pick<HostConfig, 'coordination' | 'observe'>;
  /** Told of telemetry that a flow refuses, where plausibility is checked. */
  readonly rejected: (reason: TelemetryRejection) => void;
  /** Lets hosts obey pauses, where switches ask for them. */
  readonly pauses?: PauseObserver | undefined;
  /** Signs feedback where the scenario wants it signed. */
  readonly mac: MacFunction;
  /** Whose memory packets use; absent where somebody keeps packets. */
  readonly packets?: PacketPool | undefined;
}

/** The key that all hosts of a network share; it protects nothing but an experiment. */
const KEY_ID = 1;
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);

/** The hosts by name, without links. */
export function buildHosts(options: HostOptions): Map<string, HostNode> {
  const { plan, baseRtt, queue, observer, deliver, mac, packets } = options;
  const { parameters } = options.scenario;
  const congestionControl = congestionControls(options);
  // PERF: it knows the capacity of every link of the network.
  const carrier = carrierOptionsOf(options.scenario, plan);
  const answerKeys = answerKeysOf(options.scenario, plan, mac);
  const nodes = plan.topology.hosts.map(({ name, ipv4, mac: address }) => {
    const config = {
      expectedHops: options.expectedHops,
      address: ipv4,
      mac: address,
      linkRate: linkOf(plan, name).rate,
      baseRtt,
      congestionControl: congestionControl(name),
      signals: algorithmNamed(parameters.algorithm).signals,
      feedback: feedbackOf(options.scenario),
      carrier,
      lossRecovery: parameters.lossRecovery,
      ...(parameters.baseRtt === 'measured' && { measureBaseRtt: {} }),
      ...(parameters.paths > 1 && { pathSelection: { paths: parameters.paths } }),
      ...(parameters.authentication === 'on' && { keyRing: new KeyRing(mac, KEY_ID, KEY) }),
      ...(answerKeys !== undefined && { answerKeys }),
      ...options.coordination?.(name),
      mss: parameters.segmentBytes,
      intHopLimit: parameters.hopLimit,
      trailerBytes: parameters.trailerBytes,
      memory: packets,
      deliver: (delivery: Delivery) => deliver(name, delivery),
      // PERF: an observer costs an object per acknowledgement.
      ...(parameters.plausibility === 'on' && { observe: rejectionsTo(options.rejected) }),
    };
    const agent =
      parameters.transport === 'rocev2'
        ? new RoceHost({ ...config, operation: parameters.operation })
        : new HostAgent(config);
    const obeying = options.pauses?.obeying(name, agent) ?? agent;
    return [name, new HostNode(name, obeying, { queue, observer, packets })] as const;
  });
  return new Map(nodes);
}

function rejectionsTo(tell: HostOptions['rejected']) {
  return (_flow: number, event: CongestionEvent): void => {
    if (event.kind === 'telemetry-rejected') tell(event.reason);
  };
}

/** What steers the flows of each host. */
function congestionControls({
  plan,
  scenario,
}: HostOptions): (host: string) => CongestionControlFactory {
  const { parameters, fixedRateGbps } = scenario;
  const chosen = algorithmNamed(parameters.algorithm).factory({
    ...tuningOf(parameters),
    ...(parameters.plausibility === 'on' && { plausibilityLimits: limitsOf(plan, scenario) }),
  });
  return (host) => {
    const rate = fixedRateGbps[host];
    return rate === undefined ? chosen : () => new FixedRate(gigabitsPerSecond(rate));
  };
}

/** What hosts may know of their network: its fastest link, its deepest queue, its ports. */
function limitsOf(
  { topology, links }: NetworkPlan,
  scenario: ScenarioDocument,
): PlausibilityLimits {
  const { queueCapacityBytes } = scenario.parameters;
  const nodeIds = new Map(topology.switches.map(({ name, nodeId }) => [name, nodeId]));
  const ports = links.flatMap(({ a, b }) => [a, b]);
  const known = new Set(ports.map(({ node, port }) => `${nodeIds.get(node) ?? ''}:${port}`));
  return {
    ...(queueCapacityBytes !== undefined && { queueBytesMax: queueCapacityBytes }),
    ...(hasWeights(scenario) && { capacityVaries: true }),
    capacityMax: links.reduce((most, { rate }) => Math.max(most, rate), 0),
    // Records without a name of their own may be of any link.
    ...(namesLinks(scenario) && {
      isKnownLink: (switchId: number, port: number) => known.has(`${switchId}:${port}`),
    }),
  };
}

const hasWeights = ({ telemetry }: ScenarioDocument): boolean =>
  telemetry.classes?.some(({ weight }) => weight !== undefined) === true;
