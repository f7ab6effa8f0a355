import { craftFrame } from '../../../../../common/telemetry/craft/kinds';
import { JUDGED_ROLES, RoleJudge, clausesOf } from '../../../../../common/telemetry/judge/roles';
import type { JudgedRole } from '../../../../../common/telemetry/judge/roles';

interface Parts {
  readonly ip?: object;
  readonly l4?: object;
  readonly shim?: object;
  readonly int?: object;
  readonly payload?: string;
}

const TIMES = { ingressTimestamp: 10, egressTimestamp: 20 };

const ends = ({ payload = 'abcdefgh' }: Parts): object => ({ kind: 'payload', text: payload });
const head = ({ ip, l4 }: Parts): object[] => [
  { kind: 'ethernet' },
  { kind: 'ipv4', ttl: 63, ...ip },
  { kind: 'udp', destinationPort: 5000, ...l4 },
];

const plain = (parts: Parts = {}): Uint8Array =>
  craftFrame([...head({ ...parts, ip: { dscp: 12, ...parts.ip } }), ends(parts)]);
const withMd = (parts: Parts = {}): Uint8Array =>
  craftFrame([
    ...head(parts),
    { kind: 'int-shim', originalDscp: 12, ...parts.shim },
    { kind: 'int-md', hops: [{ nodeId: 1, ...TIMES }], ...parts.int },
    ends(parts),
  ]);
const withMx = (parts: Parts = {}): Uint8Array =>
  craftFrame([
    ...head(parts),
    { kind: 'int-shim', originalDscp: 12, ...parts.shim },
    { kind: 'int-mx', instructionBitmap: 0xc000, ...parts.int },
    ends(parts),
  ]);
/** INT by a UDP port in place of a DSCP. */
const byPort = (parts: Parts = {}): Uint8Array =>
  withMd({
    ...parts,
    ip: { dscp: 12, ...parts.ip },
    l4: { destinationPort: 50_000 },
    shim: { npt: 1, originalPort: 5000, ...parts.shim },
  });

function failures(
  role: JudgedRole,
  sent: Uint8Array,
  returned: Uint8Array | undefined,
  reports?: Uint8Array[],
): string[] {
  const judged = new RoleJudge(role).judge({
    sent,
    returned: returned === undefined ? [] : [returned],
    ...(reports !== undefined && { reports }),
  });
  return judged.flatMap(({ clause, verdict }) => (verdict === 'fail' ? [clause] : []));
}

test('the clauses of all roles are more than 80, each with a name of its own', () => {
  const names = JUDGED_ROLES.flatMap((role) => clausesOf(role).map(({ clause }) => clause));
  const own = new Set(names);
  expect(own.size).toBeGreaterThan(120);
  for (const role of JUDGED_ROLES) {
    const mine = clausesOf(role).map(({ clause }) => clause);
    expect(new Set(mine).size).toBe(mine.length);
  }
});

const nptPatch = { patch: [{ at: 0, bytes: '11' }] };

test.each<[string, Uint8Array | undefined]>([
  ['packet-returned', undefined],
  ['source-addresses-unchanged', withMd({ ip: { source: '10.9.9.9' } })],
  ['source-ecn-unchanged', withMd({ ip: { ecn: 1 } })],
  ['source-ip-lengths-and-checksum-right', withMd({ ip: { totalLength: 999 } })],
  ['source-ip-lengths-and-checksum-right', withMd({ ip: { checksum: 1 } })],
  ['source-udp-length-right', withMd({ l4: { length: 64 } })],
  ['source-transport-checksum-right', withMd({ l4: { checksum: 1 } })],
  ['source-int-added', plain()],
  ['source-shim-type', withMd({ shim: { type: 2 } })],
  ['source-shim-reserved-zero', withMd({ shim: nptPatch })],
  ['source-shim-has-original-dscp', withMd({ shim: { originalDscp: 3 } })],
  ['source-shim-has-original-port', byPort({ shim: { originalPort: 4999 } })],
  ['source-ports-unchanged', withMd({ l4: { sourcePort: 1 } })],
  ['source-payload-unchanged', withMd({ payload: 'abcdefgi' })],
  ['source-version-2', withMd({ int: { patch: [{ at: 0, bytes: '10' }] } })],
  ['source-header-reserved-zero', withMd({ int: { patch: [{ at: 1, bytes: '01' }] } })],
  [
    'source-reserved-instructions-zero',
    withMd({ int: { hops: [{ nodeId: 1, reserved: [0] }], instructionBitmap: 0x8040 } }),
  ],
  ['source-default-domain-without-ds', withMd({ int: { dsInstruction: 1 } })],
  ['source-hop-limit-not-exceeded', withMd({ int: { hopLimitExceeded: true } })],
  ['source-hops-remain', withMd({ int: { remainingHops: 0 } })],
  [
    'source-hop-length-fits-instructions',
    withMd({ int: { hops: [], instructionBitmap: 0xc000, hopWords: 3 } }),
  ],
  ['source-shim-length-right', withMd({ int: { hops: [{ nodeId: 1 }, { nodeId: 2 }] } })],
  ['source-node-id-known', withMd({ int: { hops: [{ nodeId: 0xffff_ffff }] } })],
  [
    'source-egress-not-before-ingress',
    withMd({ int: { hops: [{ ingressTimestamp: 9, egressTimestamp: 8 }] } }),
  ],
])('a source with one fault fails %s and nothing else', (clause, returned) => {
  expect(failures('source', plain({ ip: { ttl: 64 } }), withMd())).toEqual([]);
  expect(failures('source', plain(), byPort())).toEqual([]);
  expect(failures('source', plain(), returned)).toEqual([clause]);
});

const TCP_INNER = { kind: 'tcp', destinationPort: 80 };
const overNewUdp = (protocol: number): Uint8Array =>
  craftFrame([
    { kind: 'ethernet' },
    { kind: 'ipv4', dscp: 12 },
    { kind: 'udp', destinationPort: 50_000, checksum: 0 },
    { kind: 'int-shim', npt: 2, originalProtocol: protocol },
    { kind: 'int-md', hops: [{ nodeId: 1 }] },
    { kind: 'payload', bytes: Buffer.from(tcpFrame().subarray(34)).toString('hex') },
  ]);
const tcpFrame = (): Uint8Array =>
  craftFrame([{ kind: 'ethernet' }, { kind: 'ipv4', dscp: 12 }, TCP_INNER, ends({})]);

test('a source may put a new UDP header in front, and a sink takes it out', () => {
  expect(failures('source', tcpFrame(), overNewUdp(6))).toEqual([]);
  expect(failures('source', tcpFrame(), overNewUdp(17))).toEqual([
    'source-shim-has-original-protocol',
  ]);
  expect(failures('sink', overNewUdp(6), tcpFrame())).toEqual([]);
});

test.each<[string, Uint8Array | undefined]>([
  ['packet-returned', undefined],
  ['sink-addresses-unchanged', plain({ ip: { source: '10.9.9.9' } })],
  ['sink-ecn-unchanged', plain({ ip: { ecn: 1 } })],
  ['sink-ip-lengths-and-checksum-right', plain({ ip: { totalLength: 999 } })],
  ['sink-udp-length-right', plain({ l4: { length: 64 } })],
  ['sink-transport-checksum-right', plain({ l4: { checksum: 1 } })],
  ['sink-dscp-restored', plain({ ip: { dscp: 13 } })],
  ['sink-ports-restored', plain({ l4: { destinationPort: 5001 } })],
  ['sink-payload-unchanged', plain({ payload: 'abcdefgi' })],
])('a sink with one fault fails %s and nothing else', (clause, returned) => {
  expect(failures('sink', withMd(), plain())).toEqual([]);
  expect(failures('sink', withMd(), returned)).toEqual([clause]);
  const mx = clause.replace('sink-', 'mx-sink-');
  expect(failures('mx-sink', withMx(), returned)).toEqual([mx]);
});

test('sinks take INT out, restore protocols, and discard packets with D', () => {
  expect(failures('sink', withMd(), withMd({ int: { hops: [] } }))).toContain('sink-int-removed');
  expect(failures('sink', overNewUdp(47), tcpFrame())).toEqual(['sink-protocol-restored']);
  const discarded = withMd({ int: { discard: true, hops: [] } });
  expect(failures('sink', discarded, undefined)).toEqual([]);
  expect(failures('sink', discarded, plain())).toEqual(['sink-discards']);
});

test.each<[string, Uint8Array]>([
  ['mx-source-int-added', plain()],
  ['mx-source-shim-type', withMx({ shim: { type: 2 }, int: {} })],
  ['mx-source-header-reserved-zero', withMx({ int: { patch: [{ at: 3, bytes: '01' }] } })],
  ['mx-source-reserved-instructions-zero', withMx({ int: { instructionBitmap: 0xc002 } })],
  ['mx-source-no-complement', withMx({ int: { instructionBitmap: 0xc001 } })],
  ['mx-source-no-hops', withMx({ int: { sourceMetadata: '00000001' } })],
  ['mx-source-version-2', withMx({ int: { patch: [{ at: 0, bytes: '10' }] } })],
  ['mx-source-payload-unchanged', withMx({ payload: 'abcdefgi' })],
])('a source of INT-MX with one fault fails %s and nothing else', (clause, returned) => {
  expect(failures('mx-source', plain(), withMx())).toEqual([]);
  expect(failures('mx-source', plain(), returned)).toEqual([clause]);
});

test.each<[string, Uint8Array]>([
  ['mx-transit-addresses-unchanged', withMx({ ip: { source: '10.9.9.9' } })],
  ['mx-transit-shim-unchanged', withMx({ shim: { originalDscp: 13 } })],
  ['mx-transit-instructions-unchanged', withMx({ int: { instructionBitmap: 0x8000 } })],
  ['mx-transit-payload-unchanged', withMx({ payload: 'abcdefgi' })],
  ['mx-transit-transport-checksum-right', withMx({ l4: { checksum: 1 } })],
])('a transit hop of INT-MX with one fault fails %s and nothing else', (clause, returned) => {
  expect(failures('mx-transit', withMx(), withMx({ int: { dsFlags: 1 } }))).toEqual([]);
  expect(failures('mx-transit', withMx(), returned)).toEqual([clause]);
});

test.each<[string, Uint8Array]>([
  ['xd-addresses-unchanged', plain({ ip: { source: '10.9.9.9' } })],
  ['xd-dscp-unchanged', plain({ ip: { dscp: 13 } })],
  ['xd-packet-unchanged', plain({ payload: 'abcdefgi' })],
])('a node of INT-XD with one fault fails %s and nothing else', (clause, returned) => {
  expect(failures('xd', plain(), plain({ ip: { ttl: 9 } }))).toEqual([]);
  expect(failures('xd', plain(), returned)).toEqual([clause]);
});

test('a node of INT-XD adds nothing', () => {
  expect(failures('xd', plain(), withMd())).toContain('xd-no-int-added');
});

const transit = (parts: Parts = {}): Uint8Array =>
  withMd({
    ...parts,
    int: { remainingHops: 7, hops: [{ nodeId: 1 }, { nodeId: 2 }], ...parts.int },
  });
const before = withMd({ int: { remainingHops: 8, hops: [{ nodeId: 1 }] } });

test.each<[string, Uint8Array]>([
  ['transit-ecn-unchanged', transit({ ip: { ecn: 1 } })],
  ['transit-shim-reserved-unchanged', transit({ shim: nptPatch })],
  ['transit-header-reserved-unchanged', transit({ int: { patch: [{ at: 1, bytes: '01' }] } })],
])('a transit hop with one fault fails %s and nothing else', (clause, returned) => {
  expect(failures('transit', before, transit())).toEqual([]);
  expect(failures('transit', before, returned)).toEqual([clause]);
});

const overTcp = (int: object, tcp: object = {}): Uint8Array =>
  craftFrame([
    { kind: 'ethernet' },
    { kind: 'ipv4' },
    { kind: 'tcp', destinationPort: 80, ...tcp },
    { kind: 'int-shim' },
    { kind: 'int-md', ...int },
    ends({}),
  ]);

test('a transit hop of INT over TCP keeps the header and the checksum', () => {
  const sent = overTcp({ hops: [{ nodeId: 1 }] });
  const int = { remainingHops: 7, hops: [{ nodeId: 1 }, { nodeId: 2 }] };
  expect(failures('transit', sent, overTcp(int))).toEqual([]);
  expect(failures('transit', sent, overTcp(int, { sequence: 9 }))).toEqual([
    'transit-tcp-header-unchanged',
  ]);
  expect(failures('transit', sent, overTcp(int, { checksum: 1 }))).toEqual([
    'transit-tcp-checksum-right',
  ]);
});

test('a version that nobody knows passes as it came', () => {
  const other = (payload: string): Uint8Array =>
    withMd({ payload, int: { patch: [{ at: 0, bytes: '50' }] } });
  expect(failures('transit', other('abcd'), other('abcd'))).toEqual([]);
  expect(failures('transit', other('abcd'), other('abce'))).toEqual([
    'transit-unknown-version-untouched',
  ]);
});

interface ReportParts {
  readonly ip?: object;
  readonly udp?: object;
  readonly group?: object;
  readonly report?: object;
  readonly int?: object;
  readonly inner?: Uint8Array;
  readonly cut?: number;
}

/** A right report of a packet of INT-MD. */
function reportOf(sent: Uint8Array, parts: ReportParts = {}): Uint8Array {
  const packet = (parts.inner ?? sent).subarray(14);
  const inner = Buffer.from(packet.subarray(0, parts.cut ?? packet.length)).toString('hex');
  const int = { hopLatency: 5, ...TIMES, ...parts.int };
  const report = { innerType: 4, trackedFlow: true, int, inner, ...parts.report };
  return craftFrame([
    { kind: 'ethernet' },
    { kind: 'ipv4', dontFragment: true, ...parts.ip },
    { kind: 'udp', destinationPort: 50_003, ...parts.udp },
    { kind: 'report', nodeId: 9, sequence: 5, ...parts.group, reports: [report] },
  ]);
}

const TRACKED = withMd({ int: { hops: [{ nodeId: 1, hopLatency: 4, ...TIMES }] } });

test.each<[string, ReportParts]>([
  ['report-ip-lengths-and-checksum-right', { ip: { checksum: 1 } }],
  ['report-udp-length-right', { udp: { length: 999 } }],
  ['report-udp-checksum-right-or-none', { udp: { checksum: 1 } }],
  ['report-not-fragmentable-or-identified', { ip: { dontFragment: false } }],
  ['report-node-id-known', { group: { nodeId: 0xffff_ffff } }],
  ['report-inner-type-fits-packet', { report: { innerType: 5 } }],
  ['report-tracked-flow', { report: { trackedFlow: false } }],
  ['report-not-dropped', { report: { dropped: true } }],
  ['report-not-intermediate', { report: { intermediate: true } }],
  ['report-metadata-length-right', { int: { metadataWords: 6, domain: [1] } }],
  ['report-bit-15-for-drops', { int: { dropReason: 1 } }],
  ['report-bits-9-to-14-zero', { int: { metadataBits: 0x2c40, reserved: [1] } }],
  ['report-no-bits-beyond-instructions', { int: { txUtilization: 3 } }],
  ['report-default-domain-without-ds', { int: { dsBits: 0x8000, metadataWords: 6, domain: [1] } }],
  ['report-unavailable-has-no-bit', { int: { hopLatency: 0xffff_ffff } }],
  ['report-egress-not-before-ingress', { int: { egressTimestamp: 1 } }],
  [
    'report-has-packet-as-it-came',
    {
      inner: withMd({
        payload: 'zzzzzzzz',
        int: { hops: [{ nodeId: 1, hopLatency: 4, ...TIMES }] },
      }),
    },
  ],
  ['report-stack-whole', { cut: 60 }],
])('a report with one fault fails %s', (clause, parts) => {
  expect(failures('sink', TRACKED, plain(), [reportOf(TRACKED)])).toEqual([]);
  expect(failures('sink', TRACKED, plain(), [reportOf(TRACKED, parts)])).toContain(clause);
});

test('reports are sent once, can be read, and go on in sequence from one node', () => {
  const good = reportOf(TRACKED);
  expect(failures('sink', TRACKED, plain(), [])).toEqual(['report-sent-once']);
  expect(failures('sink', TRACKED, plain(), [good, good])).toEqual(['report-sent-once']);
  expect(failures('sink', TRACKED, plain(), [plain()])).toEqual(['report-readable']);
  const judge = new RoleJudge('sink');
  const failed = (group: object): string[] =>
    judge
      .judge({ sent: TRACKED, returned: [plain()], reports: [reportOf(TRACKED, { group })] })
      .flatMap(({ clause, verdict }) => (verdict === 'fail' ? [clause] : []));
  expect(failed({})).toEqual([]);
  expect(failed({ sequence: 6 })).toEqual([]);
  expect(failed({ sequence: 8 })).toEqual(['report-sequence-goes-on']);
  expect(failed({ sequence: 9, nodeId: 7 })).toEqual(['report-node-id-constant']);
});
