import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { INT_ROLES, clausesOf, isReporting } from '../../../../common/telemetry/judge/roles';
import type { IntRole } from '../../../../common/telemetry/judge/roles';
import { hpccHere } from '../../../support/command-line';
import { verdictsOf } from '../../../support/judge/judge-interfaces';
import { REPORTS_SET_UP } from '../../../p4/support/int-v2-reports';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-judge-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const PROGRAM = path.resolve('p4src/artifacts/int-v2.json');

const SETS = 'instructions:0xff80, domain_id:0, ds_instructions:0';
const SAMPLING = 'interval:1, slot:0';
/** Numbers of int-v2's carriers, and keys of packets that they are for; the most special first. */
const WATCHED: readonly (readonly [carrier: number, keys: string])[] = [
  [6, 'protocol:17 dst_port:4789'],
  [6, 'protocol:17 dst_port:4790'],
  [7, 'protocol:17 dst_port:6081'],
  [5, 'protocol:47'],
  [1, 'protocol:6'],
  [1, 'protocol:17'],
];
const ACTIONS: Partial<Record<IntRole, (carrier: number) => string>> = {
  source: (carrier) =>
    `add_int_md(carrier:${carrier}, ${SETS}, hop_words:12, max_hops:8, discard:0, ${SAMPLING})`,
  'mx-source': (carrier) => `add_int_mx(carrier:${carrier}, ${SETS}, discard:0, ${SAMPLING})`,
  xd: () => `export_int(${SETS}, ${SAMPLING})`,
};

/** Statements that make our program a device in a role, with a clock that goes. */
function setUpOf(role: IntRole): string {
  const action = ACTIONS[role];
  const watch =
    action === undefined
      ? []
      : WATCHED.flatMap(([carrier, keys], i) =>
          [4, 6].map(
            (family) => `add watch_ipv${family} ${WATCHED.length - i} ${keys} ${action(carrier)}`,
          ),
        );
  const lines = REPORTS_SET_UP.map((line) =>
    line
      .replace('inner_bytes:160', 'inner_bytes:600')
      .replace('clock_unit_ns:0', 'clock_unit_ns:1'),
  );
  const reports =
    'setdefault report_settings set_reports(clone_session:7, shift:0, latency_shift:0)';
  const file = at(`${role}.stf`);
  fs.writeFileSync(file, [...lines, reports, ...watch, ''].join('\n'));
  return file;
}

const device = (role: IntRole): string[] => [
  'int',
  'judge',
  '--dut',
  'embedded',
  '--program',
  PROGRAM,
  '--role',
  role,
  '--set-up',
  setUpOf(role),
  ...(isReporting(role) ? ['--collector', '9'] : []),
  '--json',
];

/** Clauses for what our program does not do in a role, or cannot be asked for by the frames. */
function notJudged(role: IntRole, family: 4 | 6): string[] {
  const ofOther =
    family === 4 ? ['ip-payloadLength-right'] : ['ip-totalLength-right', 'ip-checksum-right'];
  const methods = [`${role}-shim-has-original-port`, `${role}-shim-has-original-protocol`];
  const reports = ['report-inner-only-without-metadata', 'report-domain-of-instructions'];
  const packet = ['report-has-packet-as-it-came', 'report-stack-whole'];
  switch (role) {
    case 'transit':
      return ofOther;
    case 'source':
      return methods;
    case 'sink':
      return reports;
    case 'mx-source':
      return [...methods, ...reports, ...packet];
    case 'mx-transit':
    case 'mx-sink':
      return [...reports, 'report-stack-whole'];
    case 'xd': {
      const [inner, domain] = reports;
      const asked = [
        'report-no-bits-beyond-instructions',
        domain,
        'report-no-ds-bits-beyond-instructions',
      ];
      return [inner, ...asked, ...packet] as string[];
    }
  }
}

const isSink = (role: IntRole): boolean => role === 'sink' || role === 'mx-sink';

test.each(INT_ROLES.flatMap((role) => [[role, 4] as const, [role, 6] as const]))(
  'our program as %s over IPv%d passes every clause, and its reports do',
  async (role, family) => {
    const host = isSink(role) ? 3 : 2;
    const to = family === 4 ? `10.0.0.${host}` : `2001:db8::${host}`;
    const from = family === 4 ? '10.1.0.1' : '2001:db8::1:1';
    const ports = isSink(role) ? ['--out', '3'] : [];
    const carriers = ['--carrier', 'all', '--int-marker', '494e542d6d61726b'];
    const flow = ['--from', from, '--to', to];
    const judged = await hpccHere(...device(role), ...flow, ...ports, ...carriers);
    const lines = judged.stdout.trim().split('\n');
    const verdicts = lines.map((line) => JSON.parse(line) as { verdict: string; clause: string });
    expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(judged.status).toBe(0);
    const passed = new Set(
      verdicts.flatMap((each) => (each.verdict === 'pass' ? each.clause : [])),
    );
    const all = clausesOf(role).map(({ clause }) => clause);
    expect(all.filter((clause) => !passed.has(clause))).toEqual(notJudged(role, family));
    const reports = [...passed].filter((clause) => clause.startsWith('report-'));
    expect(reports.length > 15).toBe(role !== 'transit' && role !== 'source');
  },
);

/** Clauses about what reports of direct export do not have: INT inside, two times, and domains. */
const NEVER: readonly string[] = [
  'report-inner-only-without-metadata',
  'report-domain-of-instructions',
  'report-egress-not-before-ingress',
  'report-has-packet-as-it-came',
  'report-stack-whole',
];

test.each(['ioam-transit', 'ioam-incremental', 'ioam-export'] as const)(
  'our program ioam passes every clause as %s',
  async (role) => {
    const setUp = at('ioam.stf');
    const lines = [
      'member_create ingress.route.ipv6_ecmp forward_ipv6(port:2, dst_mac:2, src_mac:1)',
      'add ipv6_route hdr.ipv6.dst_addr:0xfd000000000000000000000000000000/8 member(handle:0)',
      'add port_record standard_metadata.egress_port:2 set_port_record(node_id:7, capacity_mbps:1000, ' +
        'queue_unit_bytes:1, clock_unit_ns:1000, mtu:1500, tx_unit_bytes:1)',
      'setdefault interface enable()',
      'add service_paths path_id:1 service_index:255 forward_on_path(port:2, dst_mac:2, src_mac:1)',
      'add namespaces namespace_id:1 set_namespace(is_hpcc:0, data:5, wide_data:6)',
      'mirroring_add 5 3',
      'add direct_exports namespace_id:1 export_directly(with_departure:0, clone_session:5, gap:0)',
      'add report_collector standard_metadata.egress_port:3 report_to(dst_mac:4, src_mac:3, src_addr:0x0a0000fe, ' +
        'dst_addr:0x0a0000fd, src_port:32766, dst_port:50003, node_id:7, hw_id:0, inner_bytes:400)',
    ];
    fs.writeFileSync(setUp, lines.join('\n'));
    const program = ['--program', 'p4src/artifacts/ioam.json', '--set-up', setUp, '--json'];
    const judged = await hpccHere(
      'int',
      'judge',
      '--role',
      role,
      '--dut',
      'embedded',
      ...(role === 'ioam-export' ? ['--collector', '3'] : []),
      ...program,
    );
    const { failed, passed } = verdictsOf(judged.stdout);
    expect([failed, judged.status]).toEqual([[], 0]);
    const never = clausesOf(role).filter(({ clause }) => !passed.has(clause));
    expect(never.map(({ clause }) => clause)).toEqual(role === 'ioam-export' ? NEVER : []);
  },
);

test('a router without INT fails as transit hop, in TAP and JUnit', async () => {
  const setUp = at('router.stf');
  fs.writeFileSync(
    setUp,
    'add RouterIngress.routes hdr.ipv4.dst_addr:0x0a000000/8 RouterIngress.forward(port:2, next_hop:2)\n',
  );
  const judged = await hpccHere(
    'int',
    'judge',
    '--dut',
    'embedded',
    '--program',
    'examples/router.json',
    '--set-up',
    setUp,
    '--junit',
    at('junit.xml'),
  );
  expect(judged.status).toBe(1);
  const failed = judged.stdout.match(/^not ok .*$/gm) ?? [];
  const clauses = new Set(failed.map((line) => /: ([\w-]+) /.exec(line)?.[1]));
  expect([...clauses].sort()).toEqual([
    'hop-limit-exceeded-when-none-remains',
    'one-hop-pushed',
    'remaining-hop-count-decremented',
  ]);
  const junit = fs.readFileSync(at('junit.xml'), 'utf8');
  expect(junit).toContain(`failures="${failed.length}"`);
  expect(junit.match(/<failure /g)).toHaveLength(failed.length);
  expect(junit).toMatch(/message="remainingHops: wanted 7, found 8"/);
});

test('frames and verdicts follow the code points of the domain', async () => {
  const judged = await hpccHere(...device('transit'), '--int-dscp', '32');
  expect(judged.status).toBe(1);
  const failed = judged.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { verdict: string; clause: string; sent: string })
    .filter(({ verdict }) => verdict === 'fail');
  // Our program takes them for packets without INT, and forwards them.
  expect(new Set(failed.map(({ clause }) => clause))).toContain('one-hop-pushed');
  expect(failed.every(({ sent }) => sent.slice(30, 32) === '80')).toBe(true);
});

test('a device gets the frames of a document, and a role tells its clauses', async () => {
  fs.writeFileSync(
    at('frame.yaml'),
    '[ethernet, ipv4: {destination: 10.0.0.2}, udp, payload: abcdefgh]\n',
  );
  const judged = await hpccHere(...device('xd'), at('frame.yaml'));
  expect(judged.status).toBe(0);
  expect(judged.stderr).toContain(' 0 failed');
  const { stdout } = await hpccHere('int', 'judge', '--role', 'sink', '--clauses');
  expect(stdout).toMatch(/^sink-dscp-restored +INT over TCP\/UDP$/m);
});

test.each([
  [['a.pcap'], 'wanted two captures, what went in and what came out, or --dut'],
  [['a.pcap', 'b.pcap', '--in', '1'], '--in goes with --dut'],
  [['a.pcap', 'b.pcap', '--reports', 'c.pcap'], '--reports: the role transit reports nothing'],
  [
    ['--dut', 'embedded', '--program', PROGRAM, '--role', 'source', '--collector', '9'],
    '--collector: the role source reports nothing',
  ],
  [
    ['a.pcap', 'b.pcap', '--report-port', '7'],
    '--report-port goes with --dut interfaces or p4runtime',
  ],
  [
    ['--dut', 'embedded', '--program', PROGRAM, '--wait-ms', '9'],
    '--wait-ms goes with --dut interfaces or p4runtime',
  ],
  [['a.pcap', 'b.pcap', '--carrier', 'gre'], '--carrier goes with --dut'],
  [['--dut', 'p4runtime:nowhere'], 'must be embedded, interfaces, or p4runtime:HOST:PORT.'],
  [['--dut', 'p4runtime:h:1', '--program', PROGRAM], '--program goes with --dut embedded'],
  [
    ['--dut', 'embedded', '--program', PROGRAM, '--ports', 'a,b'],
    '--ports goes with --dut p4runtime:ADDRESS',
  ],
  [['--ports', 'a'], 'must be two names'],
  [['--carrier', 'gre,nsh'], 'must be all, or some of udp,tcp,'],
  [['--to-mac', '02:00'], 'must be six bytes'],
  [
    ['--dut', 'embedded', '--program', PROGRAM, '--carrier', 'marker'],
    '--carrier marker wants --int-marker',
  ],
  [['--ioam-namespace', '1'], '--ioam-namespace: the role transit has no use for it'],
  [
    ['--role', 'ioam-transit', '--carrier', 'gre'],
    '--carrier: the role ioam-transit has no use for it',
  ],
  [
    ['--role', 'ioam-transit', '--int-port', '9'],
    '--int-port: the role ioam-transit has no use for it',
  ],
  [['--dut', 'embedded'], '--dut embedded wants --program'],
  [
    ['--dut', 'embedded', '--program', PROGRAM, '--in', 'eth0'],
    '--in: wanted a port from 0 to 510',
  ],
  [['--dut', 'interfaces', '--program', PROGRAM], '--program goes with --dut embedded'],
  [['--dut', 'interfaces', '--in', 'veth0'], '--dut interfaces wants --in and --out'],
  [['x.yaml', '--dut', 'embedded', '--program', PROGRAM, '--to', '10.0.0.9'], '--to is for'],
  [
    ['a.pcap', 'b.pcap', '--dut', 'embedded', '--program', PROGRAM],
    'a device gives what comes back',
  ],
  [['--dut', 'embedded', '--program', PROGRAM, '--set-up', 'none.stf'], 'cannot read none.stf'],
  [['--dut', 'embedded', '--program', PROGRAM, '--to', 'nowhere'], 'destination'],
])('refuses %s', async (flags, message) => {
  const { status, stderr } = await hpccHere('int', 'judge', ...flags);
  expect(status).not.toBe(0);
  expect(stderr).toContain(message);
});
