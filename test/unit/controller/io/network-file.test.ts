import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../common/io/repository';
import { describePlace } from '../../../../controller/entities/describe';
import { parseP4AppManifest } from '../../../../controller/document/p4app';
import { parseP4UtilsTopology } from '../../../../controller/document/p4-utils';
import { parseTutorialTopology } from '../../../../controller/document/tutorials';
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

  test.each(['missing', 'named below a file'])('says which runtime file is %s', async (how) => {
    const network = await ServedNetwork.start(0);
    if (how !== 'missing') network.file('x', '');
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

test('hosts with several links get ports in the order of links, in each foreign topology', () => {
  const two = {
    links: [
      ['h1', 's1-p1'],
      ['h1', 's2-p1'],
      ['h2', 's1-p2'],
    ],
  };
  const hosts = { h1: { ip: '10.0.1.1/24' }, h2: { ip: '10.0.1.2/24' } };
  const tutorial = parseTutorialTopology(
    JSON.stringify({ hosts, switches: { s1: {}, s2: {} }, ...two }),
    'topology.json',
  ).network(new Map());
  const edge = (node1: string, node2: string, port2: number) => ({ node1, node2, port1: 0, port2 });
  const graph = parseP4UtilsTopology(
    JSON.stringify({
      nodes: [
        ...['s1', 's2'].map((id) => ({ id, isP4Switch: true })),
        ...['h1', 'h2'].map((id) => ({ id, isHost: true })),
      ],
      links: [edge('h1', 's1', 1), edge('h1', 's2', 1), edge('h2', 's1', 2)],
    }),
    'topology.json',
  );
  for (const { links } of [tutorial, graph]) {
    expect(links?.map(({ between }) => between)).toEqual([
      ['h1:1', 's1:1'],
      ['h1:2', 's2:1'],
      ['h2', 's1:2'],
    ]);
  }
});

describe('a manifest of p4-utils', () => {
  const manifest = (strategy: string, more: object = {}): string =>
    JSON.stringify({
      p4_src: 'forward.p4',
      topology: {
        assignment_strategy: strategy,
        default: { bw: 10, queue_length: 30_000 },
        links: [
          ['h1', 's1'],
          ['s1', 's2', { bw: 0.5, delay: '2ms' }],
          ['s1', 's2'],
          ['h300', 's2'],
        ],
        hosts: { h1: {}, h300: {} },
        switches: { s1: {}, s2: {} },
        ...more,
      },
    });

  test.each([
    ['l2', '10.0.0.1', '10.0.1.44'],
    ['l3', '10.1.1.2', undefined],
    ['mixed', '10.0.1.1', undefined],
  ])('has the addresses of the strategy %s', (strategy, first, last) => {
    const hosts = { h1: {}, ...(last === undefined ? { h2: {} } : { h300: {} }) };
    const other = last === undefined ? 'h2' : 'h300';
    const links = [
      ['h1', 's1'],
      [other, 's2'],
    ];
    const found = parseP4AppManifest(manifest(strategy, { hosts, links }), 'p4app.json').hosts;
    const second = { l3: '10.2.2.2', mixed: '10.0.2.2' }[strategy] ?? last;
    expect(found?.map(({ ipv4 }) => ipv4)).toEqual([first, second]);
  });

  test('has parallel links at ports of their own, with the rates that it gives', async () => {
    const network = await ServedNetwork.start(0);
    const { spec } = await loadNetwork(network.file('p4app.json', manifest('l2')));
    expect(
      spec.topology.links.map(({ a, b, rate, delay }) => [
        a.node,
        a.port,
        b.node,
        b.port,
        rate,
        delay,
      ]),
    ).toEqual([
      ['h1', 0, 's1', 1, 1e7, 0],
      ['s1', 2, 's2', 1, 5e5, 2e9],
      ['s1', 3, 's2', 2, 1e7, 0],
      ['h300', 0, 's2', 3, 1e7, 0],
    ]);
    await network.stop();
  });

  test('may join hosts to several switches, or directly', async () => {
    const links = ['h1 h3', 'h1 s1', 's1 s2', 'h3 s2', 's2 h3'].map((link) => link.split(' '));
    const network = await ServedNetwork.start(0);
    const { spec } = await loadNetwork(
      network.file('p4app.json', manifest('mixed', { links, hosts: { h1: {}, h3: {} } })),
    );
    const ends = spec.topology.links.map(({ a, b }) => `${a.node}:${a.port} ${b.node}:${b.port}`);
    expect(ends).toEqual(['h1:1 h3:1', 'h1:2 s1:1', 's1:2 s2:1', 'h3:2 s2:2', 's2:3 h3:3']);
    expect(spec.topology.hosts.map(({ ipv4 }) => ipv4 & 0xffff)).toEqual([0x101, 0x203]);
    await network.stop();
  });

  test.each([
    [
      'a node that it does not name',
      { links: [['h1', 's9']] },
      'topology.links.0: s9 is no switch',
    ],
    [
      'a rate in quotes',
      { links: [['h1', 's1', { bw: '10' }]] },
      'topology.links[0]: wanted [node, node], or the same and {"bw": Mb/s',
    ],
    ['loss', { default: { loss: 3 } }, 'topology.links.0: wanted a link without loss, found 3 %'],
    ['no address', { assignment_strategy: 'manual' }, 'topology.hosts.h1: the strategy manual'],
  ])('is refused for %s', (_what, more, message) => {
    expect(() => parseP4AppManifest(manifest('l2', more), 'p4app.json')).toThrow(message);
  });
});

test.each([
  [
    'a manifest that lacks a part',
    { topology: { hosts: {}, links: [] } },
    'topology.switches: is missing',
  ],
  [
    'a link of the tutorials whose bandwidth is a text',
    { hosts: {}, switches: {}, links: [['h1', 's1-p1', 0, '0.5']] },
    'links[0]: wanted [node, node], perhaps with latency ("5ms", or a number of ms)',
  ],
])('names what is wrong in %s', async (_what, content, message) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'network-file-'));
  const file = path.join(folder, 'topology.json');
  fs.writeFileSync(file, JSON.stringify(content));
  await expect(loadNetwork(file)).rejects.toThrow(message);
  fs.rmSync(folder, { recursive: true });
});

test('import refuses what is neither', async () => {
  const { code, err } = await runController('import', path.join(FIXTURES, 'fabric.p4'));
  expect([code, err]).toEqual([1, expect.stringContaining('wanted a topology.json')]);
});
