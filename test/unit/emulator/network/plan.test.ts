import { planNetwork } from '../../../../emulator/network/plan';

const UNITS = { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 64 };
const link = (a: string, b: string) => ({ a, b, rateGbps: 25, delayNs: 3, lossRate: 0.5 });

describe('the plan of a network', () => {
  test('numbers switches, hosts and ports in their order', () => {
    const plain = {
      switches: ['s1', 's2'],
      hosts: ['h1', 'h2'],
      links: [link('s1', 's2'), link('s2', 'h2'), link('s1', 'h1')],
    };
    const { topology, links } = planNetwork(plain, UNITS);
    expect(topology.switches).toEqual([
      { name: 's1', deviceId: 1, nodeId: 1, ...UNITS },
      { name: 's2', deviceId: 2, nodeId: 2, ...UNITS },
    ]);
    expect(topology.hosts).toEqual([
      { name: 'h1', ipv4: 0x0a00_0001, mac: 0x0201_0000_0001 },
      { name: 'h2', ipv4: 0x0a00_0002, mac: 0x0201_0000_0002 },
    ]);
    const ends = links.map(({ a, b }) => `${a.node}:${a.port} ${b.node}:${b.port}`);
    expect(ends).toEqual(['s1:1 s2:1', 's2:2 h2:1', 's1:2 h1:1']);
    // Gb/s and ns become bits per second and ps.
    expect(links[0]).toMatchObject({ rate: 25e9, delay: 3000, lossRate: 0.5 });
    expect(topology.links[0]).toMatchObject({ rate: 25e9, delay: 3000, mtu: 9000 });
  });

  test('has up to 510 links at one switch, because 511 is the port that drops', () => {
    const star = (count: number) => {
      const hosts = Array.from({ length: count }, (_, i) => `h${i + 1}`);
      return { switches: ['s1'], hosts, links: hosts.map((host) => link('s1', host)) };
    };
    expect(planNetwork(star(510), UNITS).links[509]?.a.port).toBe(510);
    expect(() => planNetwork(star(511), UNITS)).toThrow('s1 has more than 510 links');
  });
});
