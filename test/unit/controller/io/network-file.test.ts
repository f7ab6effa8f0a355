import * as path from 'node:path';
import { repositoryRoot } from '../../../../common/io/repository';
import { describePlace } from '../../../../controller/entities/describe';
import { loadNetwork } from '../../../../controller/io/network-file';
import type { PreparedSwitch } from '../../../../controller/io/prepare';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';

/** Generous: a loaded machine is slow. */
const FIXTURES = path.join(repositoryRoot(), 'test/fixtures/controller');
const TUTORIAL = path.join(FIXTURES, 'tutorial/pod/topology.json');
const P4_UTILS = path.join(FIXTURES, 'p4-utils/topology.json');

const named = (switches: readonly PreparedSwitch[], name: string): PreparedSwitch => {
  const found = switches.find(({ spec }) => spec.node.name === name);
  if (found === undefined) throw new Error(`no switch ${name}`);
  return found;
};

const spelt = ({ management }: PreparedSwitch): string[] => management.desired.map(describePlace);

describe('a topology of the p4lang tutorials', () => {
  test('is refused as a whole when one of its programs has no tables that fit', async () => {
    const { switches } = await loadNetwork(TUTORIAL);
    expect(spelt(named(switches, 's1'))).toEqual(
      expect.arrayContaining([
        'multicast group 1',
        'clone session 100',
        'ingress.acl (hdr.ethernet.src_addr = 08:00:00:00:01:11, hdr.ipv4.src_addr = ' +
          '10.0.0.0&&&255.0.0.0, hdr.ipv4.ttl = 1..5) at priority 2',
        'ingress.ecmp_seed (default)',
      ]),
    );
  });

  test('gives switches the ids and ports of its Mininet script, in the order of their names', async () => {
    const { spec } = await loadNetwork(TUTORIAL);
    const { switches } = spec.topology;
    expect(switches.map((each) => [each.name, each.deviceId, each.grpcAddress])).toEqual([
      ['s1', 0, '127.0.0.1:50051'],
      ['s2', 1, '127.0.0.1:50052'],
      ['s10', 2, '127.0.0.1:50053'],
    ]);
  });

  test('limits the queues of links that have a bandwidth, and no others', async () => {
    const { switches, spec } = await loadNetwork(TUTORIAL);
    expect(switches.map(({ queues }) => queues.map(({ port }) => port))).toEqual([[2], [1, 2], []]);
    expect(named(switches, 's2').queues[0]?.packetsPerSecond).toBe(Math.round(5e6 / 8 / 1514));
    expect(spec.topology.links.map(({ rate, delay }) => [rate, delay])).toEqual([
      [1e10, 0],
      [5e6, 0],
      [2e6, 2e9],
      [1e10, 1e10],
    ]);
  });

  test('says which runtime file is missing', async () => {
    const network = await ServedNetwork.start(0);
    const text = '{"hosts": {}, "switches": {"s1": {"runtime_json": "x/r.json"}}, "links": []}';
    const file = network.file('topology.json', text);
    await expect(loadNetwork(file)).rejects.toThrow(
      `${file}: there is no runtime file x/r.json in ${network.folder} or above it`,
    );
    await network.stop();
  });

  test('is refused with file, line and path when a part is wrong', async () => {
    const network = await ServedNetwork.start(0);
    const file = network.file(
      'topology.json',
      '{"hosts": {"h1": {"ip": 5}},\n "switches": {},\n "links": []}',
    );
    await expect(loadNetwork(file)).rejects.toThrow(`${file}:1: hosts.h1.ip: `);
    await network.stop();
  });

  test('becomes a document of our own, which means the same', async () => {
    const { out, code } = await runController('import', TUTORIAL);
    expect(code).toBe(0);
    const network = await ServedNetwork.start(0);
    const again = await loadNetwork(network.file('own.yaml', out));
    const { switches } = await loadNetwork(TUTORIAL);
    expect(again.switches.map(spelt)).toEqual(switches.map(spelt));
    await network.stop();
  });
});

describe('a topology that p4-utils has written', () => {
  test('gives P4 switches, hosts, and the links between them', async () => {
    const { spec, document } = await loadNetwork(P4_UTILS);
    const { switches, hosts, links } = spec.topology;
    expect(switches.map((each) => [each.name, each.deviceId, each.grpcAddress])).toEqual([
      ['s1', 1, '127.0.0.1:9559'],
      ['s2', 2, undefined],
    ]);
    expect(hosts.map(({ name, ipv4, mac }) => [name, ipv4, mac])).toEqual([
      ['h1', 0x0a000101, 0x00000a000101],
      ['h2', 0x0a000202, 0x00000a000202],
    ]);
    expect(
      links.map(({ a, b, rate, delay }) => [a.node, a.port, b.node, b.port, rate, delay]),
    ).toEqual([
      ['h1', 0, 's1', 1, 1e10, 0],
      ['s1', 2, 's2', 2, 1e7, 5e9],
      ['h2', 0, 's2', 1, 1e10, 0],
    ]);
    expect(document.switches.map(({ thrift }) => thrift)).toEqual([
      '127.0.0.1:9090',
      '127.0.0.1:9091',
    ]);
  });
});

test('import refuses what is neither', async () => {
  const { code, err } = await runController('import', path.join(FIXTURES, 'fabric.p4'));
  expect([code, err]).toEqual([1, expect.stringContaining('wanted a topology.json')]);
});
