import type { Result } from '../../result/result';

/** A network as numbered nodes in the order in which they are drawn, and links between them. */
export interface NetworkGraph {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  /** Numbers of the links of each node. */
  readonly linksOf: readonly (readonly number[])[];
  /** Tier of the uppermost node. */
  readonly tiers: number;
}

export interface GraphNode {
  readonly name: string;
  readonly kind: 'host' | 'switch';
  /** Distance from the nearest host, 0 for hosts. */
  readonly tier: number;
}

export interface GraphLink {
  /** Numbers of its nodes, and of its ports there. */
  readonly a: number;
  readonly b: number;
  readonly ports: readonly [number, number];
  /** Numbers of its directions among the result's links, from a to b and back; undefined: none is recorded. */
  readonly there: number;
  readonly back: number | undefined;
}

type Topology = Result['topology'];

export function networkGraph({
  topology,
  links,
}: Pick<Result, 'topology' | 'links'>): NetworkGraph {
  const tiers = tiersOf(topology);
  const kinds = new Map(topology.nodes.map(({ name, kind }) => [name, kind]));
  const nodes = namesInOrder(topology).map((name): GraphNode => {
    return { name, kind: kinds.get(name) ?? 'host', tier: tiers.get(name) ?? 0 };
  });
  const joined = graphLinks(links, new Map(nodes.map(({ name }, i) => [name, i])));
  const linksOf: number[][] = nodes.map(() => []);
  joined.forEach(({ a, b }, i) => {
    linksOf[a]?.push(i);
    linksOf[b]?.push(i);
  });
  return {
    nodes,
    links: joined,
    linksOf,
    tiers: nodes.reduce((most, { tier }) => Math.max(most, tier), 0),
  };
}

/** Both directions of a link, `s1:2->h1:1` and `h1:1->s1:2`, as one. */
function graphLinks(links: Result['links'], numbers: ReadonlyMap<string, number>): GraphLink[] {
  const directions = new Map(links.map(({ name }, i) => [name, i]));
  const paired = new Set<number>();
  return links.flatMap(({ name }, there): GraphLink[] => {
    const [from, to] = endsOf(name);
    const [a, b] = [numbers.get(from.node), numbers.get(to.node)];
    if (paired.has(there) || a === undefined || b === undefined) return [];
    const back = directions.get(name.split('->').toReversed().join('->'));
    if (back !== undefined) paired.add(back);
    return [{ a, b, ports: [from.port, to.port], there, back }];
  });
}

interface End {
  readonly node: string;
  readonly port: number;
}

function endsOf(name: string): [End, End] {
  const [from = '', to = ''] = name.split('->');
  return [endOf(from), endOf(to)];
}

function endOf(end: string): End {
  const colon = end.lastIndexOf(':');
  return { node: end.slice(0, colon), port: Number(end.slice(colon + 1)) };
}

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
