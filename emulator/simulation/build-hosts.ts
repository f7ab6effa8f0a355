import { bothWays } from '../../common/topology/topology';
import type { Packet } from '../../common/packet/packet';
import { InputError } from '../../common/errors';
import { UsidPaths } from '../../controller/intent/routing/usid-paths';
import { gigabitsPerSecond } from '../../common/units/units';
import type { Duration } from '../../common/units/units';
import type {
  CongestionControlFactory,
  CongestionEvent,
} from '../../host-agent/algorithm/congestion-control';
import type { PlausibilityLimits } from '../../host-agent/algorithm/plausible-telemetry';
import { FixedRate } from '../../host-agent/algorithm/fixed-rate';
import type { CoordinationEvent } from '../../host-agent/coordination/coordination-options';
import { KeyRing } from '../../host-agent/feedback/key-ring';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import { RoceHost } from '../../host-agent/roce/roce-host';
import {
  algorithmOf,
  configurationOf,
  measuresBaseRtt,
} from '../../host-agent/settings/configuration';
import type { Agent } from '../../host-agent/host/agent';
import { HostAgent } from '../../host-agent/transport/host';
import type { Delivery } from '../../host-agent/host/host-config';
import type { PacketPool } from '../../switch/executor/packet-pool';
import type { VirtualTime } from '../kernel/virtual-time';
import type { ObserversOf } from '../kernel/observer-list';
import type { RunEvents } from '../record/run-observer';
import { destinationOf, frameOwnerReader } from '../../host-agent/nics/frame-owner';
import { HostNode } from '../node/host-node';
import { MultiHomedNode } from '../node/multi-homed-node';
import { newScenarioCarrier } from './host-settings';
import { namesLinks } from '../scenario/carrier-needs';
import { answerKeysOf, carrierOptionsOf, feedbackOf, hostCoordination } from './host-settings';
import type { PauseObserver } from '../lossless/pause-observer';
import type { ScenarioDocument } from '../scenario/schema';
import { interfacesOf, multiHomed } from '../network/host-routes';
import { linkOf } from '../network/plan';
import type { NetworkPlan, PlannedLink } from '../network/plan';

export interface HostOptions {
  readonly plan: NetworkPlan;
  readonly time: VirtualTime;
  readonly scenario: ScenarioDocument;
  readonly baseRtt: Duration;
  /** Seed of what hosts draw. */
  readonly seed: number;
  /** Switches on the longest path of a flow. */
  readonly expectedHops: number;
  /** Who looks on; those who want to see what congestion control does are there already. */
  readonly observers: ObserversOf<RunEvents>;
  /** Lets hosts obey pauses, where switches ask for them. */
  readonly pauses?: PauseObserver | undefined;
  /** Signs feedback where the scenario wants it signed. */
  readonly mac: MacFunction;
  /** Pool of packets; absent where packets are kept after their arrival. */
  readonly packets?: PacketPool | undefined;
}

/** The key that all hosts of a network share; it protects nothing but an experiment. */
const KEY_ID = 1;
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);

/** The hosts by name, without links. */
export function buildHosts(options: HostOptions): Map<string, HostNode> {
  const { plan, baseRtt, time, observers, mac, packets } = options;
  const [delivered, controlled] = [observers.of('delivered'), observers.of('controlled')];
  const coordination = hostCoordination(options.scenario, plan, mac);
  const coordinated = observers.of('coordinated');
  const { parameters } = options.scenario;
  const congestionControl = congestionControls(options);
  // PERF: it knows the capacity of every link of the network.
  const carrier = carrierOptionsOf(options.scenario, plan);
  const answerKeys = answerKeysOf(options.scenario, plan, mac);
  const { host: settings } = configurationOf(parameters);
  const { balancing } = settings;
  const host = {
    ...settings,
    ...(options.scenario.trim !== undefined && { trimming: true }),
    ...(balancing !== undefined && { balancing: { ...balancing, seed: options.seed } }),
  };
  const environment = { observers, packets };
  const several = multiHomed(plan);
  const [first] = several;
  if (coordination !== undefined && first !== undefined) {
    throw new InputError(
      `host ${first} has several links, and coordination is for hosts with one: take either away`,
    );
  }
  const paths = options.scenario.sourceRouting && new UsidPaths(plan.topology);
  const framing = parameters.framing === 'rocev2' ? 'rocev2' : 'hpcc';
  const frames = several.size === 0 ? undefined : newScenarioCarrier(options.scenario, plan);
  const nodes = plan.topology.hosts.map(({ name, ipv4, mac: address }, number) => {
    const agentAt = (link: PlannedLink): Agent => {
      const config = {
        ...host,
        expectedHops: options.expectedHops,
        address: ipv4,
        mac: address,
        linkRate: link.rate,
        baseRtt,
        congestionControl: congestionControl(name),
        signals: algorithmOf(parameters).signals,
        feedback: feedbackOf(options.scenario),
        carrier,
        ...(paths !== undefined && { sourceRoutes: paths.from(ipv4) }),
        ...(measuresBaseRtt(parameters) && { measureBaseRtt: {} }),
        ...(parameters.authentication === 'on' && { keyRing: new KeyRing(mac, KEY_ID, KEY) }),
        ...(answerKeys !== undefined && { answerKeys }),
        ...(coordination !== undefined && {
          coordination: {
            ...coordination,
            observe: (event: CoordinationEvent) => {
              for (const each of coordinated) each.coordinated(name, event);
            },
          },
        }),
        memory: packets,
        deliver: (delivery: Delivery) => {
          for (const each of delivered) each.delivered(name, delivery, time.now);
        },
        ...(controlled.length > 0 && {
          observe: (flow: number, event: CongestionEvent) => {
            for (const each of controlled) each.controlled(name, flow, event);
          },
        }),
      };
      const agent = parameters.framing === 'rocev2' ? new RoceHost(config) : new HostAgent(config);
      return options.pauses?.obeying(name, agent, link) ?? agent;
    };
    const queue = time.queueOf(name);
    const place = { ...environment, number, queue };
    if (frames === undefined || !several.has(name)) {
      return [name, new HostNode(name, agentAt(linkOf(plan, name)), place)] as const;
    }
    const interfaces = interfacesOf(plan, name);
    const nics = interfaces.map(({ link }) => ({ agent: agentAt(link) }));
    const ownerOf = frameOwnerReader(framing, ipv4, frames);
    const own = {
      host: name,
      number,
      nics,
      ownerOf,
      destinationOf: (packet: Packet) => destinationOf(packet, frames),
    };
    return [name, new MultiHomedNode(own, { plan, interfaces }, place)] as const;
  });
  return new Map(nodes);
}

/** The congestion control of each host's flows. */
function congestionControls({
  plan,
  scenario,
}: HostOptions): (host: string) => CongestionControlFactory {
  const { parameters, fixedRateGbps } = scenario;
  const chosen = algorithmOf(parameters).factory({
    ...configurationOf(parameters).tuning,
    ...(parameters.plausibility === 'on' && { plausibilityLimits: limitsOf(plan, scenario) }),
  });
  return (host) => {
    const rate = fixedRateGbps[host];
    return rate === undefined ? chosen : () => new FixedRate(gigabitsPerSecond(rate));
  };
}

/**
 * Properties of the network by which hosts judge telemetry: its fastest link, deepest queue and
 * ports.
 */
function limitsOf(
  { topology, links }: NetworkPlan,
  scenario: ScenarioDocument,
): PlausibilityLimits {
  const { queueCapacityBytes } = scenario.parameters;
  const nodeIds = new Map(topology.switches.map(({ name, nodeId }) => [name, nodeId]));
  const ways = links.flatMap((link) => bothWays(link));
  const known = new Set(ways.map(({ a }) => `${nodeIds.get(a.node) ?? ''}:${a.port}`));
  return {
    ...(queueCapacityBytes !== undefined && { queueBytesMax: queueCapacityBytes }),
    ...(hasWeights(scenario) && { capacityVaries: true }),
    capacityMax: ways.reduce((most, { rate }) => Math.max(most, rate), 0),
    // Records without a name of their own may be of any link.
    ...(namesLinks(scenario) && {
      isKnownLink: (switchId: number, port: number) => known.has(`${switchId}:${port}`),
    }),
  };
}

const hasWeights = ({ telemetry }: ScenarioDocument): boolean =>
  telemetry.classes?.some(({ weight }) => weight !== undefined) === true;
