import { loadP4Artifacts } from '../../../../../common/io/p4-profiles';
import { parseNetwork } from '../../../../../controller/document/load';
import { networkSpec } from '../../../../../controller/document/network';
import { loadedProgram } from '../../../../../controller/io/program-files';
import { prepareNetwork } from '../../../../../controller/io/prepare';
import { compiledPipeline } from '../../../../../controller/p4runtime/requests/pipeline';
import { describeChange } from '../../../../../controller/plan/describe-plan';

const DOCUMENT = `
program: int-v2
telemetry:
  int:
    carriers: [dscp, newGre]
    unknown: {domains: skip}
    sources:
      - {switch: s1, from: 10.0.0.0/24, protocol: tcp, carrier: marker, instructions: [nodeId, ingressTimestamp, checksumComplement], maxHops: 3, discard: true}
      - {switch: s1, from: "fd00::/16", mode: none}
      - {switch: s1, to: 10.9.0.0/16, mode: mx, instructions: 0xff80, domain: 0x4850, dsInstruction: 0xc000}
      - {switch: s2, toPort: 5001, carrier: newGre, domain: 0x4850, dsInstruction: 0xe000}
switches:
  - {name: s1}
  - {name: s2, ports: [{port: 2, untrusted: true}]}
hosts:
  - {name: h1, telemetry: false}
  - {name: h2}
links:
  - {between: [h1, "s1:1"], rate: 100 Mb/s}
  - {between: ["s1:2", "s2:1"], rate: 100 Gb/s}
  - {between: ["s2:2", h2], rate: 100 Gb/s}
`;

/** Lines of a plan for the entities of a switch beyond routes and port records. */
async function linesOf(name: string, text = DOCUMENT): Promise<string[]> {
  const program = loadedProgram('int-v2', compiledPipeline(loadP4Artifacts('int-v2')));
  const spec = networkSpec(parseNetwork(text, 'int.yaml'));
  const switches = await prepareNetwork(spec, { load: () => Promise.resolve(program) });
  const found = switches.find(({ spec: { node } }) => node.name === name);
  return (found?.management.desired ?? [])
    .map((entity) => describeChange({ type: 'insert', entity }).slice(2))
    .filter((line) => !/ecmp|_route|_members|port_record/.test(line));
}

describe('the roles of INT v2.1', () => {
  test('sources have an entry per line and family', async () => {
    const watched = async (name: string): Promise<string[]> =>
      (await linesOf(name)).filter((line) => line.includes('.watch_ip'));
    expect(await watched('s1')).toEqual([
      'ingress.watch.watch_ipv4 (hdr.ipv4.src_addr = 10.0.0.0&&&255.255.255.0, ' +
        'protocol = 6&&&255) at priority 10000: ingress.watch.add_int_md(carrier = 4, ' +
        'instructions = 34817, domain_id = 0, ds_instructions = 0, hop_words = 4, max_hops = 3, ' +
        'discard = 1, interval = 1, slot = 0)',
      'ingress.watch.watch_ipv6 (hdr.ipv6.src_addr = fd00::&&&ffff::) at priority 9999: ' +
        'ingress.watch.add_nothing()',
      'ingress.watch.watch_ipv4 (hdr.ipv4.dst_addr = 10.9.0.0&&&255.255.0.0) at priority 9998: ' +
        'ingress.watch.add_int_mx(carrier = 1, instructions = 65408, domain_id = 18512, ' +
        'ds_instructions = 49152, discard = 0, interval = 1, slot = 2)',
    ]);
    const both =
      /carrier = 8, instructions = 57344, domain_id = 18512, .* hop_words = 7, max_hops = 10,/;
    expect(await watched('s2')).toEqual([expect.stringMatching(both), expect.stringMatching(both)]);
  });

  test('every switch has the settings, its sinks, and what its ports tell', async () => {
    const lines = (await linesOf('s2')).filter((line) => !line.includes('.watch_ip'));
    expect(lines.map((line) => line.replace(/^.*[.](?=\w+[(])/, ''))).toEqual([
      'accept_methods(mask = 34)',
      'treat_unknown(skip_reserved = 0, skip_domains = 1)',
      'extract_int()',
      'set_ingress_interface(interface2 = 131073)',
      'set_egress_interface(interface2 = 131073)',
      'set_ingress_interface(interface2 = 131074)',
      'set_egress_interface(interface2 = 131074)',
      'set_utilization_scale(scale = 12800, shift = 20)',
      'set_utilization_scale(scale = 12800, shift = 20)',
      'set_buffer(buffer_id = 1)',
      'set_buffer(buffer_id = 2)',
      'set_no_reports()',
    ]);
  });

  test('utilisation is scaled by the rate of the link, and shared buffers are not told', async () => {
    const text = DOCUMENT.replace('{name: s1}', '{name: s1, target: embedded}');
    const lines = await linesOf('s1', text);
    expect(lines.filter((line) => line.includes('scale = 12800000,'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('set_buffer'))).toEqual([]);
  });

  test('without telemetry.int a switch is transit and sink, and recognises every method', async () => {
    const plain = DOCUMENT.replace(/telemetry:\n {2}int:[^]*(?=switches:)/, '');
    const lines = await linesOf('s1', plain);
    expect(lines.filter((line) => /extraction|interface/.test(line))).toHaveLength(5);
    expect(lines.filter((line) => /watch_|utilization/.test(line))).toEqual([]);
  });

  test('with a collector, switches report what sinks take out, and what the document asks beyond', async () => {
    const collected = DOCUMENT.replace(
      'telemetry:\n',
      'telemetry:\n  collector: {host: h2, port: 50003, innerBytes: 200}\n',
    );
    const reports = async (text: string): Promise<string[]> =>
      (await linesOf('s1', text)).filter((line) => /report|dropped|watched_queue|clone/.test(line));
    expect(await reports(DOCUMENT)).toEqual([expect.stringContaining('set_no_reports()')]);
    const [copies, collector, ...more] = await reports(collected);
    expect(copies).toMatch(/^clone session 100/);
    expect(collector).toMatch(
      /report_to\(.*dst_port = 50003, node_id = 1, hw_id = 0, inner_bytes = 200\)/,
    );
    expect(more).toEqual([
      expect.stringContaining('set_reports(clone_session = 100, shift = 0, latency_shift = 20)'),
    ]);
    const exempt = (await linesOf('s1', collected)).filter((line) => line.includes('exempt_flows'));
    expect(exempt).toEqual([
      expect.stringMatching(
        /exempt_flows \(hdr.ipv4.dst_addr = 10\.0\.0\.2, dst_port = 50003\): .*exempt\(\)$/,
      ),
    ]);
    const asked = collected.replace(
      '    sources:\n',
      '    reports: {windowNs: 1048576, latencyStepNs: 1024, queue: {bytes: 30000, quota: 8}, ' +
        'drops: [{toPort: 5001, from: "fd00::/16"}]}\n    sources:\n' +
        '      - {switch: s1, mode: xd, dscp: 1, oneIn: 100, instructions: [interfaces]}\n',
    );
    const lines = (await linesOf('s1', asked)).map((line) => line.replace(/^.*?[.](?=\w+ \()/, ''));
    expect(lines.filter((line) => /set_reports/.test(line))).toEqual([
      expect.stringContaining('shift = 20, latency_shift = 10)'),
    ]);
    expect(lines.filter((line) => line.includes('watch_queue('))).toEqual([
      expect.stringContaining(
        'queue_bytes = 30000, latency_ns = 4294967295, quota = 8, instructions = 28672)',
      ),
      expect.stringContaining('egress_port = 2'),
    ]);
    // A millisecond of bmv2's microseconds.
    expect(lines.filter((line) => line.includes('report_drop('))).toEqual([
      expect.stringMatching(/^dropped_ipv6 .*report_drop\(clone_session = 100, shift = 10\)$/),
    ]);
    expect(lines.filter((line) => line.includes('export_int('))).toHaveLength(2);
    expect(lines.find((line) => line.includes('export_int('))).toContain(
      'export_int(instructions = 16384, domain_id = 0, ds_instructions = 0, interval = 100, slot = 0)',
    );
  });

  test('lines of sources and drops leave out reports on their way', async () => {
    const collected = DOCUMENT.replace(
      'telemetry:\n',
      'telemetry:\n  collector: {host: h2, port: 50003}\n',
    ).replace(
      '    sources:\n',
      '    reports: {drops: [{}]}\n    sources:\n      - {switch: s2, mode: xd}\n',
    );
    const first = async (name: string, table: string, text: string): Promise<string | undefined> =>
      (await linesOf(name, text)).find((line) => line.includes(`.${table} `));
    const match =
      /dst_addr = 10\.0\.0\.2&&&255\.255\.255\.255, protocol = 17&&&255, dst_port = 50003&&&65535/;
    for (const [table, action] of [
      ['watch_ipv4', 'add_nothing()'],
      ['dropped_ipv4', 'ignore_drop()'],
    ] as const) {
      const line = await first('s2', table, collected);
      expect(line).toMatch(match);
      expect(line).toMatch(/ at priority 10001: /);
      expect(line).toContain(action);
    }
    // Without a collector there are none to leave out, and without lines nothing that would match them.
    expect(await first('s2', 'watch_ipv4', DOCUMENT)).toMatch(/ at priority 9997: /);
    const noLines = collected.replaceAll(/ {6}- \{switch: s2.*\n/g, '');
    expect(await first('s2', 'watch_ipv4', noLines)).toBeUndefined();
  });

  test.each([
    [
      '    sources:',
      '    reports: {drops: [{}]}\n    sources:',
      /reports want telemetry.collector/,
    ],
    ['mode: mx', 'mode: xd', /sources\[2\]\.mode: INT-XD wants telemetry.collector/],
    ['    sources:', '    reports: {queue: {}}\n    sources:', /wanted bytes, latencyNs or both/],
    ['    sources:', '    reports: {windowNs: 1500}\n    sources:', /must be a power of two/],
    ['switch: s2, toPort', 'switch: s9, toPort', /sources\[3\]\.switch: there is no switch 's9'/],
    [
      'carrier: newGre, domain: 0x4850, dsInstruction: 0xe000',
      'domain: 7, instructions: 0xffff, dsWords: 31',
      /wanted 1 to 31 words of metadata in a hop, found 50/,
    ],
    ['dscp, newGre', 'dscp, ipip', /carriers/],
    ['{domains: skip}', '{domains: drop}', /unknown/],
  ])('refuses %s as %s', (from, to, message) => {
    expect(() => parseNetwork(DOCUMENT.replace(from, to), 'int.yaml')).toThrow(message);
  });
});
