import fc from 'fast-check';
import { attachments } from '../../../../../common/topology/topology';
import type { HostNode, Topology } from '../../../../../common/topology/topology';
import {
  arrivalClass,
  CANDIDATES_MAX,
  candidatePaths,
} from '../../../../../controller/intent/routing/candidate-paths';
import type {
  CandidatePaths,
  PathMethod,
} from '../../../../../controller/intent/routing/candidate-paths';
import { hopsTo } from '../../../../../controller/intent/routing/routes';

/** Switches 0 to `count` - 1 with one host each at port 0, and links between switches. */
function fabric(count: number, edges: readonly (readonly [number, number])[]): Topology {
  const names = Array.from({ length: count }, (_, i) => `s${i}`);
  const used = new Map(names.map((name) => [name, 0]));
  const end = (i: number): { node: string; port: number } => {
    const node = `s${i}`;
    const port = (used.get(node) ?? 0) + 1;
    used.set(node, port);
    return { node, port };
  };
  const common = { rate: 1e9, delay: 0 };
  return {
    name: 'fabric',
    switches: names.map((name, i) => ({
      name,
      deviceId: i + 1,
      nodeId: i + 1,
      clockUnitNs: 1,
      queueDepthUnitBytes: 1,
    })),
    hosts: names.map((_, i) => ({ name: `h${i}`, ipv4: 0x0a000001 + i, mac: i + 1 })),
    links: [
      ...names.map((node, i) => ({
        a: { node, port: 0 },
        b: { node: `h${i}`, port: 0 },
        ...common,
      })),
      ...edges.map(([a, b]) => ({ a: end(a), b: end(b), ...common })),
    ],
  };
}

const ring = (n: number): Topology =>
  fabric(
    n,
    Array.from({ length: n }, (_, i) => [i, (i + 1) % n] as const),
  );

function torus(width: number, height: number): Topology {
  const at = (x: number, y: number): number => (x % width) + width * (y % height);
  const cells = Array.from({ length: width * height }, (_, i) => [
    i % width,
    Math.floor(i / width),
  ]);
  return fabric(
    width * height,
    cells.flatMap(([x = 0, y = 0]) => [
      [at(x, y), at(x + 1, y)] as const,
      [at(x, y), at(x, y + 1)] as const,
    ]),
  );
}

/** All leaves with all spines: leaves come first. */
const leafSpine = (leaves: number, spines: number): Topology =>
  fabric(
    leaves + spines,
    Array.from(
      { length: leaves * spines },
      (_, i) => [i % leaves, leaves + Math.floor(i / leaves)] as const,
    ),
  );

/** Four pods of two leaves and two aggregation switches, and four cores above them. */
function fatTree(): Topology {
  const pods = [0, 1, 2, 3].map((pod) => 4 * pod);
  const inside = pods.flatMap((pod) =>
    [0, 1].flatMap((leaf) => [2, 3].map((above) => [pod + leaf, pod + above] as const)),
  );
  const cores = pods.flatMap((pod) =>
    [0, 1, 2, 3].map((core) => [pod + 2 + Math.floor(core / 2), 16 + core] as const),
  );
  return fabric(20, [...inside, ...cores]);
}

/** Groups of two leaves and two spines; spine i of each group is joined with spine i of each other. */
function dragonflyPlus(groups: number): Topology {
  const inside = Array.from({ length: groups }, (_, g) =>
    [0, 1].flatMap((leaf) => [2, 3].map((spine) => [4 * g + leaf, 4 * g + spine] as const)),
  ).flat();
  const between = Array.from({ length: groups }, (_, g) =>
    Array.from({ length: groups - g - 1 }, (_unused, i) =>
      [2, 3].map((spine) => [4 * g + spine, 4 * (g + i + 1) + spine] as const),
    ).flat(),
  ).flat();
  return fabric(4 * groups, [...inside, ...between]);
}

interface Walk {
  /** The longest way in hops between switches. */
  readonly longest: number;
  readonly ways: number;
}

/**
 * Follows every choice of every switch from all switches with the host's packets, and fails where
 * a packet meets a switch twice or is stuck.
 */
function walkAll(topology: Topology, method: PathMethod, host: HostNode): Walk {
  const ports = attachments(topology);
  const tables = new Map(
    topology.switches.map((own) => [own.name, candidatePaths(topology, own, method)]),
  );
  let [longest, ways] = [0, 0];
  const visit = (node: string, arrival: number, seen: readonly string[]): void => {
    if (seen.includes(node)) throw new Error(`loop: ${[...seen, node].join(' ')}`);
    if (`h${node.slice(1)}` === host.name) {
      ways++;
      longest = Math.max(longest, seen.length);
      return;
    }
    const found = candidatesFor(tables.get(node) ?? [], method, arrival, host);
    if (found.length === 0) throw new Error(`stuck: ${[...seen, node].join(' ')}`);
    for (const port of found) {
      const peer = ports.get(node)?.find((each) => each.port === port)?.peer;
      if (peer === undefined) throw new Error(`no link at ${node}:${port}`);
      visit(peer.node, arrivalClass(peer.port), [...seen, node]);
    }
  };
  for (const { name } of topology.switches) visit(name, 0, []);
  return { longest, ways };
}

/** As the data plane does: without the table of arrivals, all are of class 0. */
function candidatesFor(
  table: readonly CandidatePaths[],
  method: PathMethod,
  arrival: number,
  host: HostNode,
): readonly number[] {
  const wanted = method === 'equal-cost' ? 0 : arrival;
  const found = table.find((each) => each.arrival === wanted && each.host.name === host.name);
  return found?.ports ?? [];
}

const [METHODS] = [['equal-cost', 'non-minimal'] as const];

const FABRICS: readonly (readonly [string, Topology])[] = [
  ['a leaf-spine fabric', leafSpine(4, 3)],
  ['a fat tree of three tiers', fatTree()],
  ['a ring of five', ring(5)],
  ['a ring of six', ring(6)],
  ['a torus of 4 by 4', torus(4, 4)],
  ['a torus of 3 by 3', torus(3, 3)],
  ['a dragonfly+ of three groups', dragonflyPlus(3)],
];

describe.each(FABRICS)('in %s', (_name, topology) => {
  test.each(METHODS)('no choice of %s ways leads into a loop or a dead end', (method) => {
    for (const host of topology.hosts) walkAll(topology, method, host);
  });

  test('ways are at most two longer than twice the shortest way', () => {
    for (const host of topology.hosts) {
      const distance = hopsTo(host.name, topology, attachments(topology));
      const farthest = Math.max(...distance.values()) - 1;
      expect(walkAll(topology, 'equal-cost', host).longest).toBeLessThanOrEqual(farthest);
      expect(walkAll(topology, 'non-minimal', host).longest).toBeLessThanOrEqual(2 * farthest + 2);
    }
  });
});

test.each([
  ['a torus of 4 by 4', torus(4, 4)],
  ['a dragonfly+ of three groups', dragonflyPlus(3)],
  ['a ring of five', ring(5)],
])('in %s there are ways round', (_name, topology) => {
  const [host] = topology.hosts;
  if (host === undefined) throw new Error('a fabric has hosts');
  const [shortest, all] = METHODS.map((method) => walkAll(topology, method, host).ways);
  expect(all).toBeGreaterThan(shortest ?? 0);
});

test('in random fabrics no choice leads into a loop or a dead end', () => {
  const graph = fc.integer({ min: 2, max: 7 }).chain((count) =>
    fc.record({
      count: fc.constant(count),
      parents: fc.array(fc.nat(), { minLength: count - 1, maxLength: count - 1 }),
      extra: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 9 }),
    }),
  );
  fc.assert(
    fc.property(graph, ({ count, parents, extra }) => {
      const tree = parents.map((parent, i) => [i + 1, parent % (i + 1)] as const);
      const topology = fabric(count, [...tree, ...extra.filter(([a, b]) => a !== b)]);
      for (const method of METHODS) {
        for (const host of topology.hosts) walkAll(topology, method, host);
      }
    }),
    { numRuns: 150 },
  );
});

test('shortest ways come first and are counted, and there are at most eight ways', () => {
  const topology = leafSpine(2, 10);
  const [own] = topology.switches;
  if (own === undefined) throw new Error('a fabric has switches');
  const [found] = candidatePaths(topology, own, 'equal-cost');
  expect(found?.ports).toEqual([1, 2, 3, 4, 5, 6, 7, 8].slice(0, CANDIDATES_MAX));
  expect(found?.shortest).toBe(CANDIDATES_MAX);
});
