import * as fc from 'fast-check';
import { formatIpv4, formatMac, parseIpv4, parseMac } from '../../../../common/topology/topology';
import { attachments, linkFrom, macAt, switchPortMac } from '../../../../common/topology/topology';
import { leafSpine, line } from '../../../support/topologies';

describe('a topology', () => {
  test('the ports of a node come in ascending order with what is at their far ends', () => {
    const ports = attachments(leafSpine()).get('s1');
    expect(ports?.map(({ port, peer }) => [port, peer.node, peer.port])).toEqual([
      [1, 'h1', 0],
      [2, 'h2', 0],
      [3, 's3', 1],
      [4, 's4', 1],
    ]);
  });

  test('each port has its link as it sees it', () => {
    const topology = line();
    const [first, ...others] = topology.links;
    const uneven = { ...first, rate: 100e9, delay: 5, backRate: 25e9 } as (typeof others)[number];
    const ports = attachments({ ...topology, links: [uneven, ...others] });
    const [a, b] = [uneven.a, uneven.b].map(({ node, port }) =>
      ports.get(node)?.find((each) => each.port === port),
    );
    expect([a?.link.rate, b?.link.rate]).toEqual([100e9, 25e9]);
    expect([a?.link.delay, b?.link.delay]).toEqual([5, 5]);
    expect([a?.link.a, b?.link.a]).toEqual([uneven.a, uneven.b]);
    expect(linkFrom(linkFrom(uneven, uneven.b.node), uneven.a.node)).toMatchObject(uneven);
  });

  test('switch ports have locally administered MAC addresses of node id and port', () => {
    expect(formatMac(switchPortMac(1, 2))).toBe('02:00:00:01:00:02');
    expect(formatMac(switchPortMac(0xabcd, 510))).toBe('02:00:ab:cd:01:fe');
    expect(() => switchPortMac(0x10000, 1)).toThrow('Internal error');
  });

  test('either end of a link has a MAC address', () => {
    expect(formatMac(macAt(line(), { node: 'h2', port: 0 }))).toBe('02:01:00:00:00:02');
    expect(formatMac(macAt(line(), { node: 's2', port: 1 }))).toBe('02:00:00:02:00:01');
    expect(() => macAt(line(), { node: 'x', port: 1 })).toThrow('Internal error');
  });
});

describe('addresses as text', () => {
  test('what is written is read back', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), fc.maxSafeNat(), (low, big) => {
        const [ipv4, mac] = [low * 2 - (low % 2), big % 2 ** 48];
        expect(parseIpv4(formatIpv4(ipv4 % 2 ** 32))).toBe(ipv4 % 2 ** 32);
        expect(parseMac(formatMac(mac))).toBe(mac);
      }),
    );
  });

  test.each(['10.0.0', '10.0.0.256', '10.0.0.1.2', 'x', ''])('%j is no IPv4 address', (text) => {
    expect(parseIpv4(text)).toBeUndefined();
  });

  test.each(['02:00:00:00:00', '2:0:0:0:0:1', '02-00-00-00-00-01', ''])(
    '%j is no MAC address',
    (text) => {
      expect(parseMac(text)).toBeUndefined();
    },
  );
});
