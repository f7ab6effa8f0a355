import { neighbourIn, nextHopIn } from '../../../../../host-agent/io/net/next-hop';

const ROUTES = [
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
  'eth0\t00000000\t0102A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
  'eth0\t0002A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0',
  'eth1\t0000000A\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0',
  'eth1\t0009000A\t00000000\t0000\t0\t0\t0\t00FFFFFF\t0\t0\t0',
  '',
].join('\n');

const NEIGHBOURS = [
  'IP address       HW type     Flags       HW address            Mask     Device',
  '192.168.2.1      0x1         0x2         52:54:00:12:34:56     *        eth0',
  '192.168.2.7      0x1         0x0         00:00:00:00:00:00     *        eth0',
  '10.0.0.2         0x1         0x6         02:00:00:01:00:02     *        eth1',
  '',
].join('\n');

describe('the routes of the kernel', () => {
  test.each([
    ['a neighbour', 'eth0', 0xc0a8_0205, 0xc0a8_0205],
    ['a host behind the gateway', 'eth0', 0x0808_0808, 0xc0a8_0201],
    ['a host that only another interface reaches', 'eth1', 0xc0a8_0205, undefined],
    ['a host in a network whose narrower route is down', 'eth1', 0x0a00_0901, 0x0a00_0901],
  ])('lead to %s', (_what, name, destination, hop) => {
    expect(nextHopIn(ROUTES, name, destination)).toBe(hop);
  });

  test('lead nowhere when there are none', () => {
    expect(nextHopIn('Iface\n', 'eth0', 1)).toBeUndefined();
  });
});

describe('the neighbours of the kernel', () => {
  test.each([
    ['that it has heard of', 'eth0', 0xc0a8_0201, 0x5254_0012_3456],
    ['that were given by hand', 'eth1', 0x0a00_0002, 0x0200_0001_0002],
    ['that have not answered', 'eth0', 0xc0a8_0207, undefined],
    ['of another interface', 'eth0', 0x0a00_0002, undefined],
  ])('are those %s', (_what, name, address, mac) => {
    expect(neighbourIn(NEIGHBOURS, name, address)).toBe(mac);
  });
});
