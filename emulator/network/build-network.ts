import { assert } from '../../common/assert';
import { Random } from '../../common/random/random';
import { macAt } from '../../common/topology/topology';
import type { Duration } from '../../common/units/units';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { HostAgent } from '../../host-agent/transport/host';
import type { Delivery } from '../../host-agent/transport/host-config';
import type { ExecutorFactory } from '../../switch/executor';
import { V1ModelSwitch } from '../../switch/v1model/v1model-switch';
import type { EventQueue } from '../kernel/event-queue';
import { HostNode } from '../node/host-node';
import type { HostObserver } from '../node/host-node';
import { SwitchNode } from '../node/switch-node';
import type { SwitchObserver } from '../node/switch-node';
import { feedbackOf, tuningOf } from '../scenario/feedback';
import type { Parameters } from '../scenario/schema';
import { Channel } from './channel';
import type { ChannelEnd } from './channel';
import type { NetworkPlan, PlannedEnd, PlannedLink } from './plan';

export interface NetworkOptions {
  readonly plan: NetworkPlan;
  readonly queue: EventQueue;
  readonly seed: number;
  readonly parameters: Parameters;
  readonly baseRtt: Duration;
  /** What runs the switches' programs. */
  readonly executor: ExecutorFactory;
  /** Switches on the longest path of a flow. */
  readonly expectedHops: number;
  readonly observer: HostObserver & SwitchObserver;
  readonly deliver: (host: string, delivery: Delivery) => void;
}

export interface Network {
  readonly hosts: ReadonlyMap<string, HostNode>;
  readonly switches: ReadonlyMap<string, SwitchNode>;
  /** Both directions of every link, in the order of the plan's links. */
  readonly channels: readonly Channel[];
}

/** Makes hosts, switches (without a program) and links. */
export function buildNetwork(options: NetworkOptions): Network {
  const hosts = buildHosts(options);
  const switches = buildSwitches(options);
  const random = new Random(options.seed);
  const end = ({ node, port }: PlannedEnd): ChannelEnd => {
    const found = hosts.get(node) ?? switches.get(node);
    assert(found !== undefined, `${node} is a node of the plan`);
    return { node: found, port };
  };
  const channels = options.plan.links.flatMap((link) => {
    const { rate, delay, lossRate } = link;
    const join = (from: PlannedEnd, to: PlannedEnd): Channel => {
      const shape = { rate, delay, lossRate, random, queue: options.queue };
      const channel = new Channel({ ...shape, from: end(from), to: end(to) });
      hosts.get(from.node)?.attach(channel);
      switches.get(from.node)?.attach(from.port, channel);
      return channel;
    };
    return [join(link.a, link.b), join(link.b, link.a)];
  });
  return { hosts, switches, channels };
}

function buildHosts(options: NetworkOptions): Map<string, HostNode> {
  const { plan, parameters, baseRtt, queue, observer, deliver } = options;
  const congestionControl = hpccppFactory(tuningOf(parameters));
  const nodes = plan.topology.hosts.map(({ name, ipv4, mac }) => {
    const agent = new HostAgent({
      expectedHops: options.expectedHops,
      address: ipv4,
      mac,
      linkRate: linkOf(plan, name).rate,
      baseRtt,
      congestionControl,
      feedback: feedbackOf(parameters),
      ...(parameters.paths > 1 && { pathSelection: { paths: parameters.paths } }),
      mss: parameters.segmentBytes,
      intHopLimit: parameters.hopLimit,
      deliver: (delivery) => deliver(name, delivery),
    });
    return [name, new HostNode(name, agent, queue, observer)] as const;
  });
  return new Map(nodes);
}

function buildSwitches(options: NetworkOptions): Map<string, SwitchNode> {
  const { plan, parameters, queue, observer, executor } = options;
  const { queueCapacityBytes, queueUnitBytes } = parameters;
  const nodes = plan.topology.switches.map(({ name, clockUnitNs }) => {
    const node = new SwitchNode(name, queue, observer);
    const ports = plan.links.flatMap(({ a, b, rate }) =>
      [a, b]
        .filter((end) => end.node === name)
        .map(({ port }) => ({
          port,
          rate,
          ...(queueCapacityBytes !== undefined && { queueLimit: { bytes: queueCapacityBytes } }),
        })),
    );
    const queueUnit = { kind: 'bytes', cell: queueUnitBytes } as const;
    node.install(new V1ModelSwitch({ ports, clockUnitNs, queueUnit, executor, output: node }));
    return [name, node] as const;
  });
  return new Map(nodes);
}

/** The one link of a host. */
export function linkOf(plan: NetworkPlan, host: string): PlannedLink {
  const link = plan.links.find(({ a, b }) => a.node === host || b.node === host);
  assert(link !== undefined, `host ${host} has a link`);
  return link;
}

/** MAC address at the other end of a host's link. */
export function gatewayMac(plan: NetworkPlan, host: string): number {
  const { a, b } = linkOf(plan, host);
  return macAt(plan.topology, a.node === host ? b : a);
}
