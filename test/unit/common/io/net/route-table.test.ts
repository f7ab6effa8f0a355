import { execFileSync } from 'node:child_process';
import { parseRouteAnswer, routeRequest } from '../../../../../common/io/net/route-message';
import { RouteTable } from '../../../../../common/io/net/route-table';
import type { Leg } from '../../../../../bench/live/test-bed';
import { NetworkNamespace } from '../../../../../common/io/net/network-namespace';
import { parseIpv4 } from '../../../../../common/topology/topology';
import { canMakeNamespaces, makeLeg, removeLeg } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';

const address = (text: string): number => parseIpv4(text) ?? NaN;
const ROOT = 'needs root and the ip command to make network namespaces';

describe('messages about routes', () => {
  test('ask for the route of the table, by address', () => {
    const hex = Buffer.from(routeRequest(address('10.0.0.2'), 7)).toString('hex');
    expect(hex).toBe(
      '240000001a0001000700000000000000' + '022000000000000000200000' + '080001000a000002',
    );
  });

  test('are read as far as they go', () => {
    const answer = Uint8Array.from(
      Buffer.from(
        '3400000018000000070000000000000002200000fe03000100000000' +
          '080001000a0000020800040003000000080005000a000009',
        'hex',
      ),
    );
    expect(parseRouteAnswer(answer)).toEqual([{ index: 3, gateway: address('10.0.0.9') }]);
    for (let length = 0; length < answer.length; length++) {
      expect(() => parseRouteAnswer(answer.subarray(0, length))).not.toThrow();
    }
  });
});

describeIf(canMakeNamespaces(), 'routes of the kernel', ROOT, () => {
  let leg: Leg;
  let place: NetworkNamespace;
  let routes: RouteTable;

  beforeEach(() => {
    leg = makeLeg();
    ip('link', 'add', 'name', 'other', 'type', 'veth', 'peer', 'name', 'end');
    ip('address', 'add', '10.0.0.1/24', 'dev', leg.inner);
    for (const name of ['other', 'end']) ip('link', 'set', 'dev', name, 'up');
    place = NetworkNamespace.open(`/run/netns/${leg.namespace}`);
    routes = place.run(() => new RouteTable());
  });

  afterEach(() => {
    routes.close();
    NetworkNamespace.own().run(() => place.close());
    removeLeg(leg);
  });

  const ip = (...args: readonly string[]): void =>
    void execFileSync('ip', ['-n', leg.namespace, ...args]);
  const indexOf = (name: string): number => {
    const argv = ['-n', leg.namespace, '-j', 'link', 'show', 'dev', name];
    const [link] = JSON.parse(execFileSync('ip', argv, { encoding: 'utf8' })) as {
      ifindex: number;
    }[];
    return link?.ifindex ?? NaN;
  };

  test('lead over the link, by a gateway, by all of several ways, or nowhere', () => {
    const [inner, other] = [indexOf(leg.inner), indexOf('other')];
    const gateway = ['via', '10.0.0.9', 'dev', leg.inner];
    ip('route', 'add', '10.1.0.0/16', ...gateway);
    ip('route', 'add', '10.2.0.0/16', 'nexthop', 'dev', 'other', 'nexthop', ...gateway);
    ip('route', 'add', 'unreachable', '10.3.0.0/16');
    const ways = (text: string) => routes.waysTo(address(text));
    expect(ways('10.0.0.7')).toEqual([{ index: inner, gateway: undefined }]);
    expect(ways('10.1.2.3')).toEqual([{ index: inner, gateway: address('10.0.0.9') }]);
    expect(ways('10.2.2.3')).toEqual([
      { index: other, gateway: undefined },
      { index: inner, gateway: address('10.0.0.9') },
    ]);
    expect(ways('10.3.2.3')).toEqual([]);
    expect(ways('192.0.2.1')).toEqual([]);
  });

  test('lose ways whose link is down, at either end, and get them back', () => {
    const [inner, other] = [indexOf(leg.inner), indexOf('other')];
    ip('route', 'add', '10.2.0.2', 'nexthop', 'dev', 'other', 'nexthop', 'dev', leg.inner);
    const ways = (): readonly number[] =>
      routes.waysTo(address('10.2.0.2')).map(({ index }) => index);
    for (const name of ['other', 'end']) {
      ip('link', 'set', 'dev', name, 'down');
      expect(ways()).toEqual([inner]);
      ip('link', 'set', 'dev', name, 'up');
      expect(ways()).toEqual([other, inner]);
    }
  });
});
