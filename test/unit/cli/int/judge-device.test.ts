import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { INT_ROLES, clausesOf, isReporting } from '../../../../common/telemetry/judge/roles';
import type { IntRole } from '../../../../common/telemetry/judge/roles';
import { hpccHere } from '../../../support/command-line';
import { verdictsOf } from '../../../support/judge/judge-interfaces';
import { IOAM_SET_UP, flowInRole, intSetUp, isSink } from '../../../support/judge/own-device';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-judge-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const PROGRAM = path.resolve('p4src/artifacts/int-v2.json');

/** File with the statements that make our program a device in a role. */
function setUpOf(role: IntRole): string {
  const file = at(`${role}.stf`);
  fs.writeFileSync(file, `${intSetUp(role).join('\n')}\n`);
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

test.each(INT_ROLES.flatMap((role) => [[role, 4] as const, [role, 6] as const]))(
  'our program as %s over IPv%d passes every clause, and its reports do',
  async (role, family) => {
    const { source, destination } = flowInRole(role, family);
    const ports = isSink(role) ? ['--out', '3'] : [];
    const carriers = ['--carrier', 'all', '--int-marker', '494e542d6d61726b'];
    const flow = ['--from', source, '--to', destination];
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
    fs.writeFileSync(setUp, IOAM_SET_UP.join('\n'));
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

test('our program may skip what it does not know', async () => {
  const setUp = at('skips.stf');
  const skips = 'setdefault unknown_sets treat_unknown(skip_reserved:1, skip_domains:1)';
  fs.writeFileSync(setUp, [...intSetUp('transit'), skips, ''].join('\n'));
  const program = ['--dut', 'embedded', '--program', PROGRAM, '--set-up', setUp, '--json'];
  const judged = await hpccHere('int', 'judge', ...program);
  const { failed, passed } = verdictsOf(judged.stdout);
  expect([failed, judged.status]).toEqual([[], 0]);
  expect(passed).not.toContain('reserved-instructions-all-ones');
});

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
