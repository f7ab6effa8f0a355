import type { NetworkGraph } from './network-graph';

/** Part of a network that a picture shows as one: a node, or several that lie together. */
export interface Cluster {
  /** Numbers of its nodes, ascending. */
  readonly members: readonly number[];
  /** The clusters that it consists of by the links of the network; a node has none. */
  readonly parts: () => readonly Cluster[];
}

/**
 * Divides a network by its links alone. What stays connected without the switches above a tier lies
 * together: hosts at their switch, such racks below the same aggregation switches, and so on. Links within a
 * tier, as between groups of a dragonfly, join nothing.
 */
export const wholeNetwork = (graph: NetworkGraph): Cluster => {
  const members = graph.nodes.map((_, i) => i);
  return { members, parts: () => opened(connected(graph, members, graph.tiers)) };
};

export const singleNode = (node: number): Cluster => ({ members: [node], parts: () => [] });

/** Clusters side by side as one. */
export const joined = (parts: readonly Cluster[]): Cluster => ({
  members: parts.flatMap(({ members }) => members).toSorted((a, b) => a - b),
  parts: () => parts,
});

/** A cluster alone is no division: what it consists of is. */
function opened(found: readonly Cluster[]): readonly Cluster[] {
  const [only] = found;
  if (found.length !== 1 || only === undefined || only.members.length < 2) return found;
  return opened(only.parts());
}

/** Those of `members` that links between tiers up to `tier` connect. */
function connected(graph: NetworkGraph, members: readonly number[], tier: number): Cluster[] {
  if (tier === 0) return members.filter((node) => tierOf(graph, node) === 0).map(singleNode);
  const left = new Set(members.filter((node) => tierOf(graph, node) <= tier));
  const found: Cluster[] = [];
  for (const node of members) {
    if (!left.delete(node)) continue;
    const reached = [node];
    // The list grows while it is read.
    for (const from of reached) {
      for (const to of upAndDown(graph, from)) if (left.delete(to)) reached.push(to);
    }
    found.push(
      clusterOf(
        graph,
        reached.toSorted((a, b) => a - b),
        tier,
      ),
    );
  }
  return found;
}

function clusterOf(graph: NetworkGraph, members: readonly number[], tier: number): Cluster {
  const [node] = members;
  if (members.length === 1 && node !== undefined) return singleNode(node);
  const parts = (): readonly Cluster[] => {
    const upper = members.filter((each) => tierOf(graph, each) === tier);
    return opened([...upper.map(singleNode), ...connected(graph, members, tier - 1)]);
  };
  return { members, parts };
}

const tierOf = ({ nodes }: NetworkGraph, node: number): number => nodes[node]?.tier ?? 0;

/** Neighbours of a node in other tiers. */
const upAndDown = (graph: NetworkGraph, node: number): number[] =>
  (graph.linksOf[node] ?? []).flatMap((link) => {
    const { a, b } = graph.links[link] as NetworkGraph['links'][number];
    const other = a === node ? b : a;
    return tierOf(graph, other) === tierOf(graph, node) ? [] : [other];
  });
