import { LightPaths } from '../../../../emulator/coordination/light-paths';
import { planNetwork } from '../../../../emulator/network/plan';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';

/** Hosts h1 to h4, two at each of two leaves under two spines; spines at ports 3 and 4 of a leaf. */
function lightPaths(): LightPaths {
  const plain = expandTopology({
    kind: 'leaf-spine',
    ...{ leaves: 2, spines: 2, hostsPerLeaf: 2, rateGbps: 100, delayNs: 1000 },
  });
  const units = { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 1 };
  return new LightPaths(planNetwork(plain, units).links, plain.hosts);
}

const loaded =
  (...ports: string[]) =>
  (node: string, port: number): boolean =>
    ports.includes(`${node}:${port}`);

describe('a light path', () => {
  const paths = lightPaths();

  it.each([
    ['nothing is loaded', [], true],
    ['one of two spines is behind a loaded port', ['leaf1:3'], true],
    ['both spines are', ['leaf1:3', 'leaf1:4'], false],
    ['one is, and the other leads on to a loaded port', ['leaf1:3', 'spine2:2'], false],
    ['the last port is loaded, which all paths share', ['leaf2:1'], false],
    ['ports that lead elsewhere are loaded', ['leaf2:2', 'leaf2:3', 'spine1:1'], true],
  ])('is there or not when %s', (_what, ports, expected) => {
    expect(paths.exists('h1', 'h3', loaded(...ports))).toBe(expected);
  });

  it('within one leaf needs no spine', () => {
    expect(paths.exists('h1', 'h2', loaded('leaf1:3', 'leaf1:4'))).toBe(true);
    expect(paths.exists('h1', 'h2', loaded('leaf1:2'))).toBe(false);
  });
});
