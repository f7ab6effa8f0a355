import { attachments } from '../../../common/topology/topology';
import type { Attachment, Topology } from '../../../common/topology/topology';

/** Equal-cost next hops of one switch towards one host, by ascending port. */
export interface Route {
  readonly host: string;
  readonly nextHops: readonly Attachment[];
}

/**
 * Shortest paths by hop count from every switch to every host, with all next hops of equal cost.
 * Hosts do not forward, so no path leads through one, and links that are down carry nothing.
 * @returns for each switch its routes, in the order of the topology's hosts.
 */
export function shortestRoutes(topology: Topology): ReadonlyMap<string, readonly Route[]> {
  const ports = portsInUse(topology);
  const routes = new Map<string, Route[]>(topology.switches.map(({ name }) => [name, []]));
  for (const host of topology.hosts) {
    const distance = hopsTo(host.name, topology, ports);
    for (const [name, list] of routes) {
      const own = distance.get(name);
      if (own === undefined) continue;
      const nextHops = (ports.get(name) ?? []).filter(
        ({ peer }) => distance.get(peer.node) === own - 1,
      );
      list.push({ host: host.name, nextHops });
    }
  }
  return routes;
}

/** The ports of every node whose links are not down, in ascending order, by the node's name. */
export function portsInUse(topology: Topology): ReadonlyMap<string, readonly Attachment[]> {
  return attachments({ ...topology, links: topology.links.filter(({ up }) => up !== false) });
}

/** Hops from the host to every switch that reaches it, breadth first; 0 to the host itself. */
export function hopsTo(
  host: string,
  topology: Topology,
  ports: ReadonlyMap<string, readonly Attachment[]>,
): ReadonlyMap<string, number> {
  const switches = new Set(topology.switches.map((each) => each.name));
  const distance = new Map([[host, 0]]);
  // A Map iterates over what is added on the way, in order of insertion: a queue.
  for (const [node, hops] of distance) {
    for (const { peer } of ports.get(node) ?? []) {
      if (switches.has(peer.node) && !distance.has(peer.node)) distance.set(peer.node, hops + 1);
    }
  }
  return distance;
}
