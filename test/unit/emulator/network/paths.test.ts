import { Paths, baseRtt } from '../../../../emulator/network/paths';
import { planNetwork } from '../../../../emulator/network/plan';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import type { TopologyDocument } from '../../../../emulator/scenario/schema';

const UNITS = { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 1 };
const pathsOf = (document: TopologyDocument): Paths =>
  new Paths(planNetwork(expandTopology(document), UNITS));
const FRAMES = { data: 1074, payload: 1000, hop: 32, acknowledgement: 74, echoedHop: 32 };

describe('paths', () => {
  test('in a star have two links, in a leaf-spine fabric four', () => {
    const shape = { rateGbps: 100, delayNs: 1000 };
    const star = pathsOf({ kind: 'star', hosts: 3, ...shape });
    expect(star.between('h1', 'h2')).toHaveLength(2);
    const fabric = pathsOf({ kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2, ...shape });
    expect(fabric.between('h1', 'h2')).toHaveLength(2);
    expect(fabric.between('h1', 'h4')).toHaveLength(4);
  });

  test('begin and end at the hosts, at hosts of one link and of several', () => {
    const link = (a: string, b: string) => ({
      between: [a, b] as [string, string],
      rateGbps: 100,
      delayNs: 1000,
      lossRate: 0,
    });
    const paths = pathsOf({
      kind: 'custom',
      switches: ['s1', 's2'],
      hosts: ['a', 'b', 'c'],
      links: [link('a', 's1'), link('s1', 's2'), link('s2', 'b'), link('c', 's1'), link('c', 's2')],
    });
    expect(paths.nodesBetween('a', 'b')).toEqual(['b', 's2', 's1', 'a']);
    expect(paths.nodesBetween('c', 'b')).toEqual(['b', 's2', 'c']);
    expect(paths.nodesBetween('b', 'c')).toEqual(['c', 's2', 'b']);
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'a'],
      ['a', 'c'],
    ] as const) {
      expect(paths.between(from, to)).toHaveLength(paths.nodesBetween(from, to).length - 1);
      expect(paths.has(from, to)).toBe(true);
    }
    expect(paths.has('a', 'a')).toBe(false);
    expect(paths.has('a', 'none')).toBe(false);
  });

  test('exist between all hosts of a plan, which refuses anything else', () => {
    const document: TopologyDocument = {
      kind: 'custom',
      switches: ['s1', 's2'],
      hosts: ['a', 'b'],
      links: [
        { between: ['s1', 'a'], rateGbps: 1, delayNs: 1, lossRate: 0 },
        { between: ['s2', 'b'], rateGbps: 1, delayNs: 1, lossRate: 0 },
      ],
    };
    expect(() => pathsOf(document)).toThrow("'s2' cannot be reached from 's1'");
  });
});

describe('the base RTT', () => {
  test('counts propagation, headers and the acknowledgement on every link', () => {
    const path = pathsOf({ kind: 'star', hosts: 2, rateGbps: 100, delayNs: 1000 });
    // 4 x 1000 ns; data 1074 and 1106 bytes, acknowledgement 106 bytes twice, 80 ps per byte.
    const bytes = 1074 + 1106 + 2 * 106;
    expect(baseRtt(path.between('h1', 'h2'), FRAMES)).toBe(4_000_000 + bytes * 80);
  });

  test('has the rate and the delay of the direction that data and acknowledgement take', () => {
    const link = { rateGbps: 100, delayNs: 1000, lossRate: 0 };
    const paths = pathsOf({
      kind: 'custom',
      switches: ['s1'],
      hosts: ['h1', 'h2'],
      links: [
        { between: ['h1', 's1'], ...link, backRateGbps: 25, backDelayNs: 3000 },
        { between: ['s1', 'h2'], ...link },
      ],
    });
    // 6 us of propagation either way; 320 ps per byte from s1 to h1 alone.
    const to = (1074 + 1106 + 106) * 80 + 106 * 320;
    const back = (1074 + 2 * 106) * 80 + 1106 * 320;
    expect(baseRtt(paths.between('h1', 'h2'), FRAMES)).toBe(6_000_000 + to);
    expect(baseRtt(paths.between('h2', 'h1'), FRAMES)).toBe(6_000_000 + back);
  });
});
