import * as path from 'node:path';
import { loadP4Artifacts } from '../../../../../common/io/p4-profiles';
import { tofinoArtifactFolder } from '../../../../../common/io/tna-compiler';
import { networkSpec } from '../../../../../controller/document/network';
import { parseNetwork } from '../../../../../controller/document/load';
import { describeChange } from '../../../../../controller/plan/describe-plan';
import {
  compiledPipeline,
  loadP4Info,
} from '../../../../../controller/p4runtime/requests/pipeline';
import { prepareNetwork } from '../../../../../controller/io/prepare';
import { loadedProgram } from '../../../../../controller/io/program-files';
import type { LoadedProgram } from '../../../../../controller/io/program-files';
import { programNamed } from '../../../../p4/support/tofino-models';

const DOCUMENT = `
telemetry:
  maxHops: 6
  untrustedDscp: 8
  watch:
    - {switch: s1, from: 10.0.0.0/24, to: 10.9.0.0/16, protocol: udp, toPort: 5001, oneIn: 64}
    - {switch: s1, from: "fd00::/16", oneIn: 0}
    - {switch: s1, dscp: 46}
    - {switch: s2, fromPort: 7}
  collector: {host: h3, port: 1234}
  feedback: {queueBytes: 50000, interval: 20 us, responseDscp: 26, toReceiver: true}
  classes: [{dscp: 46, queue: 7}, {dscp: 8, queue: 1}]
  ecn: {minBytes: 1000, maxBytes: 9000, maxProbability: 0.25}
switches:
  - {name: s1, ports: [{port: 4, untrusted: true}]}
  - {name: s2, ipv4: 192.0.2.2}
hosts:
  - {name: h1, telemetry: false, ipv6: "fd00::1"}
  - {name: h2, ipv6: "fd00::2"}
  - {name: h3}
  - {name: h4}
links:
  - {between: [h1, "s1:1"], rate: 100 Gb/s}
  - {between: [h4, "s1:4"], rate: 100 Gb/s}
  - {between: ["s1:2", "s2:1"], rate: 100 Gb/s}
  - {between: ["s2:2", h2], rate: 100 Gb/s}
  - {between: ["s2:3", h3], rate: 100 Gb/s}
`;

/** Lines of a plan for the entities of a switch beyond routes and port records. */
async function linesOf(profile: string, name: string, text = DOCUMENT): Promise<string[]> {
  const pipeline = compiledPipeline(programNamed(profile));
  return linesFor(loadedProgram(profile, pipeline), name, text);
}

async function linesFor(program: LoadedProgram, name: string, text = DOCUMENT): Promise<string[]> {
  const spec = networkSpec(parseNetwork(text, 'roles.yaml'));
  const switches = await prepareNetwork(spec, { load: () => Promise.resolve(program) });
  const found = switches.find(({ spec: { node } }) => node.name === name);
  return (found?.management.desired ?? [])
    .map((entity) => describeChange({ type: 'insert', entity }).slice(2))
    .filter((line) => !/ecmp|_route|_members|port_record/.test(line));
}

/** Two switches with two links between them. */
const TWO_WAYS = `
switches: [{name: s1}, {name: s2}]
hosts: [{name: h1}, {name: h2}]
links:
  - {between: [h1, "s1:1"], rate: 100 Gb/s}
  - {between: ["s1:2", "s2:2"], rate: 100 Gb/s}
  - {between: ["s1:3", "s2:3"], rate: 100 Gb/s}
  - {between: [h2, "s2:1"], rate: 100 Gb/s}
`;

describe('groups of equal ways', () => {
  test.each([
    ['', [undefined, undefined]],
    ['watchPorts: true', [2, 3]],
  ])('watch their ports if the document says so: "%s"', async (more, wanted) => {
    const program = loadedProgram('hpcc', compiledPipeline(loadP4Artifacts('hpcc')));
    const spec = networkSpec(parseNetwork(TWO_WAYS + more, 'ways.yaml'));
    const [first] = await prepareNetwork(spec, { load: () => Promise.resolve(program) });
    const groups = (first?.management.desired ?? []).flatMap((each) =>
      each.kind === 'group' ? [each.members.map(({ watchPort }) => watchPort)] : [],
    );
    expect(groups).toEqual([wanted]);
  });
});

describe('roles in telemetry', () => {
  test('an edge switch watches flows, ends telemetry where it must, and reports', async () => {
    const lines = await linesOf('hpcc-edge', 's1');
    expect(lines).toEqual([
      'clone session 100: ports 2',
      expect.stringMatching(
        /port_trust \(standard_metadata.ingress_port = 4\): .*distrust\(dscp = 8\)$/,
      ),
      // Reports of other switches are no packets to watch.
      expect.stringMatching(
        /watch_ipv4 \(hdr\.ipv4\.dst_addr = 10\.0\.0\.3&&&255\.255\.255\.255, protocol = 17&&&255, dst_port = 1234&&&65535\) at priority 10001: .*no_telemetry\(\)$/,
      ),
      expect.stringMatching(
        /watch_ipv4 \(.*src_addr = 10\.0\.0\.0&&&255\.255\.255\.0, .*dst_addr = 10\.9\.0\.0&&&255\.255\.0\.0, protocol = 17&&&255, dst_port = 5001&&&65535\) at priority 10000: .*add_telemetry_to_one_in\(interval = 64, slot = 0, max_hops = 6\)$/,
      ),
      expect.stringMatching(
        /watch_ipv6 \(.*src_addr = fd00::&&&ffff::\) at priority 9999: .*no_telemetry\(\)$/,
      ),
      expect.stringMatching(
        /watch_ipv4 \(dscp = 46&&&63\) at priority 9998: .*add_telemetry\(max_hops = 6\)$/,
      ),
      expect.stringMatching(
        /watch_ipv6 \(dscp = 46&&&63\) at priority 9998: .*add_telemetry\(max_hops = 6\)$/,
      ),
      expect.stringMatching(
        /sink_port \(standard_metadata.egress_port = 1\): .*extract_and_report\(clone_session = 100\)$/,
      ),
      expect.stringMatching(
        /sink_port \(standard_metadata.egress_port = 4\): .*extract_and_report\(clone_session = 100\)$/,
      ),
      expect.stringMatching(
        /collector \(standard_metadata.egress_port = 2\): .*set_collector\(dst_mac = 02:00:00:02:00:01, src_mac = 02:00:00:01:00:02, src_addr = 10\.255\.0\.1, dst_addr = 10\.0\.0\.3, src_port = \d+, dst_port = 1234, node_id = 1, hw_id = 0, inner_bytes = 384\)$/,
      ),
      expect.stringMatching(/port_trust \(default\): .*trust\(\)$/),
    ]);
  });

  test('the other switch has its own list, and its own address as source of reports', async () => {
    const lines = await linesOf('hpcc-edge', 's2');
    expect(lines.filter((line) => line.includes('watch'))).toHaveLength(3);
    expect(lines.join('\n')).toContain('src_addr = 192.0.2.2');
    expect(lines.join('\n')).not.toContain('sink_port');
  });

  test.each(['tofino', 'tofino2'])('an edge switch with %s gets the same', async (chip) => {
    const file = path.join(tofinoArtifactFolder(), `hpcc-edge.${chip}.p4info.txtpb`);
    const pipeline = { p4info: await loadP4Info(file), deviceConfig: new Uint8Array() };
    const text = DOCUMENT.replace('{name: s1, ', '{name: s1, target: stratum, ');
    const lines = await linesFor(loadedProgram('hpcc-edge', pipeline), 's1', text);
    expect(lines.join('\n')).toMatch(/^clone session \d+: ports \d+, cut at 428 bytes$/m);
    // Names of tables are longer where they stand in another half of the switch.
    const comparable = (line: string): string =>
      line.replace(/((in|e)gress\.(\w+\.)+|, cut at 428 bytes)/g, '');
    const others = lines.filter((line) => !line.includes('port_mtu'));
    expect(others.map(comparable)).toEqual((await linesOf('hpcc-edge', 's1')).map(comparable));
    expect(lines.filter((line) => line.includes('port_mtu')).map(comparable)).toEqual(
      [1, 2, 4].map(
        (port) => `port_mtu (standard_metadata.egress_port = ${port}): set_mtu(mtu = 1500)`,
      ),
    );
  });

  test('without a collector, telemetry is taken out and not reported', async () => {
    const text = DOCUMENT.replace(/ {2}collector: .*\n/, '');
    const lines = await linesOf('hpcc-edge', 's1', text);
    expect(lines.join('\n')).toMatch(
      /sink_port \(standard_metadata.egress_port = 1\): \S*extract\(\)/,
    );
    expect(lines.join('\n')).not.toContain('clone session');
    expect(lines.filter((line) => line.includes('watch_'))).toHaveLength(4);
  });

  test('a list of IPv6 packets alone has no exception for reports, which are IPv4', async () => {
    const text = DOCUMENT.replace(/ {4}- \{switch: s1, (?!from: "fd).*\n/g, '');
    const lines = await linesOf('hpcc-edge', 's1', text);
    expect(lines.filter((line) => line.includes('watch_'))).toEqual([
      expect.stringContaining('watch_ipv6'),
    ]);
  });

  test('fast feedback has a threshold at every port, and a session for the answers', async () => {
    expect(await linesOf('hpcc-feedback', 's1')).toEqual([
      'clone session 101: ports 510',
      ...[1, 2, 4].map(
        (port) =>
          expect.stringMatching(
            new RegExp(
              `feedback_threshold \\(standard_metadata.egress_port = ${port}\\): .*respond_above\\(queue_bytes = 50000, interval_ns = 20000, clone_session = 101, response_dscp = 26, to_receiver = 1\\)$`,
            ),
          ) as string,
      ),
    ]);
  });

  test('signed feedback has the key of the switch besides, where the document has one', async () => {
    const bytes = '000102030405060708090a0b0c0d0e0f';
    const own = '{switch: s1, id: 4, bytes: 101112131415161718191a1b1c1d1e1f}';
    const signing = `signing: {key: {id: 3, bytes: '${bytes}'}, keys: [${own}], boot: 7}`;
    const text = DOCUMENT.replace(/\n {2}feedback: \{/, `\n  feedback: {${signing}, `);
    expect(text).not.toBe(DOCUMENT);
    const key = (id: number, low: string, high: string): string =>
      `answer_key (default): number(key_id = ${id}, low = ${BigInt(low)}, high = ${BigInt(high)}, boot = 7)`;
    const lines = async (name: string, document?: string): Promise<string> =>
      (await linesOf('hpcc-feedback-signed', name, document))
        .join('\n')
        .replaceAll(/[a-z_.]+\.(?=answer_key|number)/g, '');
    expect(await lines('s1')).toMatch(/answer_key .*: \S*leave_unsigned/);
    expect(await lines('s1', text)).toContain(key(4, '0x1716151413121110', '0x1f1e1d1c1b1a1918'));
    expect(await lines('s2', text)).toContain(key(3, '0x0706050403020100', '0x0f0e0d0c0b0a0908'));
  });

  test('switches that choose packets have a threshold and a time at every port', async () => {
    const text = DOCUMENT.replace(
      /\n {2}feedback: /,
      '\n  insertion: {queueBytes: 10000, interval: 6 us}\n  feedback: ',
    );
    expect(await linesOf('hpcc-sparse', 's1', text)).toEqual(
      [1, 2, 4].map(
        (port) =>
          expect.stringMatching(
            new RegExp(
              `insertion \\(standard_metadata.egress_port = ${port}\\): .*insert_when\\(queue_bytes = 10000, interval_ns = 6000\\)$`,
            ),
          ) as string,
      ),
    );
    expect(await linesOf('hpcc-sparse', 's1')).toEqual([]);
  });

  test('switches that spray have a policy, and the equal paths to each host that has several', async () => {
    const text = `${DOCUMENT}  - {between: ["s1:3", "s2:4"], rate: 100 Gb/s}\nspray: least-queued\n`;
    const lines = await linesOf('hpcc-spray', 's1', text);
    const of = (table: string) => lines.filter((line) => line.includes(table));
    expect(of('spray_policy')).toEqual([expect.stringContaining('(spray_policy = 3)') as string]);
    // Two hosts behind the other switch, of which one has IPv6 too.
    expect(of('set_equal_paths')).toHaveLength(3);
    expect(of('set_equal_paths')[0]).toMatch(/count = 2, first = 1, port_0 = 2, port_1 = 3, /);
    expect(of('next_hop')).toHaveLength(4);
    expect(await linesOf('hpcc-spray', 's1')).toEqual([
      expect.stringContaining('(spray_policy = 0)'),
    ]);
  });

  test('switches that trim know what may be cut, from when on, and what was cut', async () => {
    const lines = await linesOf('hpcc-trim', 's1', `${DOCUMENT}trim: {queueBytes: 70000}\n`);
    const of = lines.filter((line) => line.includes('trim_of_dscp'));
    expect(of).toEqual([
      expect.stringMatching(
        /dscp = 11\).*trim_above\(queue_bytes = 70000, kept_bytes = 32, trimmed_dscp = 15, queue = 7\)/,
      ),
      expect.stringMatching(/dscp = 15\).*serve_first\(queue = 7\)/),
    ]);
    expect(await linesOf('hpcc-trim', 's1')).not.toEqual(expect.arrayContaining(of));
  });

  test('switches that trim have queues in proportion of the rates of their ports, where the document asks for it', async () => {
    const slow = DOCUMENT.replace('"s1:4"], rate: 100 Gb/s', '"s1:4"], rate: 25 Gb/s');
    const lengths = async (trim: string) =>
      (await linesOf('hpcc-trim', 's1', `${slow}trim: {${trim}}\n`))
        .filter((line) => line.includes('queue_max_of_port'))
        .map((line) => /port = (\d+).*queue_bytes = (\d+)/.exec(line)?.slice(1).join());
    expect(await lengths('queueBytes: 70000')).toEqual([]);
    expect(await lengths('queueBytes: 70000, forGbps: 100')).toEqual(['4,17500']);
    expect(await lengths('queueBytes: 4294967294, forGbps: 50')).toEqual([
      '1,4294967294',
      '2,4294967294',
      '4,2147483647',
    ]);
  });

  describe('switches whose mirror cuts what is trimmed', () => {
    const onChip = `${DOCUMENT.replace('{name: s1, ', '{name: s1, target: stratum, ')}trim: {queueBytes: 70000}\n`;

    test('have a session for each port and length, into the queue of headers', async () => {
      const lines = await linesOf('hpcc-trim-model', 's1', onChip);
      const sessions = lines.filter((line) => line.startsWith('clone session'));
      const entries = lines.filter((line) => line.includes('trim_session'));
      // Over IPv4 and IPv6: no INT, none before this switch, and one, at each of three ports.
      expect(sessions).toHaveLength(2 * 3 * 3);
      expect(entries).toHaveLength(sessions.length);
      expect(sessions[0]).toBe(`clone session 103: ports 1, cut at ${14 + 74} bytes`);
      expect(entries[0]).toMatch(/\(port = 1, frame_bytes = 74\).*\(session = 103\)$/);
      const lengths = entries.slice(0, 6).map((line) => /frame_bytes = (\d+)/.exec(line)?.[1]);
      expect(lengths).toEqual(['74', '90', '122', '94', '110', '142']);
    });

    test('put what they cut into the queue that is served first', async () => {
      const program = loadedProgram('trim', compiledPipeline(programNamed('hpcc-trim-model')));
      const spec = networkSpec(parseNetwork(onChip, 'trim.yaml'));
      const [first] = await prepareNetwork(spec, { load: () => Promise.resolve(program) });
      const queues = (first?.management.desired ?? []).flatMap((entity) =>
        entity.kind === 'clone-session' && entity.sessionId >= 103 ? [entity.classOfService] : [],
      );
      expect(queues).toEqual(Array.from({ length: 18 }, () => 7));
    });

    test('are refused if the chip has fewer sessions', async () => {
      const hosts = Array.from({ length: 160 }, (_, i) => i + 10);
      const text = onChip
        .replace('links:\n', `${hosts.map((i) => `  - {name: g${i}}\n`).join('')}links:\n`)
        .replace(
          /(?=trim: )/,
          hosts.map((i) => `  - {between: [g${i}, "s1:${i}"], rate: 100 Gb/s}\n`).join(''),
        );
      await expect(linesOf('hpcc-trim-model', 's1', text)).rejects.toThrow(
        /trim: s1 needs a mirror session for each of 6 lengths at each of 163 ports, and its chip has 913 left/,
      );
    });
  });

  describe('switches that end uSIDs', () => {
    const usid = (more = ''): string =>
      DOCUMENT.replace('{name: s1, ', `{name: s1, ${more}`) + 'usid: {block: "fcbb:bb00::/32"}\n';
    const allOf = async (text: string): Promise<readonly string[]> => {
      const program = loadedProgram('hpcc-usid', compiledPipeline(programNamed('hpcc-usid')));
      const spec = networkSpec(parseNetwork(text, 'usid.yaml'));
      const [first] = await prepareNetwork(spec, { load: () => Promise.resolve(program) });
      return (first?.management.desired ?? []).map((entity) =>
        describeChange({ type: 'insert', entity }).slice(2),
      );
    };

    test('know their own, of the node and of each port', async () => {
      const lines = (await allOf(usid())).filter((line) => line.includes('own_usids'));
      expect(
        lines.map((line) => line.replace(/^\S+ \(locator = (.*)\): .*(end_\w+)/, '$1 $2')),
      ).toEqual([
        'fc:bb:bb:00:00:01 end_node()',
        'fc:bb:bb:00:e0:01 end_adjacency()',
        'fc:bb:bb:00:e0:02 end_adjacency()',
        'fc:bb:bb:00:e0:04 end_adjacency()',
      ]);
    });

    test('route those of their ports, and of the switches beside them over links that are up', async () => {
      const routes = async (text: string) =>
        (await allOf(text)).filter((line) => /ipv6_route.*fcbb/.test(line));
      expect(await routes(usid())).toEqual([
        expect.stringMatching(/fcbb:bb00:e001::\/48\).* 2$/),
        expect.stringMatching(/fcbb:bb00:e002::\/48\).* 3$/),
        expect.stringMatching(/fcbb:bb00:e004::\/48\).* 5$/),
        expect.stringMatching(/fcbb:bb00:2::\/48\).* 3$/),
      ]);
      const parted = usid().replace('["s1:2", "s2:1"], ', '["s1:2", "s2:1"], up: false, ');
      expect((await routes(parted)).join()).not.toContain('fcbb:bb00:2::');
    });

    test.each([
      ['a node id that is no uSID', usid('nodeId: 57344, '), 'uSIDs of nodes are 1 to 57343'],
      ['hosts without IPv6', usid().replaceAll(/, ipv6: "\S+"/g, ''), 'no host has one'],
      ['a block of another length', usid().replace('/32', '/48'), 'fd48:5044::/32'],
    ])('refuse %s', async (_what, text, reason) => {
      await expect(allOf(text)).rejects.toThrow(reason);
    });
  });

  test('more equal paths than the program has room for are refused', async () => {
    const links = Array.from(
      { length: 8 },
      (_, i) => `  - {between: ["s1:${10 + i}", "s2:${10 + i}"], rate: 100 Gb/s}\n`,
    );
    const text = `${DOCUMENT}${links.join('')}spray: random\n`;
    await expect(linesOf('hpcc-spray', 's1', text)).rejects.toThrow(
      'spray: s1 has 9 equal paths to h2, and its program chooses among 8',
    );
  });

  test('switches that show ratios have an alias and a factor at every port', async () => {
    const key = '000102030405060708090a0b0c0d0e0f';
    const text = DOCUMENT.replace(
      /\n {2}feedback: /,
      `\n  relative: {nominalGbps: 25, key: '${key}'}\n  feedback: `,
    );
    const lines = await linesOf('hpcc-relative', 's1', text);
    const shown = lines.map((line) =>
      /= (\d+)\): .*show_as\(alias = (\d+), nominal_mbps = 25000, factor = (\d+)\)$/.exec(line),
    );
    expect(shown.map((found) => found?.[1])).toEqual(['1', '2', '4']);
    const aliases = shown.map((found) => Number(found?.[2]));
    // Nothing of the switch's id is in them.
    expect(new Set(aliases).size).toBe(3);
    expect(Math.min(...aliases)).toBeGreaterThan(1000);
    expect(shown.every((found) => Number(found?.[3]) > 0)).toBe(true);
    expect(await linesOf('hpcc-relative', 's1')).toEqual([]);
  });

  test('of fast feedback, a target that does not cut answers cuts the copies', async () => {
    const text = DOCUMENT.replace('{name: s1, ', '{name: s1, target: stratum, ');
    const lines = await linesOf('hpcc-feedback-model', 's1', text);
    expect(lines[0]).toBe('clone session 101: ports 510, cut at 92 bytes');
  });

  test('classes lead to queues, each of which marks at its depth', async () => {
    const lines = await linesOf('hpcc-queues', 's2');
    expect(lines.filter((line) => line.includes('class_of_dscp (dscp'))).toEqual([
      expect.stringMatching(/\(dscp = 46\): .*set_class\(queue = 7\)/),
      expect.stringMatching(/\(dscp = 8\): .*set_class\(queue = 1\)/),
    ]);
    const marks = lines.filter((line) => line.includes('ecn_threshold'));
    expect(marks).toHaveLength(9);
    expect(marks[0]).toMatch(
      /egress_port = 1, queue = 0\): .*mark_between\(min_bytes = 1000, max_bytes = 9000, max_probability = 16384\)$/,
    );
  });

  test('one threshold marks all above it', async () => {
    const text = DOCUMENT.replace('minBytes: 1000, maxBytes: 9000', 'minBytes: 500, maxBytes: 500');
    const lines = await linesOf('hpcc-queues', 's2', text);
    expect(lines.join('\n')).toContain('mark_above(bytes = 500)');
  });

  test('IOAM may come in at trusted ports, and its namespaces are known', async () => {
    const text = DOCUMENT.replace('telemetry:', 'telemetry:\n  ioam: {namespaces: [{id: 7}]}');
    const lines = await linesOf('ioam', 's1', text);
    const own = lines.filter((line) =>
      /namespace\.(namespaces|interface) \((?!default)/.test(line),
    );
    expect(own).toEqual([
      expect.stringMatching(
        /\(namespace_id = 7\): .*\(is_hpcc = 1, data = 4294967295, wide_data = 18446744073709551615\)$/,
      ),
      expect.stringMatching(/\(standard_metadata.ingress_port = 1\): .*enable\(\)$/),
      expect.stringMatching(/\(standard_metadata.ingress_port = 2\): .*enable\(\)$/),
    ]);
  });

  test('IOAM that asks for direct export is reported to the collector', async () => {
    const ioam = '{namespaces: [{id: 7, hpcc: false, directExport: {gapNs: 5000}}]}';
    const text = DOCUMENT.replace('telemetry:', `telemetry:\n  ioam: ${ioam}`);
    const lines = await linesOf('ioam', 's1', text);
    const [session, exported, way] = lines.filter((line) => /dex|report|clone/.test(line));
    expect(session).toContain('100');
    expect(exported).toMatch(/= 7\): .*\(with_departure = 0, clone_session = 100, gap = 5000\)$/);
    expect(way).toMatch(/egress_port = 2\): .*report_to\(.*dst_addr = 10.0.0.3,.* dst_port = 1234/);
  });

  test('service paths of NSH lead to the host at their end, and are entered where the document says', async () => {
    const watch =
      '[{switch: s1, from: 10.0.0.0/24, dscp: 46}, {switch: s1, to: "fd00::/16"}, {switch: s2}]';
    const path = `{id: 9, to: h3, namespace: 7, roomWords: 20, watch: ${watch}}`;
    const ioam = `{namespaces: [{id: 7}], servicePaths: [${path}, {id: 8, index: 3, to: h1}]}`;
    const text = DOCUMENT.replace('telemetry:', `telemetry:\n  ioam: ${ioam}`);
    const own = async (name: string) =>
      (await linesOf('ioam', name, text)).filter((line) => /service_paths|classify/.test(line));
    const enter =
      'enter_path(path_id = 9, service_index = 255, namespace_id = 7, type = 13764608, room_words = 20, mtu = 1500)';
    const lines = await own('s1');
    expect(lines.map((line) => line.replace(/^.*?ingress/, 'ingress'))).toEqual([
      expect.stringMatching(/service_paths \(path_id = 9, service_index = 255\).*\(port = 2, /),
      expect.stringMatching(/service_paths \(path_id = 8, service_index = 3\).*\(port = 1, /),
      expect.stringMatching(/classify_ipv4 \(.*src_addr = 10.0.0.0.*dscp = 46/),
      expect.stringMatching(/classify_ipv6 \(.*dst_addr = fd00::/),
    ]);
    expect(lines[2]).toContain(enter);
    const s2 = await own('s2');
    expect(s2.filter((line) => line.includes(enter))).toHaveLength(2);
    expect(s2[0]).toMatch(/\(port = 3, /);
  });

  test('a service path ends before a host without telemetry, from where traces are reported', async () => {
    const ioam = '{servicePaths: [{id: 9, to: h1}, {id: 8, to: h2}]}';
    const text = DOCUMENT.replace('telemetry:', `telemetry:\n  ioam: ${ioam}`);
    const own = async (name: string) =>
      (await linesOf('ioam', name, text)).filter((line) => /paths|report|clone|enable/.test(line));
    expect(await own('s1')).toEqual([
      expect.stringContaining('clone session 100'),
      expect.stringContaining('enable()'),
      expect.stringContaining('enable()'),
      expect.stringMatching(/report_collector \(.*egress_port = 2\): /),
      expect.stringMatching(/path_id = 9, .*end_path\(port = 1, .*clone_session = 100\)/),
      expect.stringMatching(/path_id = 8, .*forward_on_path\(port = 2, /),
    ]);
    expect((await own('s2')).join('\n')).not.toMatch(/end_path|report_collector|clone/);
  });

  test('a transit switch gets none of it', async () => {
    expect(await linesOf('hpcc', 's1')).toEqual([]);
  });
});
