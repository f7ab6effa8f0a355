import { shortestRoutes } from '../../../../controller/intent/routing/routes';
import { HostRoutes } from '../../../../emulator/network/host-routes';
import { planNetwork } from '../../../../emulator/network/plan';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import { parseScenario } from '../../../../emulator/scenario/schema';

/** Numbers of a host from 0 in units that its place or its name tells. */
type Places = (index: number, name: string) => readonly number[];

interface Kind {
  readonly topology: string;
  readonly hosts: number;
  readonly placeOf: Places;
  /** Number of equal paths, by the places of both ends. */
  readonly paths: (a: readonly number[], b: readonly number[]) => number;
}

/** Numbers of a name, such as `g-3-1`. */
const inName: Places = (_, name) =>
  [...name.matchAll(/\d+/g)].map(([digits]) => Number(digits) - 1);
/** Place of the leaf and of the pod of hosts that are numbered through. */
const leafOf =
  (perLeaf: number, leaves = 1): Places =>
  (i) => [Math.floor(i / perLeaf), Math.floor(i / (perLeaf * leaves))];

/** Steps around a ring, and the number of ways round that are as short. */
function around(a: number, b: number, size: number): readonly [steps: number, ways: number] {
  const there = (b - a + size) % size;
  const back = size - there;
  return [there === 0 ? 0 : Math.min(there, back), there === back && size > 2 ? 2 : 1];
}

const choose = (n: number, k: number): number =>
  Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((a, b) => a * b, 1);

const KINDS: Readonly<Record<string, Kind>> = {
  star: { topology: 'kind: star, hosts: 5', hosts: 5, placeOf: () => [], paths: () => 1 },
  dumbbell: {
    topology: 'kind: dumbbell, left: 2, right: 3',
    hosts: 5,
    placeOf: () => [],
    paths: () => 1,
  },
  'leaf-spine': {
    topology: 'kind: leaf-spine, leaves: 3, spines: 4, hostsPerLeaf: 2',
    hosts: 6,
    placeOf: leafOf(2),
    paths: ([a], [b]) => (a === b ? 1 : 4),
  },
  'fat-tree of 4 ports': {
    topology: 'kind: fat-tree, k: 4',
    hosts: 16,
    placeOf: leafOf(2, 2),
    // k/2 within a pod, (k/2)^2 between pods.
    paths: ([a, podA], [b, podB]) => (a === b ? 1 : podA === podB ? 2 : 4),
  },
  clos: {
    topology: 'kind: clos, pods: 3, leaves: 2, aggregations: 2, spinesPerPlane: 3, hostsPerLeaf: 2',
    hosts: 12,
    placeOf: leafOf(2, 2),
    paths: ([a, podA], [b, podB]) => (a === b ? 1 : podA === podB ? 2 : 2 * 3),
  },
  'four-layers': {
    topology:
      'kind: four-layers, computingRacks: 2, switchingRacks: 2, hostsPerL1: 2, l1: 2, l2: 2, l4: 3',
    hosts: 8,
    placeOf: leafOf(2, 2),
    // L2, switching rack, L4, and L2 of the other rack.
    paths: ([a, rackA], [b, rackB]) => (a === b ? 1 : rackA === rackB ? 2 : 2 * 2 * 3 * 2),
  },
  'dragonfly-plus': {
    topology: 'kind: dragonfly-plus, groups: 3, leaves: 2, spines: 3, hostsPerLeaf: 2',
    hosts: 12,
    placeOf: leafOf(2, 2),
    paths: ([a], [b]) => (a === b ? 1 : 3),
  },
  torus: {
    topology: 'kind: torus, columns: 4, rows: 3, hostsPerSwitch: 2',
    hosts: 24,
    placeOf: (i) => [Math.floor(i / 6), Math.floor(i / 2) % 3],
    // Steps along both rings in any order, by either way round where both are as long.
    paths: ([ax = 0, ay = 0], [bx = 0, by = 0]) => {
      const [[dx, waysX], [dy, waysY]] = [around(ax, bx, 4), around(ay, by, 3)];
      return choose(dx + dy, dx) * waysX * waysY;
    },
  },
  'rails of one plane': {
    topology: 'kind: rails, segments: 2, servers: 2, gpus: 3, spines: 2',
    hosts: 12,
    placeOf: inName,
    paths: ([a = 0, gpuA], [b = 0, gpuB]) =>
      gpuA === gpuB && Math.floor(a / 2) === Math.floor(b / 2) ? 1 : 2,
  },
  'rails of two planes with links inside of servers': {
    topology:
      'kind: rails, segments: 2, servers: 2, gpus: 3, spines: 2, planes: 2, local: { rateGbps: 900, delayNs: 100 }',
    hosts: 12,
    placeOf: inName,
    paths: ([a = 0, gpuA], [b = 0, gpuB]) => {
      if (a === b) return 1;
      return gpuA === gpuB && Math.floor(a / 2) === Math.floor(b / 2) ? 2 : 2 * 2;
    },
  },
  planes: {
    topology: 'kind: planes, planes: 2, leaves: 2, spines: 3, hostsPerLeaf: 2',
    hosts: 4,
    placeOf: leafOf(2),
    paths: ([a], [b]) => (a === b ? 2 : 2 * 3),
  },
};

/** Number of paths between two hosts by the interfaces and routes that they and the switches have. */
function pathCounter(topology: string) {
  const text = `name: n\ntitle: t\ntopology: { ${topology}, rateGbps: 100, delayNs: 500 }`;
  const plain = expandTopology(parseScenario(text, 'n.yaml').topology);
  const units = { clockUnitNs: 1, queueDepthUnitBytes: 1, txUnitBytes: 1 };
  const plan = planNetwork(plain, units);
  const hostRoutes = new HostRoutes(plan);
  const routes = new Map(
    [...shortestRoutes(plan.topology)].map(([name, list]) => [
      name,
      new Map(list.map(({ host, nextHops }) => [host, nextHops])),
    ]),
  );
  const addresses = new Map(plan.topology.hosts.map(({ name, ipv4 }) => [name, ipv4]));
  const from = (node: string, to: string, left: number): number => {
    if (node === to) return 1;
    if (left === 0) throw new Error(`a loop on the way to ${to}`);
    const nextHops = routes.get(node)?.get(to) ?? [];
    return nextHops.reduce((sum, { peer }) => sum + from(peer.node, to, left - 1), 0);
  };
  const count = (a: string, b: string): number => {
    const own = plan.links.filter((link) => link.a.node === a || link.b.node === a);
    return hostRoutes.towards(a, addresses.get(b) ?? 0).reduce((sum, i) => {
      const link = own[i];
      const next = link?.a.node === a ? link.b.node : link?.a.node;
      return sum + from(next ?? '', b, plain.switches.length);
    }, 0);
  };
  return { hosts: plain.hosts, count };
}

describe('routes of every kind of topology', () => {
  test.each(Object.entries(KINDS))(
    '%s: all hosts reach each other, by as many paths as there are',
    (_, kind) => {
      const { hosts, count } = pathCounter(kind.topology);
      expect(hosts).toHaveLength(kind.hosts);
      const places = hosts.map((name, i) => kind.placeOf(i, name));
      for (const [i, a] of hosts.entries()) {
        for (const [j, b] of hosts.entries()) {
          if (i === j) continue;
          const expected = kind.paths(places[i] ?? [], places[j] ?? []);
          expect([a, b, count(a, b)]).toEqual([a, b, expected]);
        }
      }
    },
  );
});
