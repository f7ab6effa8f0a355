import type { Topology } from '../../../../common/topology/topology';
import { validateTopology } from '../../../../common/topology/validate-topology';
import { hostNode, leafSpine, line, link, switchNode } from '../../../support/topologies';

const changed = (change: Partial<Topology>): Topology => ({ ...line(), ...change });
const [s1, s2] = [switchNode(1), switchNode(2)];
const [h1, h2] = [hostNode(1), hostNode(2)];
const [first, second, third] = ['h1:0-s1:1', 's1:2-s2:2', 's2:1-h2:0'].map(link);

describe('validating a topology', () => {
  test('sound topologies pass', () => {
    expect(() => validateTopology(line())).not.toThrow();
    expect(() => validateTopology(leafSpine())).not.toThrow();
    const empty = { name: 'empty', switches: [], hosts: [], links: [] };
    expect(() => validateTopology(empty)).not.toThrow();
  });

  const links = [first, second, third].flatMap((each) => each ?? []);
  test.each<[string, Partial<Topology>]>([
    ['the name h1 is used twice', { switches: [{ ...s1, name: 'h1' }, s2] }],
    ['the node id 1 is used twice', { switches: [s1, { ...s2, nodeId: 1 }] }],
    ['the address 10.0.0.1 is used twice', { hosts: [h1, { ...h2, ipv4: h1.ipv4 }] }],
    ['the MAC address 02:01:00:00:00:01 is used twice', { hosts: [h1, { ...h2, mac: h1.mac }] }],
    [
      "switch 's1': wanted a node id from 1 to 65535, found 0",
      { switches: [{ ...s1, nodeId: 0 }, s2] },
    ],
    [
      "switch 's2': wanted a device id from 0 to 2^53 - 1, found -1",
      { switches: [s1, { ...s2, deviceId: -1 }] },
    ],
    [
      "switch 's1': wanted nanoseconds per clock unit from 1 to 65535, found 1.5",
      { switches: [{ ...s1, clockUnitNs: 1.5 }, s2] },
    ],
    [
      "switch 's1': wanted bytes per unit of queue depth from 1 to 65535, found 65536",
      { switches: [{ ...s1, queueDepthUnitBytes: 65536 }, s2] },
    ],
    ["host 'h1': wanted an IPv4 address, found -1", { hosts: [{ ...h1, ipv4: -1 }, h2] }],
    [
      "host 'h2': wanted a MAC address, found 281474976710656",
      { hosts: [h1, { ...h2, mac: 2 ** 48 }] },
    ],
    [
      "link s1:2 - s9:2: there is no node 's9'",
      { links: [...links.slice(0, 1), link('s1:2-s9:2'), ...links.slice(2)] },
    ],
    [
      'link s1:1 - s2:2: port s1:1 is used twice',
      { links: [...links.slice(0, 1), link('s1:1-s2:2'), ...links.slice(2)] },
    ],
    [
      'link s1:511 - s2:2: wanted a port from 0 to 510, found 511',
      { links: [...links.slice(0, 1), link('s1:511-s2:2'), ...links.slice(2)] },
    ],
    ["link s1:8 - s1:9: both ends are at 's1'", { links: [...links, link('s1:8-s1:9')] }],
    [
      'link s1:8 - s2:8: wanted a rate above 0, found 0',
      { links: [...links, { ...link('s1:8-s2:8'), rate: 0 }] },
    ],
    [
      'link s1:8 - s2:8: wanted a delay in whole picoseconds, found 0.5',
      { links: [...links, { ...link('s1:8-s2:8'), delay: 0.5 }] },
    ],
    [
      'link s1:8 - s2:8: wanted an MTU from 68 to 65535, found 60',
      { links: [...links, { ...link('s1:8-s2:8'), mtu: 60 }] },
    ],
    ["host 'h2': wanted a link, found none", { links: links.slice(0, 2) }],
    ["'s2' cannot be reached from 's1'", { links: links.filter((each) => each !== second) }],
  ])('it fails with: %s', (sentence, change) => {
    expect(() => validateTopology(changed(change))).toThrow(`topology 'line': ${sentence}`);
  });
});
