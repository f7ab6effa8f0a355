import { loadP4Artifacts } from '../../../../../common/io/p4-profiles';
import { networkSpec } from '../../../../../controller/document/network';
import { parseNetwork } from '../../../../../controller/document/load';
import { describeChange } from '../../../../../controller/plan/describe-plan';
import { compiledPipeline } from '../../../../../controller/p4runtime/requests/pipeline';
import { prepareNetwork } from '../../../../../controller/io/prepare';
import { loadedProgram } from '../../../../../controller/io/program-files';

const KEY = 'key: {id: 1, bytes: 000102030405060708090a0b0c0d0e0f}';

const HOSTS = 'hosts: [{name: h1}, {name: h2}]';

const document = (coordination: string): string => `
coordination: {highBytes: 100000, lowBytes: 50000, ${KEY}${coordination}}
switches: [{name: l1}, {name: l2, ipv4: 192.0.2.2}, {name: p1}, {name: p2, nodeId: 300}]
${HOSTS}
links:
  - {between: [h1, "l1:1"], rate: 100 Gb/s}
  - {between: [h2, "l2:1"], rate: 100 Gb/s}
  - {between: ["l1:2", "p1:1"], rate: 100 Gb/s}
  - {between: ["l1:3", "p2:1"], rate: 100 Gb/s}
  - {between: ["l2:2", "p1:2"], rate: 100 Gb/s}
  - {between: ["l2:3", "p2:2"], rate: 100 Gb/s}
`;

const KEY_HALVES = 'low = 506097522914230528, high = 1084818905618843912';
const EGRESS = 'standard_metadata.egress_port';
const [H1, H2] = ['hdr.ipv4.dst_addr = 10.0.0.1', 'hdr.ipv4.dst_addr = 10.0.0.2'];

function slots(shortest: number, ...ports: readonly number[]): string {
  const all = Array.from({ length: 8 }, (_, i) => `port_${i} = ${ports[i] ?? 511}`);
  return [`shortest = ${shortest}`, ...all].join(', ');
}

/** Plans show numbers of 32 bits in the form of addresses. */
const partner = (id: string, address: string, slot: number): string[] => [
  `ar_point (ar_id = ${id}): set_point(dst_addr = ${address})`,
  `peer (sender_node = ${id}, key_id = 1): set_peer(${KEY_HALVES}, slot = ${slot})`,
];

const parse = (text: string): unknown => parseNetwork(text, 'ccm.yaml');

/** Lines of a plan for the entities of a switch beyond routes to hosts and port records. */
const linesOf = (
  profile: string,
  name: string,
  coordination = '',
  hosts = HOSTS,
): Promise<string[]> =>
  linesWith(loadedProgram(profile, compiledPipeline(loadP4Artifacts(profile))), {
    name,
    coordination,
    hosts,
  });

/** The same for a program. */
async function linesWith(
  program: ReturnType<typeof loadedProgram>,
  { name, coordination, hosts }: { name: string; coordination: string; hosts: string },
): Promise<string[]> {
  const text = document(coordination).replace(HOSTS, hosts);
  const spec = networkSpec(parseNetwork(text, 'ccm.yaml'));
  const switches = await prepareNetwork(spec, { load: () => Promise.resolve(program) });
  const found = switches.find(({ spec: { node } }) => node.name === name);
  return (found?.management.desired ?? [])
    .map((entity) => describeChange({ type: 'insert', entity }).slice(2))
    .filter((line) => !/ecmp|port_record|= 10\.0\.0\.\d\//.test(line))
    .map((line) => line.replaceAll(/\b(ingress|egress)\.\w+\.(\w+\.)*/g, ''));
}

describe('coordination', () => {
  test('a leaf knows its ways, its ports, its peers and what to do', async () => {
    expect(await linesOf('hpcc-ccm', 'l1')).toEqual([
      'clone session 102: ports 509',
      'coordination_settings (default): set_coordination(mode = 2, ar_id = 1, ' +
        'clock_unit_ns = 1000, pin_age_ns = 1000000, flowlet_gap_ns = 0, interval_ns = 50000, ' +
        'clone_session = 102)',
      'incast_settings (default): set_incast(interval_ns = 50000, release_after_ns = 50000, ' +
        'renew_after_ns = 166667, clone_session = 102)',
      'sender (default): set_sender(node_id = 1, src_addr = 10.255.0.1, dscp = 48, key_id = 1, ' +
        `${KEY_HALVES}, boot = 1)`,
      'next_hop (port = 1): set_next_hop(dst_mac = 02:01:00:00:00:01, src_mac = 02:00:00:01:00:01)',
      'next_hop (port = 2): set_next_hop(dst_mac = 02:00:00:03:00:01, src_mac = 02:00:00:01:00:02)',
      'next_hop (port = 3): set_next_hop(dst_mac = 02:00:01:2c:00:01, src_mac = 02:00:00:01:00:03)',
      `candidates (arrival = 0, ${H2}): set_candidates(${slots(2, 2, 3)})`,
      'ipv4_route (hdr.ipv4.dst_addr = 192.0.2.2/32): member 3',
      'ipv4_route (hdr.ipv4.dst_addr = 10.255.0.3/32): member 3',
      'ipv4_route (hdr.ipv4.dst_addr = 10.255.1.44/32): member 4',
      `thresholds (${EGRESS} = 1): watch_host_port(high_bytes = 100000, low_bytes = 50000, ` +
        'shared_high_bytes = 100000, shared_low_bytes = 50000, full_bytes = 0, window_ns = 50000)',
      `thresholds (${EGRESS} = 2): watch_port(high_bytes = 100000, low_bytes = 50000)`,
      `thresholds (${EGRESS} = 3): watch_port(high_bytes = 100000, low_bytes = 50000)`,
      `tag_end (${EGRESS} = 1): strip_tag()`,
      ...partner('0.0.0.2', '192.0.2.2', 2),
      ...partner('0.0.0.3', '10.255.0.3', 3),
      ...partner('0.0.1.44', '10.255.1.44', 300),
      'sender_ipv6 (default): set_ipv6_sender(src_addr = ::)',
      'load_settings (default): set_load_window(shift = 0)',
      'spray_settings (default): set_spray(sprays = 0)',
    ]);
  });

  const hosts = 'hosts: [{name: h1, ipv6: "fd00::1"}, {name: h2, ipv6: "fd00::2"}]';

  test.each(['ipv6_route', 'sender_ipv6', 'ar_point_ipv6', 'candidates_ipv6'])(
    'a program without %s coordinates IPv4 alone',
    async (missing) => {
      const { p4info, ...rest } = loadP4Artifacts('hpcc-ccm');
      const info = JSON.parse(p4info) as { tables: { preamble: { alias: string } }[] };
      info.tables = info.tables.filter(({ preamble }) => preamble.alias !== missing);
      const pipeline = compiledPipeline({ ...rest, p4info: JSON.stringify(info) });
      const asked = { name: 'l1', coordination: '', hosts };
      const lines = await linesWith(loadedProgram('hpcc-ccm', pipeline), asked);
      expect(lines.filter((line) => line.startsWith('candidates '))).toHaveLength(1);
      const ofCoordination =
        /^(sender_ipv6 .*fd48|ar_point_ipv6|candidates_ipv6|ipv6_route .*fd48)/;
      expect(lines.filter((line) => ofCoordination.test(line))).toEqual([]);
    },
  );

  test('hosts with IPv6 addresses are coordinated over IPv6 too', async () => {
    const without = await linesOf('hpcc-ccm', 'l1');
    const added = (await linesOf('hpcc-ccm', 'l1', '', hosts)).filter(
      (line) => !without.includes(line),
    );
    const address = 'fd48:5043:4300::';
    expect(
      added.filter((line) => !line.includes('fd00::1/') && !line.includes('fd00::2/')),
    ).toEqual([
      `sender_ipv6 (default): set_ipv6_sender(src_addr = ${address}aff:1)`,
      `candidates_ipv6 (arrival = 0, hdr.ipv6.dst_addr = fd00::2): set_candidates(${slots(2, 2, 3)})`,
      `ipv6_route (hdr.ipv6.dst_addr = ${address}c000:202/128): member 3`,
      `ipv6_route (hdr.ipv6.dst_addr = ${address}aff:3/128): member 3`,
      `ipv6_route (hdr.ipv6.dst_addr = ${address}aff:12c/128): member 4`,
      `ar_point_ipv6 (ar_id = 0.0.0.2): set_ipv6_point(dst_addr = ${address}c000:202)`,
      `ar_point_ipv6 (ar_id = 0.0.0.3): set_ipv6_point(dst_addr = ${address}aff:3)`,
      `ar_point_ipv6 (ar_id = 0.0.1.44): set_ipv6_point(dst_addr = ${address}aff:12c)`,
    ]);
  });

  test('ports to hosts have thresholds of their own for several flows', async () => {
    const lines = await linesOf('hpcc-ccm', 'l1', ', incastHighBytes: 20000, incastLowBytes: 5000');
    expect(lines).toContain(
      `thresholds (${EGRESS} = 1): watch_host_port(high_bytes = 100000, low_bytes = 50000, ` +
        'shared_high_bytes = 20000, shared_low_bytes = 5000, full_bytes = 0, window_ns = 50000)',
    );
    await expect(linesOf('hpcc-ccm', 'l1', ', incastLowBytes: 100001')).rejects.toThrow(
      'wanted at most incastHighBytes, 100000, found 100001',
    );
  });

  test('ports of an incast that stay full keep their flows, whom requests reach before they forget', async () => {
    const more = ', releaseBelow: 0.8, interval: 100 us, holdTime: 600 us';
    const lines = await linesOf('hpcc-ccm', 'l1', more);
    // 100 Gb/s for 100 us are 1.25 MB.
    expect(lines.filter((line) => line.includes('full_bytes'))).toEqual([
      expect.stringContaining('full_bytes = 1000000, window_ns = 100000'),
    ]);
    expect(lines.filter((line) => line.includes('set_incast'))).toEqual([
      expect.stringContaining('renew_after_ns = 200000'),
    ]);
    // At most one notification of a type per interval, however short the hosts' memory.
    const short = await linesOf('hpcc-ccm', 'l1', ', interval: 100 us, holdTime: 150 us');
    expect(short.join()).toContain('renew_after_ns = 100000,');
    await expect(
      linesOf('hpcc-ccm', 'l1', ', releaseBelow: 0.8, interval: 1100 ms'),
    ).rejects.toThrow('wanted at most 1 s with releaseBelow, found 1.1 s');
    await expect(linesOf('hpcc-ccm', 'l1', ', releaseBelow: 0')).rejects.toThrow('releaseBelow');
  });

  test('windows of loads are rounded down to a power of two', async () => {
    const lines = await linesOf('hpcc-ccm', 'l1', ', loadWindow: 8 us');
    expect(lines).toContain('load_settings (default): set_load_window(shift = 12)');
  });

  test('load is balanced packet by packet where the document says so', async () => {
    const lines = await linesOf('hpcc-ccm', 'l1', ', balancing: spray');
    expect(lines).toContain('spray_settings (default): set_spray(sprays = 1)');
  });

  test('modes, times, keys of single switches and tags are as the document says', async () => {
    const lines = await linesOf(
      'hpcc-ccm',
      'l2',
      ', mode: adaptive, interval: 20 us, releaseAfter: 1 ms, pinAge: 2 ms, flowletGap: 30 us' +
        ', boot: 5, notificationDscp: 1, keepTagAtHosts: true, cloneSession: 7, port: 8' +
        ', keys: [{switch: l1, id: 9, bytes: ffffffffffffffff0000000000000001}]',
    );
    const saying = (what: string): string[] => lines.filter((line) => line.includes(what));
    expect(saying('set_coordination')).toEqual([
      expect.stringContaining(
        'mode = 1, ar_id = 2, clock_unit_ns = 1000, pin_age_ns = 2000000, ' +
          'flowlet_gap_ns = 30000, interval_ns = 20000, clone_session = 7',
      ),
    ]);
    expect(saying('set_incast')).toEqual([
      expect.stringContaining('interval_ns = 20000, release_after_ns = 1000000'),
    ]);
    expect(saying('set_sender')).toEqual([
      expect.stringContaining('src_addr = 192.0.2.2, dscp = 1, key_id = 1'),
    ]);
    expect(saying('set_sender')[0]).toContain('boot = 5');
    expect(saying('key_id = 9')).toEqual([
      expect.stringContaining('low = 18446744073709551615, high = 72057594037927936, slot = 1'),
    ]);
    expect(saying('strip_tag')).toEqual([]);
    expect(saying('clone session')).toEqual(['clone session 7: ports 8']);
  });

  test('ways round depend on where packets come from', async () => {
    const lines = await linesOf('hpcc-ccm', 'p1', ', paths: non-minimal');
    expect(lines.filter((line) => /^(arrival|candidates) /.test(line))).toEqual([
      'arrival (standard_metadata.ingress_port = 1): set_arrival(arrival = 2)',
      'arrival (standard_metadata.ingress_port = 2): set_arrival(arrival = 3)',
      `candidates (arrival = 0, ${H1}): set_candidates(${slots(1, 1, 2)})`,
      `candidates (arrival = 3, ${H1}): set_candidates(${slots(1, 1)})`,
      `candidates (arrival = 0, ${H2}): set_candidates(${slots(1, 2, 1)})`,
      `candidates (arrival = 2, ${H2}): set_candidates(${slots(1, 2)})`,
    ]);
  });

  test('programs without it get none of it', async () => {
    expect(await linesOf('hpcc', 'l1')).toEqual([]);
  });
});

describe('a document with coordination is refused', () => {
  test.each([
    [
      `, keys: [{switch: l1, id: 1, bytes: ${'00'.repeat(16)}}]`,
      /keys\[0\]\.bytes: wanted 32 hexadecimal digits .*, in quotes if they look like a number/,
    ],
    [', interval: 5', /coordination\.interval: wanted a duration such as 1\.5 us/],
    [', mode: fast', /coordination\.mode: .*"ecmp"\|"adaptive"\|"coordinated"/],
    [', port: 3', /coordination\.port: wanted a port without link, but 'l1:3' has one/],
    [', boot: 0', /coordination\.boot: /],
    [', keys: [{switch: x, id: 1, bytes: 0a}]', /keys\[0\]\.bytes: wanted 32 hexadecimal digits/],
    [
      `, keys: [{switch: x, id: 1, bytes: ${'0a'.repeat(16)}}]`,
      /coordination\.keys\[0\]\.switch: there is no switch 'x'/,
    ],
    [', speed: 1', /coordination: .*speed/],
  ])('with %s', (text, message) => {
    expect(() => parse(document(text))).toThrow(message);
  });

  test('with thresholds in the wrong order', () => {
    const text = document('').replace('lowBytes: 50000', 'lowBytes: 100001');
    expect(() => parse(text)).toThrow(
      /^ccm\.yaml:2: coordination\.lowBytes: wanted at most highBytes, 100000, found 100001$/,
    );
  });

  test('with node ids that tags cannot name', () => {
    const text = document('').replace('nodeId: 300', 'nodeId: 8190');
    expect(() => parse(text)).toThrow(
      /switches\[3\]\.nodeId: wanted a node id up to 8189, which coordination tags can name, found 8190$/,
    );
  });
});
