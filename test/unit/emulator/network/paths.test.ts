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
});
