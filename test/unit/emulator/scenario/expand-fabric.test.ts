import { expandFabric } from '../../../../emulator/scenario/fabric';
import type { FabricDocument } from '../../../../emulator/scenario/fabric';
import type { Fabric } from '../../../../emulator/scenario/fabric-parts';
import { expandTopology, participantsOf } from '../../../../emulator/scenario/expand-topology';

const RATES = { rateGbps: 100, delayNs: 1000, slowLinks: [] };

const linksOf = ({ links }: Fabric): string[] => links.map(({ a, b }) => `${a} ${b}`);

const degreesOf = (fabric: Fabric): number[] => {
  const ends = fabric.links.flatMap(({ a, b }) => [a, b]);
  const degrees = fabric.switches.map((name) => ends.filter((end) => end === name).length);
  return [...new Set(degrees)];
};

describe('the four layers of the draft', () => {
  const fabric = expandFabric({
    kind: 'four-layers',
    computingRacks: 2,
    switchingRacks: 2,
    hostsPerL1: 1,
    l1: 1,
    l2: 2,
    l4: 1,
    ...RATES,
  });

  it('are named as in its figure', () => {
    expect(fabric.hosts).toEqual(['H-1-1', 'H-2-1']);
    expect(fabric.switches).toEqual([
      'L1-1-1',
      'L2-1-1',
      'L2-1-2',
      'L1-2-1',
      'L2-2-1',
      'L2-2-2',
      'L3-1-1',
      'L3-1-2',
      'L4-1-1',
      'L3-2-1',
      'L3-2-2',
      'L4-2-1',
    ]);
  });

  it('join every L2 of a rack to the L3 of that rack in every switching rack', () => {
    const links = linksOf(fabric);
    expect(links).toEqual(
      expect.arrayContaining(['L2-1-1 L3-1-1', 'L2-1-2 L3-2-1', 'L3-1-2 L4-1-1']),
    );
    expect(links).not.toContain('L2-1-1 L3-1-2');
    expect(links).toHaveLength(2 + 4 + 8 + 4);
  });
});

describe('other fabrics', () => {
  it('of three layers join aggregation switches to the spines of their plane', () => {
    const clos = expandFabric({
      kind: 'clos',
      pods: 2,
      leaves: 2,
      aggregations: 2,
      spinesPerPlane: 2,
      hostsPerLeaf: 2,
      ...RATES,
    });
    expect(clos.hosts).toHaveLength(8);
    expect(degreesOf(clos)).toEqual([4, 2]);
    expect(linksOf(clos)).toContain('agg-1-2 spine-2-1');
    expect(linksOf(clos)).not.toContain('agg-1-2 spine-1-1');
  });

  it.each([
    [4, 1, { hosts: 16, switches: 20, links: 48 }],
    [6, 2, { hosts: 108, switches: 45, links: 108 + 108 }],
  ])('of a fat tree of k = %d, oversubscribed %d times', (k, oversubscription, expected) => {
    const tree = expandFabric({ kind: 'fat-tree', k, oversubscription, ...RATES });
    const { hosts, switches, links } = tree;
    expect({ hosts: hosts.length, switches: switches.length, links: links.length }).toEqual(
      expected,
    );
    const degree = (name: string): number =>
      links.filter(({ a, b }) => a === name || b === name).length;
    for (const name of switches.filter((each) => !each.startsWith('leaf'))) {
      expect(degree(name)).toBe(k);
    }
    expect(degree('leaf-1-1')).toBe((k / 2) * (1 + oversubscription));
  });

  it('of dragonfly+ join each spine to its like in every other group', () => {
    const dragonfly = expandFabric({
      kind: 'dragonfly-plus',
      groups: 3,
      leaves: 2,
      spines: 2,
      hostsPerLeaf: 2,
      ...RATES,
    });
    expect(dragonfly.hosts).toHaveLength(12);
    expect(degreesOf(dragonfly)).toEqual([4]);
    expect(linksOf(dragonfly).filter((link) => /^spine/.test(link))).toHaveLength(6);
  });

  it.each([
    [3, 3, [5], 18],
    [2, 3, [4], 9],
    [2, 2, [3], 4],
  ])(
    'of a torus of %d by %d have rings, and a ring of two is one link',
    (columns, rows, degrees, count) => {
      const torus = expandFabric({ kind: 'torus', columns, rows, hostsPerSwitch: 1, ...RATES });
      expect(degreesOf(torus)).toEqual(degrees);
      expect(torus.links.filter(({ isEdge }) => !isEdge)).toHaveLength(count);
    },
  );

  it('have their rates: hosts, switches, and single links', () => {
    const document: FabricDocument = {
      kind: 'torus',
      columns: 2,
      rows: 2,
      hostsPerSwitch: 1,
      rateGbps: 100,
      delayNs: 5,
      fabricRateGbps: 400,
      slowLinks: [{ between: ['s-1-1', 's-2-1'], rateGbps: 10 }],
    };
    const rates = expandTopology(document).links.map(({ rateGbps }) => rateGbps);
    expect(rates.filter((rate) => rate === 100)).toHaveLength(4);
    expect(rates.filter((rate) => rate === 400)).toHaveLength(3);
    expect(rates.filter((rate) => rate === 10)).toHaveLength(1);
    const [between] = document.slowLinks.map((each) => each.between);
    const down = { ...document, slowLinks: [{ between, rateGbps: 400, backRateGbps: 10 }] };
    expect(expandTopology(down as FabricDocument).links).toContainEqual(
      expect.objectContaining({ a: 's-1-1', b: 's-2-1', rateGbps: 400, backRateGbps: 10 }),
    );
    const wrong = { ...document, slowLinks: [{ between: ['s-1-1', 's-9-9'], rateGbps: 1 }] };
    expect(() => expandTopology(wrong as FabricDocument)).toThrow(
      'slowLinks: no link of the fabric leads from s-1-1 up to s-9-9',
    );
  });
});

describe('fabrics for training', () => {
  const RAILS = {
    kind: 'rails',
    segments: 2,
    servers: 2,
    gpus: 4,
    planes: 1,
    spines: 2,
    ...RATES,
  } as const;

  it('of rails join GPU n of the servers of a segment to rail switch n', () => {
    const fabric = expandFabric(RAILS);
    expect(fabric.hosts).toHaveLength(16);
    expect(fabric.hosts.slice(0, 5)).toEqual(['g-1-1', 'g-1-2', 'g-1-3', 'g-1-4', 'g-2-1']);
    expect(fabric.switches).toHaveLength(2 * 4 + 2);
    expect(linksOf(fabric)).toEqual(
      expect.arrayContaining(['rail-1-3 g-2-3', 'rail-2-3 g-3-3', 'rail-2-3 spine-1']),
    );
    expect(fabric.links).toHaveLength(16 + 8 * 2);
  });

  it('have two ToR switches for each GPU where they have two planes, which nothing joins', () => {
    const fabric = expandFabric({ ...RAILS, planes: 2 });
    expect(linksOf(fabric).filter((link) => link.endsWith(' g-4-1'))).toEqual([
      'rail-2-1-1 g-4-1',
      'rail-2-1-2 g-4-1',
    ]);
    const between = linksOf(fabric).filter((link) => / spine/.test(link));
    expect(between).toHaveLength(2 * 8 * 2);
    expect(between.every((link) => /^rail-\d-\d-(\d) spine-\1-/.test(link))).toBe(true);
  });

  it('have links inside of servers with a rate of their own, which no load counts', () => {
    const document = { ...RAILS, local: { rateGbps: 3600, delayNs: 100 } };
    const plain = expandTopology(document);
    const local = plain.links.filter(({ a }) => a === 'nv-3');
    expect(local.map(({ b }) => b)).toEqual(['g-3-1', 'g-3-2', 'g-3-3', 'g-3-4']);
    expect(local[0]).toMatchObject({ rateGbps: 3600, delayNs: 100 });
    expect(participantsOf(plain)[0]).toEqual({ name: 'g-1-1', rateGbps: 100 });
  });

  it('of several planes have a link of every host in each', () => {
    const fabric = expandFabric({
      kind: 'planes',
      planes: 4,
      leaves: 2,
      spines: 2,
      hostsPerLeaf: 3,
      ...RATES,
    });
    expect(linksOf(fabric).filter((link) => link.endsWith(' h5'))).toEqual(
      [1, 2, 3, 4].map((plane) => `leaf-${plane}-2 h5`),
    );
    expect(fabric.links).toHaveLength(4 * (6 + 4));
    expect(
      participantsOf(
        expandTopology({
          kind: 'planes',
          planes: 4,
          leaves: 2,
          spines: 2,
          hostsPerLeaf: 3,
          ...RATES,
        }),
      )[0],
    ).toEqual({ name: 'h1', rateGbps: 400 });
  });
});
