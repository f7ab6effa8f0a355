import type { Result } from '../../result/result';

/** A network drawn: where its nodes are, and what each direction of its links did over time. */
export interface Network {
  /** Rows of nodes, hosts in the lowest. */
  readonly rows: number;
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly DirectedLink[];
  /** Directions that are left out: of a large network those that carried least. */
  readonly linksOmitted: number;
  /** Length of the intervals of load and queue. */
  readonly intervalUs: number;
  /** Longest queue of all, which bars are relative to. */
  readonly queuePeakBytes: number;
}

export interface PlacedNode {
  readonly name: string;
  readonly kind: 'host' | 'switch';
  /** Position from 0 to 1, left to right. */
  readonly x: number;
  /** Row from 0, the uppermost. */
  readonly row: number;
}

export interface DirectedLink {
  readonly name: string;
  /** Numbers of nodes. */
  readonly from: number;
  readonly to: number;
  readonly rateGbps: number;
  readonly delayUs: number;
  /** Thousandths of the capacity, per interval. */
  readonly load: readonly number[];
  readonly queueBytes: readonly number[];
}

type Topology = Result['topology'];

/** A picture of more lines than this shows none of them, and is slow. */
const LINKS_SHOWN = 1000;

export function networkOf(result: Result): Network {
  const { topology, timelines, durationUs, links } = result;
  const known = new Set(topology.nodes.map(({ name }) => name));
  const ends = links.map(({ name }) => endsOf(name));
  const drawable = links.flatMap((_, i) => (ends[i]?.every((end) => known.has(end)) ? [i] : []));
  const shown = busiest(links, drawable);
  const isWhole = shown.length === drawable.length;
  const nodes = placedNodes(
    topology,
    isWhole ? known : new Set(shown.flatMap((i) => ends[i] ?? [])),
  );
  const numbers = new Map(nodes.map(({ name }, i) => [name, i]));
  const intervalUs = timelines?.intervalUs ?? Math.max(durationUs, 1);
  const delays = delaysOf(topology);
  const directed = shown.map((i): DirectedLink => {
    const { name, rateGbps, bytes, queuePeakBytes } = links[i] as Result['links'][number];
    const [from = 0, to = 0] = (ends[i] ?? []).map((end) => numbers.get(end));
    const line = timelines?.links[i];
    const capacity = rateGbps * 125 * intervalUs;
    const load = (line?.sentBytes ?? [bytes]).map((sent) => Math.round((sent * 1000) / capacity));
    const queueBytes = line?.queuePeakBytes ?? [queuePeakBytes];
    const delayUs = delays.get((ends[i] ?? []).join(' ')) ?? 0;
    return { name, from, to, rateGbps, delayUs, load, queueBytes };
  });
  return {
    nodes,
    links: directed,
    intervalUs,
    rows: nodes.reduce((most, { row }) => Math.max(most, row), 0) + 1,
    linksOmitted: drawable.length - shown.length,
    queuePeakBytes: links.reduce((most, link) => Math.max(most, link.queuePeakBytes), 1),
  };
}

/** Numbers of the links with the longest queues; among equals those that sent most. */
function busiest(links: Result['links'], numbers: readonly number[]): readonly number[] {
  if (numbers.length <= LINKS_SHOWN) return numbers;
  const of = (i: number) => links[i] as Result['links'][number];
  return [...numbers]
    .sort((a, b) => of(b).queuePeakBytes - of(a).queuePeakBytes || of(b).bytes - of(a).bytes)
    .slice(0, LINKS_SHOWN)
    .sort((a, b) => a - b);
}

/** `s1:2->h1:1` leads from s1 to h1. */
const endsOf = (name: string): string[] => name.split('->').map((end) => end.replace(/:\d+$/, ''));

const delaysOf = ({ links }: Topology): Map<string, number> =>
  new Map(
    links.flatMap(({ a, b, delayUs }) => [
      [`${a} ${b}`, delayUs],
      [`${b} ${a}`, delayUs],
    ]),
  );

/** The network in rows: hosts below, the switches next to them above, and so on upwards. */
function placedNodes(topology: Topology, shown: ReadonlySet<string>): PlacedNode[] {
  const tiers = tiersOf(topology);
  const rows = new Map<number, string[]>();
  for (const name of namesInOrder(topology)) {
    if (!shown.has(name)) continue;
    const tier = tiers.get(name) ?? 0;
    const row = rows.get(tier);
    if (row === undefined) rows.set(tier, [name]);
    else row.push(name);
  }
  const top = Math.max(0, ...rows.keys());
  const kinds = new Map(topology.nodes.map(({ name, kind }) => [name, kind]));
  return [...rows].flatMap(([tier, names]) =>
    names.map((name, i) => ({
      name,
      kind: kinds.get(name) ?? ('host' as const),
      x: (i + 0.5) / names.length,
      row: top - tier,
    })),
  );
}

/** Distance from the nearest host, 0 for hosts. */
function tiersOf(topology: Topology): Map<string, number> {
  const neighbours = neighboursOf(topology);
  const tiers = new Map<string, number>();
  let frontier = topology.nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name);
  for (let tier = 0; frontier.length > 0; tier++) {
    for (const name of frontier) tiers.set(name, tier);
    const next = new Set(frontier.flatMap((name) => neighbours.get(name) ?? []));
    frontier = [...next].filter((name) => !tiers.has(name));
  }
  return tiers;
}

function neighboursOf({ links }: Topology): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const known = found.get(from);
    if (known === undefined) found.set(from, [to]);
    else known.push(to);
  };
  for (const { a, b } of links) {
    add(a, b);
    add(b, a);
  }
  return found;
}

/** Switches as they are, then hosts, those of one switch side by side: their links do not cross. */
function namesInOrder(topology: Topology): string[] {
  const { nodes } = topology;
  const neighbours = neighboursOf(topology);
  const switches = nodes.filter(({ kind }) => kind === 'switch').map(({ name }) => name);
  const hosts = nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name);
  const order = new Map(switches.map((name, i) => [name, i]));
  const placeOf = (host: string): number => order.get(neighbours.get(host)?.[0] ?? '') ?? 0;
  return [...switches, ...hosts.sort((a, b) => placeOf(a) - placeOf(b))];
}
