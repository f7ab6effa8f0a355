import type { TopologyDocument } from './schema';

type CustomTopology = Extract<TopologyDocument, { kind: 'custom' }>;

/** The topology with these hosts, and the switches on shortest paths between them. */
export function usedPart(topology: CustomTopology, used: ReadonlySet<string>): CustomTopology {
  const hosts = topology.hosts.filter((host) => used.has(host));
  const known = new Set([...hosts, ...topology.switches]);
  const links = topology.links.filter(({ between }) => between.every((node) => known.has(node)));
  const kept = onShortestPaths(hosts, neighboursIn(links));
  return {
    ...topology,
    hosts,
    switches: topology.switches.filter((each) => kept.has(each)),
    links: links.filter(({ between }) => between.every((node) => kept.has(node))),
  };
}

type Neighbours = ReadonlyMap<string, ReadonlySet<string>>;

function neighboursIn(links: CustomTopology['links']): Neighbours {
  const neighbours = new Map<string, Set<string>>();
  for (const { between } of links) {
    for (const [i, node] of between.entries()) {
      const known = neighbours.get(node) ?? new Set();
      neighbours.set(node, known.add(between[1 - i] as string));
    }
  }
  return neighbours;
}

/** Nodes on any shortest path between two of the hosts, which do not forward. */
function onShortestPaths(hosts: readonly string[], neighbours: Neighbours): Set<string> {
  const kept = new Set(hosts);
  const isHost = new Set(hosts);
  for (const from of hosts) {
    const distance = new Map([[from, 0]]);
    const order = [from];
    for (const node of order) {
      if (node !== from && isHost.has(node)) continue;
      for (const next of neighbours.get(node) ?? []) {
        if (distance.has(next)) continue;
        distance.set(next, (distance.get(node) as number) + 1);
        order.push(next);
      }
    }
    // Back from the hosts that were reached, nearer at each step.
    const needed = new Set(hosts.filter((host) => distance.has(host)));
    for (const node of order.toReversed()) {
      if (!needed.has(node)) continue;
      kept.add(node);
      for (const next of neighbours.get(node) ?? []) {
        const isOnWay = next === from || !isHost.has(next);
        if (isOnWay && distance.get(next) === (distance.get(node) as number) - 1) needed.add(next);
      }
    }
  }
  return kept;
}
