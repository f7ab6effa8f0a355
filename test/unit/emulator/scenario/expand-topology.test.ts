import { expandTopology } from '../../../../emulator/scenario/expand-topology';

const shape = { rateGbps: 100, delayNs: 1000 };

describe('topology families', () => {
  test('a star links every host to one switch', () => {
    const star = expandTopology({ kind: 'star', hosts: 3, ...shape });
    expect(star.switches).toEqual(['s1']);
    expect(star.links.map(({ a, b }) => `${a}-${b}`)).toEqual(['s1-h1', 's1-h2', 's1-h3']);
  });

  test('a dumbbell has a trunk of its own rate', () => {
    const dumbbell = expandTopology({
      kind: 'dumbbell',
      left: 2,
      right: 1,
      trunkRateGbps: 40,
      ...shape,
    });
    expect(dumbbell.links.map(({ a, b, rateGbps }) => `${a}-${b} ${rateGbps}`)).toEqual([
      's1-h1 100',
      's1-h2 100',
      's2-h3 100',
      's1-s2 40',
    ]);
  });

  test('a leaf-spine fabric links every leaf to every spine', () => {
    const fabric = expandTopology({
      kind: 'leaf-spine',
      leaves: 2,
      spines: 2,
      hostsPerLeaf: 1,
      ...shape,
    });
    expect(fabric.switches).toEqual(['leaf1', 'leaf2', 'spine1', 'spine2']);
    expect(fabric.links.map(({ a, b }) => `${a}-${b}`)).toEqual([
      'leaf1-h1',
      'leaf2-h2',
      'leaf1-spine1',
      'leaf1-spine2',
      'leaf2-spine1',
      'leaf2-spine2',
    ]);
  });
});
