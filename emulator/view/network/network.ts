import type { Result } from '../../result/result';
import type { Cluster } from './network-clusters';
import { networkGraph } from './network-graph';
import type { NetworkGraph } from './network-graph';
import { loadsOf } from './network-loads';
import type { LoadRequest, Loads, Series } from './network-loads';
import { networkPictures } from './network-pictures';
import type { Picture, PictureLine } from './network-pictures';

/** A network drawn, in pictures that a reader can tell apart, and what its links did over time. */
export interface Network {
  /** The whole network first; then the inside of each group that a picture shows. */
  readonly groups: readonly NetworkGroup[];
  /** Length and number of the intervals of load and queue. */
  readonly intervalUs: number;
  readonly intervals: number;
  /** Longest queue of all, which bars are relative to. */
  readonly queuePeakBytes: number;
  /** Series that have one value for the whole run, for there is no room for all; and all of them. */
  readonly withoutTime: number;
  readonly series: number;
}

/** One picture: the inside of a group of nodes. */
export interface NetworkGroup {
  readonly name: string;
  /** Number of the group in which this one is drawn; absent for the whole network. */
  readonly parent?: number;
  readonly hosts: number;
  readonly switches: number;
  readonly rows: number;
  readonly nodes: readonly DrawnNode[];
  readonly lines: readonly DrawnLine[];
}

/** A node of a picture, or several as one. */
export interface DrawnNode {
  readonly name: string;
  readonly kind: 'host' | 'switch' | 'group';
  /** Row from 0, the uppermost. */
  readonly row: number;
  /** Content of a group. */
  readonly hosts?: number;
  readonly switches?: number;
  /** Number of the group to open; absent for nodes, and for what is outside in several groups. */
  readonly group?: number;
  /** True for what the picture is not about, and its links lead to. */
  readonly isOutside?: true;
  /** The fullest link within a group; absent: idle. */
  readonly inside?: Series;
}

/** The links between two nodes of a picture. */
export interface DrawnLine {
  /** Numbers of nodes in the picture. */
  readonly a: number;
  readonly b: number;
  readonly links: number;
  /** Numbers of the ports of a single link. */
  readonly ports?: readonly [number, number];
  /** The fullest from a to b, and back; absent: idle. */
  readonly there?: Series;
  readonly back?: Series;
}

export function networkOf(result: Result): Network {
  const { timelines, durationUs, links } = result;
  const graph = networkGraph(result);
  const pictures = networkPictures(graph);
  const requests: LoadRequest[] = [];
  const ask = (found: readonly number[], rank: number): number =>
    requests.push({ links: found, rank }) - 1;
  const drawn = pictures.map((picture, rank) =>
    askedOf(graph, picture, (found) => ask(found, rank > 0 ? 1 : 0)),
  );
  const loads = loadsOf(result, requests);
  return {
    groups: pictures.map((picture, i) => groupOf(graph, picture, drawn[i] as Asked, loads)),
    intervalUs: timelines?.intervalUs ?? Math.max(durationUs, 1),
    intervals: timelines?.links[0]?.sentBytes.length ?? 1,
    queuePeakBytes: links.reduce((most, link) => Math.max(most, link.queuePeakBytes), 1),
    withoutTime: loads.withoutTime,
    series: loads.series.filter((each) => each !== undefined).length,
  };
}

/** Numbers of the requests of a picture's lines, both ways, and of the inside of its groups. */
interface Asked {
  readonly lines: readonly (readonly [there: number, back: number])[];
  readonly inside: readonly (number | undefined)[];
}

function askedOf(
  graph: NetworkGraph,
  { lines, inside, outside }: Picture,
  ask: (links: readonly number[]) => number,
): Asked {
  const directions = ({ links }: PictureLine, turned: boolean): number[] =>
    links.flatMap(({ link, isTurned }) => {
      const { there, back } = graph.links[link] ?? {};
      return (isTurned === turned ? there : back) ?? [];
    });
  return {
    lines: lines.map((line) => [ask(directions(line, false)), ask(directions(line, true))]),
    inside: [...inside, ...outside].map((each) =>
      each.members.length < 2 ? undefined : ask(within(graph, each)),
    ),
  };
}

/** Both directions of all links with both ends in a cluster. */
function within({ links, linksOf }: NetworkGraph, { members }: Cluster): number[] {
  const own = new Set(members);
  const found = new Set(members.flatMap((node) => linksOf[node] ?? []));
  return [...found].flatMap((link) => {
    const { a = -1, b = -1, there, back } = links[link] ?? {};
    return own.has(a) && own.has(b) ? [there, back].flatMap((each) => each ?? []) : [];
  });
}

function groupOf(
  graph: NetworkGraph,
  { cluster, parent, inside, outside, pictures, lines }: Picture,
  asked: Asked,
  { series }: Loads,
): NetworkGroup {
  const clusters = [...inside, ...outside];
  const tiers = clusters.map((each) => tierOf(graph, each));
  const top = Math.max(0, ...tiers.slice(0, inside.length));
  // What lies outside stands above, also where it is of the same tier.
  const levels = tiers.map((tier, i) => (i < inside.length ? tier : Math.max(tier, top + 1)));
  const rows = [...new Set(levels)].toSorted((a, b) => b - a);
  const seriesOf = (request: number | undefined): Series | undefined =>
    request === undefined ? undefined : series[request];
  return {
    name: parent === undefined ? 'whole network' : clusterName(graph, cluster),
    ...(parent !== undefined && { parent }),
    ...countsOf(graph, cluster),
    rows: Math.max(1, rows.length),
    nodes: clusters.map((each, i): DrawnNode => {
      const isOutside = i >= inside.length;
      const group = pictures[i];
      const busiest = seriesOf(asked.inside[i]);
      const isGroup = each.members.length > 1;
      return {
        name: clusterName(graph, each),
        kind: isGroup ? 'group' : (graph.nodes[each.members[0] ?? 0]?.kind ?? 'host'),
        row: rows.indexOf(levels[i] ?? 0),
        ...(isGroup && countsOf(graph, each)),
        ...(group !== undefined && { group }),
        ...(isOutside && { isOutside }),
        ...(busiest !== undefined && { inside: busiest }),
      };
    }),
    lines: lines.map(({ a, b, links }, i): DrawnLine => {
      const [there, back] = (asked.lines[i] ?? []).map(seriesOf);
      return {
        a,
        b,
        links: links.length,
        ...(links.length === 1 && { ports: portsOf(graph, links[0] as PictureLine['links'][0]) }),
        ...(there !== undefined && { there }),
        ...(back !== undefined && { back }),
      };
    }),
  };
}

function portsOf(
  { links }: NetworkGraph,
  { link, isTurned }: PictureLine['links'][number],
): readonly [number, number] {
  const [a, b] = links[link]?.ports ?? [0, 0];
  return isTurned ? [b, a] : [a, b];
}

const tierOf = ({ nodes }: NetworkGraph, { members }: Cluster): number =>
  members.reduce((most, node) => Math.max(most, nodes[node]?.tier ?? 0), 0);

function countsOf({ nodes }: NetworkGraph, { members }: Cluster) {
  const hosts = members.filter((node) => nodes[node]?.kind === 'host').length;
  return { hosts, switches: members.length - hosts };
}

/** From the first to the last of its switches that are nearest to hosts; of its hosts, where it has no switch. */
function clusterName({ nodes }: NetworkGraph, { members }: Cluster): string {
  const found = members.flatMap((node) => nodes[node] ?? []);
  const switches = found.filter(({ kind }) => kind === 'switch');
  const lowest = switches.reduce((least, { tier }) => Math.min(least, tier), Infinity);
  const named = switches.length === 0 ? found : switches.filter(({ tier }) => tier === lowest);
  const [first, last] = [named[0]?.name ?? '', named.at(-1)?.name ?? ''];
  return first === last ? first : `${first} to ${last}`;
}
