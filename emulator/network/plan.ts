import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import { linkFrom } from '../../common/topology/topology';
import type { Link, Topology } from '../../common/topology/topology';
import { validateTopology } from '../../common/topology/validate-topology';
import type { PortNumber } from '../../common/units/units';
import { gigabitsPerSecond, nanoseconds } from '../../common/units/units';
import type { PlainTopology } from '../scenario/expand-topology';

/** The topology document that the controller works from, and what only a simulation needs. */
export interface NetworkPlan {
  readonly topology: Topology;
  readonly links: readonly PlannedLink[];
}

export interface PlannedEnd {
  readonly node: string;
  readonly port: PortNumber;
}

export interface PlannedLink extends Omit<Link, 'mtu' | 'up'> {
  readonly lossRate: number;
}

/** Units in which emulated switches report, which are finer than bmv2's. */
export interface SwitchUnits {
  readonly clockUnitNs: number;
  readonly queueDepthUnitBytes: number;
  readonly txUnitBytes: number;
}

/** Largest IPv4 datagram that every link carries. */
const MTU = 9000;

const HOST_NETWORK = 0x0a00_0000;
const HOST_MAC = 0x0201_0000_0000;

/**
 * Numbers nodes, ports and addresses: host n is 10.x.y.z with n in the last three bytes and MAC
 * 02:01:… with n in the last four; ports count from 1 in the order of the links.
 * @throws InputError for links that do not make a network.
 */
export function planNetwork(plain: PlainTopology, units: SwitchUnits): NetworkPlan {
  const portOf = portCounter();
  const links = plain.links.map((link): PlannedLink => ({
    a: { node: link.a, port: portOf(link.a) },
    b: { node: link.b, port: portOf(link.b) },
    rate: gigabitsPerSecond(link.rateGbps),
    delay: nanoseconds(link.delayNs),
    ...(link.backRateGbps !== undefined && { backRate: gigabitsPerSecond(link.backRateGbps) }),
    ...(link.backDelayNs !== undefined && { backDelay: nanoseconds(link.backDelayNs) }),
    lossRate: link.lossRate,
  }));
  const switches = plain.switches.map((name, i) => ({
    name,
    deviceId: i + 1,
    nodeId: i + 1,
    ...units,
  }));
  const hosts = plain.hosts.map((name, i) => ({
    name,
    ipv4: HOST_NETWORK + i + 1,
    mac: HOST_MAC + i + 1,
  }));
  const topology = {
    name: 'emulated',
    switches,
    hosts,
    links: links.map(({ lossRate: _, ...link }) => ({ ...link, mtu: MTU })),
  };
  validateTopology(topology);
  return { topology, links };
}

/** The one link of a host, as the host sees it. */
export function linkOf(plan: NetworkPlan, host: string): PlannedLink {
  const link = plan.links.find(({ a, b }) => a.node === host || b.node === host);
  assert(link !== undefined, `host ${host} has a link`);
  return linkFrom(link, host);
}

function portCounter(): (node: string) => PortNumber {
  const next = new Map<string, number>();
  return (node) => {
    const port = (next.get(node) ?? 0) + 1;
    // Port 511 is v1model's drop port.
    if (port > 510) throw new InputError(`${node} has more than 510 links`);
    next.set(node, port);
    return port;
  };
}
