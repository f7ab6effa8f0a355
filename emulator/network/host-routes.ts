import { hopsTo, portsInUse } from '../../controller/intent/routing/routes';
import { linkFrom, macAt } from '../../common/topology/topology';
import type { Attachment, Topology } from '../../common/topology/topology';
import type { NetworkPlan, PlannedLink } from './plan';

/** A network interface of a host: the place of its link among the host's links. */
export interface Interface {
  /** From 0, in the order of the host's ports. */
  readonly index: number;
  /** As the host sees it. */
  readonly link: PlannedLink;
  /** MAC address at the other end. */
  readonly gatewayMac: number;
}

/** The interfaces of a host in the order of its ports. */
export function interfacesOf({ topology, links }: NetworkPlan, host: string): Interface[] {
  const own = links.filter(({ a, b }) => a.node === host || b.node === host);
  return own.map((each, index) => {
    const link = linkFrom(each, host);
    return { index, link, gatewayMac: macAt(topology, link.b) };
  });
}

/** The hosts that have several interfaces. */
export function multiHomed({ topology, links }: NetworkPlan): ReadonlySet<string> {
  const counts = new Map(topology.hosts.map(({ name }) => [name, 0]));
  for (const { a, b } of links) {
    for (const { node } of [a, b]) {
      const count = counts.get(node);
      if (count !== undefined) counts.set(node, count + 1);
    }
  }
  return new Set([...counts].flatMap(([name, count]) => (count > 1 ? [name] : [])));
}

/**
 * Interfaces by which hosts reach others: those at the beginning of a shortest path. Hosts do not forward.
 */
export class HostRoutes {
  readonly #topology: Topology;
  readonly #ports: ReadonlyMap<string, readonly Attachment[]>;
  readonly #names: ReadonlyMap<number, string>;
  readonly #known = new Map<string, readonly number[]>();

  /** @param down links that carry nothing. */
  constructor({ topology, links }: NetworkPlan, down: ReadonlySet<PlannedLink> = new Set()) {
    this.#topology = {
      ...topology,
      links: topology.links.map((link, i) =>
        down.has(links[i] as PlannedLink) ? { ...link, up: false } : link,
      ),
    };
    this.#ports = portsInUse(this.#topology);
    this.#names = new Map(topology.hosts.map(({ name, ipv4 }) => [ipv4, name]));
  }

  /** Indices of the interfaces of `host` that lead to an address soonest; none where no path leads there. */
  towards(host: string, address: number): readonly number[] {
    const key = `${host} ${address}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#search(host, address);
    this.#known.set(key, found);
    return found;
  }

  #search(host: string, address: number): readonly number[] {
    const name = this.#names.get(address);
    if (name === undefined) return [];
    const distances = hopsTo(name, this.#topology, this.#ports);
    const ways = (this.#ports.get(host) ?? []).map(({ port, peer }) => ({
      index: port - 1,
      hops: distances.get(peer.node) ?? Infinity,
    }));
    const least = ways.reduce((most, { hops }) => Math.min(most, hops), Infinity);
    if (least === Infinity) return [];
    return ways.filter(({ hops }) => hops === least).map(({ index }) => index);
  }
}
