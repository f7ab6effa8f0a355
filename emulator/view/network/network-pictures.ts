import { joined, singleNode, wholeNetwork } from './network-clusters';
import type { Cluster } from './network-clusters';
import type { NetworkGraph } from './network-graph';

/**
 * A picture of more nodes and directions than this is hair; of fewer, where there are groups, and what is
 * around it is to be simpler than itself.
 */
const DRAWN_MAX = 400;
const GROUPED_MAX = 100;
/** Clusters side by side that are drawn one by one where there are too many. */
const RANGES = [24, 16, 12, 8, 4] as const;

/** Content of one picture: the inside of a cluster, and where the links of that lead. */
export interface Picture {
  readonly cluster: Cluster;
  /** Number of the picture that it is a part of; undefined for the whole network. */
  readonly parent: number | undefined;
  readonly inside: readonly Cluster[];
  readonly outside: readonly Cluster[];
  /** Number of the picture of each cluster, inside and then outside; undefined for nodes and for the rest. */
  readonly pictures: readonly (number | undefined)[];
  readonly lines: readonly PictureLine[];
}

/** All links between two clusters of a picture. */
export interface PictureLine {
  /** Places of the clusters in the picture: inside and then outside. */
  readonly a: number;
  readonly b: number;
  /** Numbers of the links, and whether each leads from b to a. */
  readonly links: readonly { readonly link: number; readonly isTurned: boolean }[];
}

/**
 * The pictures of a network, the whole first, then those of its parts: none shows more than a reader can tell
 * apart, whatever the network is. What fits is drawn node by node.
 */
export function networkPictures(graph: NetworkGraph): Picture[] {
  const found: Picture[] = [];
  const waiting: { readonly cluster: Cluster; readonly parent?: number }[] = [
    { cluster: wholeNetwork(graph) },
  ];
  /** Number of the picture of each cluster. */
  const numbers = new Map<Cluster, number>([[waiting[0]?.cluster as Cluster, 0]]);
  for (const { cluster, parent } of waiting) {
    const inside = insideOf(graph, cluster);
    const outside = outsideOf(graph, cluster, inside, around(found, parent));
    for (const each of inside) {
      if (each.members.length < 2) continue;
      numbers.set(each, waiting.length);
      waiting.push({ cluster: each, parent: found.length });
    }
    found.push({
      cluster,
      parent,
      inside,
      outside,
      pictures: [...inside, ...outside].map((each) => numbers.get(each)),
      lines: linesOf(graph, inside, outside),
    });
  }
  return found;
}

/** The finest division of a cluster that is not too much for a picture. */
function insideOf(graph: NetworkGraph, cluster: Cluster): readonly Cluster[] {
  if (cluster.members.length <= DRAWN_MAX) {
    const flat = cluster.members.map(singleNode);
    if (drawn(graph, flat) <= DRAWN_MAX) return flat;
  }
  const fits = (clusters: readonly Cluster[]): boolean => drawn(graph, clusters) <= GROUPED_MAX;
  const parts = cluster.parts();
  if (fits(parts)) return parts;
  const kinds = [isSwitch(graph), isHost(graph), isGroup].map((is) => parts.filter(is));
  const [switches = [], hosts = [], groups = []] = kinds;
  const fewer = [...(switches.length < parts.length ? inRanges(switches, 1) : switches)];
  const grouped = [...fewer, ...hosts, ...groups];
  if (fits(grouped)) return grouped;
  for (const most of RANGES) {
    const ranges = [fewer, hosts, groups].flatMap((each) => inRanges(each, most));
    if (fits(ranges)) return ranges;
  }
  return [fewer, hosts, groups].flatMap((each) => inRanges(each, 2));
}

const isGroup = ({ members }: Cluster): boolean => members.length > 1;
const isKind =
  (kind: 'host' | 'switch') =>
  ({ nodes }: NetworkGraph) =>
  ({ members: [node = 0, ...more] }: Cluster): boolean =>
    more.length === 0 && nodes[node]?.kind === kind;
const isHost = isKind('host');
const isSwitch = isKind('switch');

/** Clusters in at most `most` ranges of equal length; where it divides their number, in a few less. */
function inRanges(clusters: readonly Cluster[], most: number): Cluster[] {
  if (clusters.length <= most) return [...clusters];
  const divisor = Array.from({ length: most }, (_, i) => most - i).find(
    (count) => clusters.length % count === 0,
  );
  const count = divisor !== undefined && divisor * 2 >= most ? divisor : most;
  const length = Math.ceil(clusters.length / count);
  return Array.from({ length: Math.ceil(clusters.length / length) }, (_, i) => {
    const range = clusters.slice(i * length, (i + 1) * length);
    return range.length === 1 ? (range[0] as Cluster) : joined(range);
  });
}

/** Clusters that the pictures around a picture show, from the nearest to the whole network. */
function around(found: readonly Picture[], parent: number | undefined): Cluster[] {
  const clusters: Cluster[] = [];
  for (let at = parent; at !== undefined;) {
    const picture: Picture | undefined = found[at];
    clusters.push(...(picture?.inside ?? []));
    at = picture?.parent;
  }
  return clusters;
}

/** Where links of a cluster lead: single nodes, else the clusters around it, else all of them as one. */
function outsideOf(
  graph: NetworkGraph,
  { members }: Cluster,
  inside: readonly Cluster[],
  nearby: readonly Cluster[],
): readonly Cluster[] {
  const own = new Set(members);
  const others = members.flatMap((node) => neighbours(graph, node).filter((to) => !own.has(to)));
  const nodes = [...new Set(others)].toSorted((a, b) => a - b);
  if (nodes.length === 0) return [];
  const before = drawn(graph, inside);
  const fits = (clusters: readonly Cluster[]): boolean =>
    drawn(graph, inside, clusters) <= before + GROUPED_MAX;
  const single = nodes.map(singleNode);
  if (nodes.length <= GROUPED_MAX && fits(single)) return single;
  const clusterOf = new Map<number, Cluster>();
  for (const cluster of nearby) {
    for (const node of cluster.members) if (!clusterOf.has(node)) clusterOf.set(node, cluster);
  }
  const clusters = [...new Set(nodes.map((node) => clusterOf.get(node) ?? singleNode(node)))];
  return fits(clusters) ? clusters : [joined(single)];
}

const neighbours = ({ links, linksOf }: NetworkGraph, node: number): number[] =>
  (linksOf[node] ?? []).map((link) => {
    const { a = 0, b = 0 } = links[link] ?? {};
    return a === node ? b : a;
  });

/** Nodes and directions that a picture of these clusters has. */
const drawn = (
  graph: NetworkGraph,
  inside: readonly Cluster[],
  outside: readonly Cluster[] = [],
): number => inside.length + outside.length + 2 * linesOf(graph, inside, outside).length;

/** Lines between clusters of which at least one is inside. */
function linesOf(
  graph: NetworkGraph,
  inside: readonly Cluster[],
  outside: readonly Cluster[],
): PictureLine[] {
  const clusters = [...inside, ...outside];
  const placeOf = new Map(clusters.flatMap(({ members }, i) => members.map((node) => [node, i])));
  const lines = new Map<number, { a: number; b: number; links: PictureLine['links'][number][] }>();
  const seen = new Set<number>();
  for (const { members } of inside) {
    for (const link of members.flatMap((node) => graph.linksOf[node] ?? [])) {
      if (seen.has(link)) continue;
      seen.add(link);
      const { a = 0, b = 0 } = graph.links[link] ?? {};
      const [from, to] = [placeOf.get(a), placeOf.get(b)];
      if (from === undefined || to === undefined || from === to) continue;
      const isTurned = from > to;
      const [first, second] = isTurned ? [to, from] : [from, to];
      const key = first * clusters.length + second;
      const line = lines.get(key) ?? { a: first, b: second, links: [] };
      lines.set(key, line);
      line.links.push({ link, isTurned });
    }
  }
  return [...lines.values()];
}
