import { formatIpv4, formatMac } from '../../../../common/topology/topology';
import { parseNetwork } from '../../../../controller/document/load';
import { networkSpec } from '../../../../controller/document/network';

const DOCUMENT = `
network: pair
switches:
  - {name: s1, address: "127.0.0.1:1001"}
  - {name: s2, deviceId: 7, address: "[::1]:1002", packetBytes: 1000}
hosts:
  - {name: h1, ipv6: "FD00::1"}
  - {name: h2, ipv4: 10.9.0.2, mac: "02:00:00:00:00:aa", mtu: 1400}
links:
  - {between: [h1, "s1:1"], rate: 10 Mb/s}
  - {between: ["s1:2", "s2:1"], rate: 2.5 Gb/s, delay: 1.5 us, mtu: 9000}
  - {between: ["s2:2", h2], rate: 10 Mb/s, up: false}
`;

const replaced = (from: string, to: string): string => {
  if (!DOCUMENT.includes(from)) throw new Error(`the document has no '${from}'`);
  return DOCUMENT.replace(from, to);
};

const failure = (text: string): string => {
  try {
    networkSpec(parseNetwork(text, 'net.yaml'));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'it was accepted';
};

describe('a network document', () => {
  test('has the units of Tofino for switches under Stratum, unless it says others', () => {
    const unitsOf = (more: string): readonly unknown[] => {
      const text = replaced('packetBytes: 1000', `target: stratum${more}`);
      const node = networkSpec(parseNetwork(text, 'net.yaml')).topology.switches[1];
      return [node?.clockUnitNs, node?.queueDepthUnitBytes];
    };
    expect(unitsOf('')).toEqual([1, 80]);
    expect(unitsOf(', queueUnitBytes: 176')).toEqual([1, 176]);
  });

  test('becomes a topology with every default filled in', () => {
    const { topology, switches } = networkSpec(parseNetwork(DOCUMENT, 'net.yaml'));
    expect(topology.switches).toEqual([
      {
        name: 's1',
        deviceId: 1,
        nodeId: 1,
        grpcAddress: '127.0.0.1:1001',
        clockUnitNs: 1000,
        queueDepthUnitBytes: 1514,
      },
      {
        name: 's2',
        deviceId: 7,
        nodeId: 2,
        grpcAddress: '[::1]:1002',
        clockUnitNs: 1000,
        queueDepthUnitBytes: 1000,
      },
    ]);
    const hosts = topology.hosts.map((host) => [
      host.name,
      formatIpv4(host.ipv4),
      host.ipv6,
      formatMac(host.mac),
      host.mtu,
    ]);
    expect(hosts).toEqual([
      ['h1', '10.0.0.1', 'fd00::1', '02:01:00:00:00:01', undefined],
      ['h2', '10.9.0.2', undefined, '02:00:00:00:00:aa', 1400],
    ]);
    expect(topology.links).toEqual([
      { a: { node: 'h1', port: 0 }, b: { node: 's1', port: 1 }, rate: 1e7, delay: 0, up: true },
      {
        a: { node: 's1', port: 2 },
        b: { node: 's2', port: 1 },
        rate: 2.5e9,
        delay: 1_500_000,
        up: true,
        mtu: 9000,
      },
      { a: { node: 's2', port: 2 }, b: { node: 'h2', port: 0 }, rate: 1e7, delay: 0, up: false },
    ]);
    expect(switches.map(({ program }) => program)).toEqual(['hpcc', 'hpcc']);
  });

  test('may be JSON', () => {
    const text = JSON.stringify({ switches: [{ name: 's1' }] });
    expect(parseNetwork(text, 'net.json').switches[0]?.name).toBe('s1');
  });

  test.each([
    [
      'rate: 10 Mb/s}\n  - {between: ["s1:2"',
      'rate: 10}\n  - {between: ["s1:2"',
      10,
      'links[0].rate',
    ],
    ['rate: 2.5 Gb/s', 'rate: 2.5 GB/s', 11, 'links[1].rate'],
    ['delay: 1.5 us', 'delay: 1 hour', 11, 'links[1].delay'],
    ['ipv4: 10.9.0.2', 'ipv4: 10.9.0.256', 8, 'hosts[1].ipv4'],
    ['ipv6: "FD00::1"', 'ipv6: "fd00::1::2"', 7, 'hosts[0].ipv6'],
    ['02:00:00:00:00:aa', '02:00', 8, 'hosts[1].mac'],
    ['address: "127.0.0.1:1001"', 'address: "127.0.0.1"', 4, 'switches[0].address'],
    ['deviceId: 7', 'deviceId: seven', 5, 'switches[1].deviceId'],
    ['mtu: 1400', 'mtu: 14', 8, 'hosts[1].mtu'],
    ['{name: s1,', '{name: s1, colour: red,', 4, 'switches[0]'],
    ['"s1:2", "s2:1"', '"s1:2", "s3:1"', 11, 'links[1].between[1]'],
    ['"s1:2", "s2:1"', '"s1:2", "s2"', 11, 'links[1].between[1]'],
    ['"s1:2", "s2:1"', '"s1:2", "s2:511"', 11, 'links[1].between[1]'],
    ['"s1:2", "s2:1"', '"s1:1", "s2:1"', 11, 'links[1].between[0]'],
    ['"s1:2", "s2:1"', '"s1:2", "s1:3"', 11, 'links[1].between'],
    ['{name: h2,', '{name: h1,', 8, 'hosts[1].name'],
    ['"s2:2", h2', '"s2:2", h1', 12, 'links[2].between[1]'],
    ['deviceId: 7,', 'deviceId: 7, nodeId: 1,', 5, 'switches[1].nodeId'],
  ])('is refused with file, line and path when %s becomes %s', (from, to, line, path) => {
    expect(failure(replaced(from, to))).toMatch(
      new RegExp(`^net\\.yaml:${line}: ${path.replace(/[[\].]/g, '\\$&')}: `),
    );
  });

  test.each([
    ['"s1:2", "s2:1"', '"s1:2", "s3:1"', "there is no switch or host 's3'"],
    ['"s1:2", "s2:1"', '"s1:2", "s2"', "wanted a port, as in 's2:1', found 's2'"],
    ['rate: 2.5 Gb/s', 'rate: fast', "wanted a rate such as 10 Mb/s, found 'fast'"],
    ['ipv4: 10.9.0.2', 'ipv4: ten', "wanted an IPv4 address such as 10.0.0.1, found 'ten'"],
    ['{name: h2,', '{name: s1,', 'the name s1 is used twice'],
  ])('says what was wanted and what was found: %s to %s', (from, to, sentence) => {
    expect(failure(replaced(from, to))).toContain(sentence);
  });

  test('with several faults tells all of them', () => {
    const text = replaced('deviceId: 7', 'deviceId: x').replace('mtu: 1400', 'mtu: 1');
    expect(failure(text).split('\n')).toHaveLength(2);
  });

  test('that is no YAML is refused with its line', () => {
    expect(failure('switches:\n  - {name: s1\n')).toMatch(/^net\.yaml:\d: /);
  });

  test('that is empty is refused', () => {
    expect(failure('')).toMatch(/^net\.yaml:1: network document: /);
  });

  const entry = (text: string): string =>
    failure(`switches:\n  - name: s1\n    entries:\n      - ${text}\n`);

  test.each([
    ['{table: t, match: {a: 1}}', 'wanted exactly one of action, oneShot, member and group'],
    ['{table: t, action: a, member: 1}', 'wanted exactly one of action, oneShot, member and group'],
    ['{table: t, member: 1, arguments: {x: 1}}', 'arguments belong to an action'],
    ['{table: t, default: true, member: 1}', 'a default entry has an action and no match'],
    ['{table: t, action: a, priority: -1}', 'Too small'],
  ])('refuses the entry %s', (text, sentence) => {
    expect(entry(text)).toMatch(/^net\.yaml:4: switches\[0\]\.entries\[0\]/);
    expect(entry(text)).toContain(sentence);
  });

  test.each([
    ['watch: [{switch: s9}]', 'telemetry.watch[0].switch', "there is no switch 's9'"],
    ['collector: {host: h9, port: 1}', 'telemetry.collector.host', "there is no host 'h9'"],
    [
      'ioam: {namespaces: [{id: 1, directExport: {}}]}',
      'telemetry.ioam.namespaces[0].directExport',
      'direct export wants telemetry.collector',
    ],
    [
      'ioam: {servicePaths: [{id: 1, to: h9}]}',
      'telemetry.ioam.servicePaths[0].to',
      "there is no host 'h9'",
    ],
    [
      'ioam: {servicePaths: [{id: 1, to: h1}, {id: 1, index: 255, to: h2}]}',
      'telemetry.ioam.servicePaths[1]',
      'the path 1 with index 255 is there twice',
    ],
    [
      'ioam: {servicePaths: [{id: 1, to: h1, namespace: 4}]}',
      'telemetry.ioam.servicePaths[0].namespace',
      'telemetry.ioam.namespaces has no 4',
    ],
    [
      'ioam: {servicePaths: [{id: 1, to: h1, watch: [{switch: s9}]}]}',
      'telemetry.ioam.servicePaths[0].watch[0].switch',
      "there is no switch 's9'",
    ],
    ['ecn: {minBytes: 9, maxBytes: 1}', 'telemetry.ecn', 'wanted minBytes up to maxBytes'],
  ])('refuses telemetry: {%s}', (text, path, sentence) => {
    const found = failure(`telemetry: {${text}}\n${DOCUMENT}`);
    expect(found).toContain(`net.yaml:1: ${path}: `);
    expect(found).toContain(sentence);
  });

  test('refuses a service path whose trace nobody takes', () => {
    const deaf = replaced('{name: h1, ', '{name: h1, telemetry: false, ');
    const paths = 'ioam: {servicePaths: [{id: 1, to: h1}]}';
    expect(failure(`telemetry: {${paths}}\n${deaf}`)).toContain(
      "telemetry.ioam.servicePaths[0]: the trace of a path to 'h1' wants telemetry.collector",
    );
    const taken = `telemetry: {${paths}, collector: {host: h2, port: 9}}\n${deaf}`;
    expect(failure(taken)).toBe('it was accepted');
  });

  test('refuses a multicast group and a clone session that are there twice', () => {
    const twice = (text: string): string => failure(`switches: [{name: s1, ${text}}]`);
    const replicas = 'replicas: [{port: 1}]';
    expect(twice(`multicastGroups: [{group: 1, ${replicas}}, {group: 1, ${replicas}}]`)).toContain(
      'switches[0].multicastGroups[1].group: the multicast group 1 is used twice',
    );
    expect(
      twice(`cloneSessions: [{session: 1, ${replicas}}, {session: 1, ${replicas}}]`),
    ).toContain('switches[0].cloneSessions[1].session: the clone session 1 is used twice');
  });
});
