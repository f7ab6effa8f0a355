import type {
  DrawnNode,
  Network,
  NetworkGroup,
} from '../../../../../emulator/view/network/network';
import { networkOf } from '../../../../../emulator/view/network/network';
import { NetworkIndex, at } from '../../../../../emulator/view/network/network-index';
import { fabricResult, HOSTS_320, HOSTS_5000 } from '../../../../support/fabric-result';
import { RESULT } from '../../../../support/result';

const whole = ({ groups }: Network): NetworkGroup => groups[0] as NetworkGroup;
const names = (nodes: readonly DrawnNode[]): string[] => nodes.map(({ name }) => name);
const drawn = ({ nodes, lines }: NetworkGroup): number => nodes.length + 2 * lines.length;

test('hosts of one switch stand side by side, below it', () => {
  const nodes = ['s1', 's2', 'h1', 'h2', 'h3', 'h4'].map((name) => ({
    name,
    kind: name.startsWith('s') ? ('switch' as const) : ('host' as const),
  }));
  const wires = [
    ['h1', 's1'],
    ['s2', 'h2'],
    ['h3', 's1'],
    ['h4', 's2'],
  ] as const;
  const links = wires.map(([a, b]) => ({ a, b, rateGbps: 1, delayUs: 0 }));
  const network = networkOf({ ...RESULT, topology: { nodes, links } });
  expect(network.groups).toHaveLength(1);
  const hosts = whole(network).nodes.filter(({ kind }) => kind === 'host');
  expect(names(hosts)).toEqual(['h1', 'h3', 'h2', 'h4']);
  expect(new Set(hosts.map(({ row }) => row))).toEqual(new Set([1]));
});

test('each direction of a link has its load in thousandths and its queue, per interval', () => {
  const star = { kind: 'star', hosts: 2, rateGbps: 100, delayNs: 1000 } as const;
  const network = networkOf(
    fabricResult(
      star,
      (link, i) => (link === 's1:1->h1:1' && i < 2 ? [1100, 250][i] : 0) ?? 0,
      (link, i) => (link === 's1:1->h1:1' && i === 1 ? 7 : 0),
    ),
  );
  expect(network).toMatchObject({ intervalUs: 4, intervals: 32, withoutTime: 0, series: 1 });
  const [link] = new NetworkIndex(network).links;
  expect(link?.name).toBe('s1:1->h1:1');
  expect(link?.series?.load.slice(0, 3)).toEqual([1000, 250, 0]);
  expect(link?.series?.queueBytes.slice(0, 3)).toEqual([0, 7, 0]);
});

test('a run that nobody watched all the time has its average load', () => {
  const network = networkOf({ ...RESULT, durationUs: 10 });
  expect(network).toMatchObject({ intervalUs: 10, intervals: 1 });
  for (const { series } of new NetworkIndex(network).links) {
    expect(series?.load.length ?? 1).toBe(1);
  }
});

const TOPOLOGIES = [
  ['320 hosts', HOSTS_320],
  ['5,000 hosts', HOSTS_5000],
  ['a star of 500 hosts', { kind: 'star', hosts: 500, rateGbps: 100, delayNs: 1000 }],
  [
    'a torus of 4,096 hosts',
    { kind: 'torus', columns: 16, rows: 16, hostsPerSwitch: 16, rateGbps: 100, delayNs: 1000 },
  ],
  [
    'a dragonfly of 1,024 hosts',
    {
      kind: 'dragonfly-plus',
      groups: 16,
      leaves: 8,
      spines: 8,
      hostsPerLeaf: 8,
      rateGbps: 100,
      delayNs: 1000,
    },
  ],
] as const;

describe.each(TOPOLOGIES)('%s', (_, topology) => {
  const result = fabricResult(topology, (link) => (link.length * 37) % 900);
  const network = networkOf(result);

  test('are drawn in pictures that a reader can tell apart', () => {
    for (const group of network.groups) expect(drawn(group)).toBeLessThanOrEqual(400);
    expect(JSON.stringify(network).length).toBeLessThan(3e6);
  });

  test('have each node in one picture, and a way from the whole to it', () => {
    const inside = network.groups.flatMap(({ nodes }) =>
      nodes.filter(({ kind, isOutside }) => kind !== 'group' && isOutside !== true),
    );
    expect(names(inside).toSorted()).toEqual(
      result.topology.nodes.map(({ name }) => name).toSorted(),
    );
    network.groups.forEach(({ parent, hosts, switches }, i) => {
      if (parent === undefined) return;
      const place = network.groups[parent]?.nodes.find(
        ({ group, isOutside }) => group === i && isOutside !== true,
      );
      expect(place).toMatchObject({ kind: 'group', hosts, switches });
    });
  });

  test('have lines that stand for all links which leave a part, and show the fullest', () => {
    const { nodes, lines } = whole(network);
    const inside = nodes.reduce((sum, { group }) => sum + linksWithin(network, group), 0);
    const between = lines.reduce((sum, { links }) => sum + links, 0);
    expect(between + inside).toBe(result.topology.links.length);
    const loads = new Map(result.links.map(({ name }) => [name, (name.length * 37) % 900]));
    const all = [...loads.values()];
    const shown = [
      ...nodes.map(({ inside: within }) => at(within, 3).load),
      ...lines.flatMap(({ there, back }) => [at(there, 3).load, at(back, 3).load]),
    ];
    expect(Math.max(...shown)).toBe(Math.max(...all));
  });
});

/** Links with both ends in a group. */
function linksWithin({ groups }: Network, number: number | undefined): number {
  const { nodes = [], lines = [] } = groups[number ?? -1] ?? {};
  return (
    nodes.reduce(
      (sum, { group, isOutside }) =>
        sum + (isOutside ? 0 : linksWithin({ groups } as Network, group)),
      0,
    ) +
    lines.reduce(
      (sum, { a, b, links }) => sum + (nodes[a]?.isOutside || nodes[b]?.isOutside ? 0 : links),
      0,
    )
  );
}

test('a line of several links shows the fullest of each interval, and the longest queue', () => {
  const network = networkOf(
    fabricResult(
      HOSTS_5000,
      (link, i) => (/^agg-1-\d:\d+->spine/.test(link) ? Number(link[6]) * 10 + i : 0),
      (link, i) => (link === 'leaf-7-3:5->h1245:1' && i === 9 ? 900 : 0),
    ),
  );
  const { nodes, lines } = whole(network);
  const [spines, pod] = ['spine-1-1 to spine-4-4', 'leaf-1-1 to leaf-1-10'].map((name) =>
    nodes.findIndex((node) => node.name === name),
  );
  const line = lines.find(({ a, b }) => a === spines && b === pod);
  expect(line).toMatchObject({ links: 16 });
  expect(line?.there).toBeUndefined();
  expect(line?.back?.load.slice(0, 3)).toEqual([40, 41, 42]);
  const busy = nodes.find(({ name }) => name === 'leaf-7-1 to leaf-7-10');
  expect(busy).toMatchObject({ hosts: 200, switches: 14 });
  expect(at(busy?.inside, 9).queueBytes).toBe(900);
  expect(network.queuePeakBytes).toBe(900);
});

test('where all is busy, what matters least has the values of the whole run only', () => {
  const queue = (link: string): number => (link.startsWith('leaf-9-9:1->') ? 500 : 0);
  const network = networkOf(fabricResult(HOSTS_5000, () => 300, queue));
  expect(network.withoutTime).toBeGreaterThan(1000);
  expect(network.withoutTime).toBeLessThan(network.series);
  expect(JSON.stringify(network).length).toBeLessThan(3e6);
  for (const { there, back } of whole(network).lines) {
    expect([there?.load.length, back?.load.length]).toEqual([32, 32]);
  }
  const { links } = new NetworkIndex(network);
  expect(links.find(({ name }) => name.startsWith('leaf-9-9:1->'))?.series?.load).toHaveLength(32);
  expect(links.find(({ series }) => series?.load.length === 1)?.series?.load).toEqual([300]);
});

describe('a node or link', () => {
  const network = networkOf(fabricResult(HOSTS_5000, () => 0));
  const index = new NetworkIndex(network);

  test('is found by its name or a part of it', () => {
    expect(index.find('h123', 3).map(({ text }) => text)).toEqual(['h123', 'h1230', 'h1231']);
    const [found] = index.find('leaf-3-2', 1);
    expect(index.wayTo(found?.group ?? 0).map((i) => network.groups[i]?.name)).toEqual([
      'whole network',
      'leaf-3-1 to leaf-3-10',
      'leaf-3-2',
    ]);
    expect(index.find('h5001', 5)).toEqual([]);
  });

  test.each(['leaf-1-1 h7', 'leaf-1-1 to h7', 'leaf-1-1->h7', 'leaf-1-1:7->h7:1'])(
    'is found between two: %s',
    (text) => {
      const [found] = index.find(text, 1);
      expect(found).toMatchObject({ text: 'leaf-1-1:7->h7:1', names: ['leaf-1-1', 'h7'] });
      expect(names(network.groups[found?.group ?? 0]?.nodes ?? [])).toContain('h7');
    },
  );
});
