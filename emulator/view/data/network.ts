import type { Result } from '../../result/result';

/** A network drawn: where its nodes are, and what each direction of its links did over time. */
export interface Network {
  /** Rows of nodes, hosts in the lowest. */
  readonly rows: number;
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly DirectedLink[];
  /** Length of the intervals of load and queue. */
  readonly intervalUs: number;
  /** Longest queue of all, which bars are relative to. */
  readonly queuePeakBytes: number;
}

export interface PlacedNode {
  readonly name: string;
  readonly kind: 'host' | 'switch';
  /** From 0 to 1, left to right. */
  readonly x: number;
  /** From 0, which is the uppermost. */
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

export function networkOf(result: Result): Network {
  const { topology, timelines, durationUs, links } = result;
  const nodes = placedNodes(topology);
  const numbers = new Map(nodes.map(({ name }, i) => [name, i]));
  const intervalUs = timelines?.intervalUs ?? Math.max(durationUs, 1);
  const rows = Math.max(0, ...nodes.map(({ row }) => row)) + 1;
  const delays = delaysOf(topology);
  const directed = links.flatMap(({ name, rateGbps, bytes, queuePeakBytes }, i): DirectedLink[] => {
    const ends = endsOf(name);
    const [from, to] = ends.map((end) => numbers.get(end));
    if (from === undefined || to === undefined) return [];
    const line = timelines?.links[i];
    const capacity = rateGbps * 125 * intervalUs;
    const load = (line?.sentBytes ?? [bytes]).map((sent) => Math.round((sent * 1000) / capacity));
    const queueBytes = line?.queuePeakBytes ?? [queuePeakBytes];
    const delayUs = delays.get(ends.join(' ')) ?? 0;
    return [{ name, from, to, rateGbps, delayUs, load, queueBytes }];
  });
  const queuePeakBytes = Math.max(1, ...links.map((link) => link.queuePeakBytes));
  return { rows, nodes, links: directed, intervalUs, queuePeakBytes };
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
function placedNodes(topology: Topology): PlacedNode[] {
  const tiers = tiersOf(topology);
  const rows = new Map<number, string[]>();
  for (const name of namesInOrder(topology)) {
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
