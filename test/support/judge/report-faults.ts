import { craft } from './fault';
import type { DeviceFault } from './fault';
import { plain, withInt } from './int-frames';

/** Telemetry reports with one fault each. */

const TIMES = { ingressTimestamp: 10, egressTimestamp: 20 };
const ONES = 0xffff_ffff;
const UPSTREAM = { nodeId: 1, hopLatency: 4, ...TIMES };
const DOMAIN = { domainId: 0x5453, dsInstruction: 0x8000 };

interface Parts {
  readonly ip?: object;
  readonly udp?: object;
  readonly group?: object;
  readonly report?: object;
  readonly int?: object;
  /** Frame that is in the report, and the bytes of it. */
  readonly inner?: Uint8Array;
  readonly cut?: number;
  readonly tail?: string;
}

/** A report of a packet. */
export function reportOf(sent: Uint8Array, parts: Parts = {}): Uint8Array {
  const packet = (parts.inner ?? sent).subarray(
    14,
    parts.cut === undefined ? undefined : 14 + parts.cut,
  );
  const inner = Buffer.from(packet).toString('hex') + (parts.tail ?? '');
  const int = { hopLatency: 5, ...TIMES, ...parts.int };
  const report = { innerType: 4, trackedFlow: true, int, inner, ...parts.report };
  return craft([
    { kind: 'ethernet' },
    { kind: 'ipv4', dontFragment: true, ...parts.ip },
    { kind: 'udp', destinationPort: 50_003, ...parts.udp },
    { kind: 'report', nodeId: 9, sequence: 5, ...parts.group, reports: [report] },
  ]);
}

const md = (fields: object = {}): Uint8Array =>
  craft(withInt('udp', { kind: 'int-md', hops: [UPSTREAM], ...fields }));

const TRACKED = md();
const WITH_DOMAIN = md({ ...DOMAIN, hops: [{ ...UPSTREAM, domain: [1] }] });
/** Instructions of a domain that is none, by a wrong source. */
const WITHOUT_DOMAIN = md({ dsInstruction: 0x8000 });
const FOLLOWED = craft(plain('udp'));

const ofDomain = (int: object): Parts => ({ int: { domain: [1], dsBits: 0x8000, ...int } });
const RIGHT_DOMAIN = ofDomain({ domainId: 0x5453 });

type Row = readonly [clause: string, wrong: Parts, right?: Parts, sent?: Uint8Array];

const group = (at: number, bytes: string): Parts => ({ group: { patch: [{ at, bytes }] } });

const ROWS: readonly Row[] = [
  ['report-ip-lengths-and-checksum-right', { ip: { checksum: 1 } }],
  ['report-udp-length-right', { udp: { length: 999 } }],
  ['report-udp-checksum-right-or-none', { udp: { checksum: 1 } }],
  ['report-not-fragmentable-or-identified', { ip: { dontFragment: false } }],
  ['report-node-id-known', { group: { nodeId: ONES } }],
  ['report-type-defined', { report: { type: 3, int: undefined } }, { report: { int: undefined } }],
  ['report-inner-type-defined', { report: { innerType: 6 } }],
  ['report-inner-type-fits-packet', { report: { innerType: 5 } }],
  ['report-length-right', { tail: '00'.repeat(8) }],
  ['report-tracked-flow', { report: { trackedFlow: false } }],
  ['report-not-dropped', { report: { dropped: true } }],
  ['report-not-intermediate', { report: { intermediate: true } }],
  ['report-reserved-zero', group(11, '21')],
  [
    'report-inner-only-without-metadata',
    { report: { int: undefined }, ...group(10, '01') },
    { report: { int: undefined } },
  ],
  ['report-metadata-length-right', { int: { metadataWords: 6, domain: [1] } }],
  ['report-bit-0-zero', { int: { nodeId: 9 } }],
  ['report-bits-9-to-14-zero', { int: { metadataBits: 0x2c40, reserved: [1] } }],
  ['report-bit-15-for-drops', { int: { dropReason: 1 } }],
  ['report-no-bits-beyond-instructions', { int: { txUtilization: 3 } }],
  ['report-domain-of-instructions', ofDomain({ domainId: 1 }), RIGHT_DOMAIN, WITH_DOMAIN],
  ['report-default-domain-without-ds', ofDomain({ domainId: 0 }), {}, WITHOUT_DOMAIN],
  [
    'report-no-ds-bits-beyond-instructions',
    ofDomain({ domainId: 0x5453, dsBits: 0xc000 }),
    RIGHT_DOMAIN,
    WITH_DOMAIN,
  ],
  ['report-unavailable-has-no-bit', { int: { hopLatency: ONES } }],
  ['report-egress-not-before-ingress', { int: { egressTimestamp: 1 } }],
  ['report-has-packet-as-it-came', { inner: md({ hops: [{ ...UPSTREAM, hopLatency: 7 }] }) }],
  ['report-stack-whole', { cut: 60 }],
];

const answer = (sent: Uint8Array, reports: readonly Uint8Array[]) => ({
  sent,
  returned: [FOLLOWED],
  reports,
});

const fault = (
  clause: string,
  wrong: readonly Uint8Array[],
  more: Partial<DeviceFault> = {},
): DeviceFault => ({
  role: 'sink',
  clause,
  right: [answer(TRACKED, [reportOf(TRACKED)])],
  wrong: [answer(TRACKED, wrong)],
  ...more,
});

/** Two packets: what the second report says is seen beside the first. */
const pair = (group: object) =>
  [{}, group].map((each) => answer(TRACKED, [reportOf(TRACKED, { group: each })]));

/** A node of INT-XD that reports a packet of another flow. */
const OTHER_FLOW: DeviceFault = {
  role: 'xd',
  clause: 'report-has-flow',
  right: [answer(FOLLOWED, [reportOf(FOLLOWED)])],
  wrong: [
    answer(FOLLOWED, [reportOf(FOLLOWED, { inner: craft(plain('udp', { source: '10.9.9.9' })) })]),
  ],
};

export const REPORT_FAULTS: readonly DeviceFault[] = [
  fault('report-sent-once', []),
  fault('report-sent-once', [reportOf(TRACKED), reportOf(TRACKED)]),
  fault('report-readable', [FOLLOWED]),
  ...ROWS.map(([clause, wrong, right = {}, sent = TRACKED]) =>
    fault(clause, [], {
      right: [answer(sent, [reportOf(sent, right)])],
      wrong: [answer(sent, [reportOf(sent, wrong)])],
    }),
  ),
  fault('report-sequence-goes-on', [], {
    right: pair({ sequence: 6 }),
    wrong: pair({ sequence: 8 }),
  }),
  fault('report-node-id-constant', [], {
    right: pair({ sequence: 6 }),
    wrong: pair({ sequence: 6, nodeId: 7 }),
  }),
  OTHER_FLOW,
];
