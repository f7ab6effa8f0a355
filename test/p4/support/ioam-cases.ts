import fc from 'fast-check';
import { craftFrame } from '../../../common/telemetry/craft/kinds';
import type { AnyLayer } from '../../../common/telemetry/craft/layer';
import { hasSnapshot, ioamNodeWords } from '../../../common/wire/ioam/ioam-node';
import { toHex } from '../../support/hex';

/** A packet with a trace of any type. */
interface IoamCase {
  readonly isIncremental: boolean;
  readonly traceType: number;
  readonly remainingWords: number;
  readonly flags: {
    readonly overflow: boolean;
    readonly loopback: boolean;
    readonly active: boolean;
  };
  readonly isHpcc: boolean;
  readonly ttl: number;
  /** Words of the state snapshot of each node that was there before. */
  readonly earlier: readonly number[];
  readonly contextWords: number;
}

/** Each bit as likely as not, or few of them, nearly all, or just one. */
const traceType = fc.oneof(
  fc.nat(0xff_ffff),
  fc.tuple(fc.nat(0xff_ffff), fc.nat(0xff_ffff)).map(([a, b]) => (a & b) >>> 0),
  fc.tuple(fc.nat(0xff_ffff), fc.nat(0xff_ffff)).map(([a, b]) => (a | b) >>> 0),
  fc.nat(23).map((bit) => 1 << bit),
);

export const ioamCase: fc.Arbitrary<IoamCase> = fc.record({
  isIncremental: fc.boolean(),
  traceType,
  remainingWords: fc.oneof(fc.nat(8), fc.nat(30)),
  flags: fc.record({ overflow: fc.boolean(), loopback: fc.boolean(), active: fc.boolean() }),
  isHpcc: fc.boolean(),
  ttl: fc.integer({ min: 2, max: 63 }),
  earlier: fc.array(fc.nat(2), { maxLength: 1 }),
  contextWords: fc.nat(4),
});

const NAMESPACE = 123;
const HPCC_NAMESPACE = 124;
const NODE_ID = 0x1abcdef;
const ONES = 0xffff_ffff;
const UNDEFINED = [...Array(10).keys()].map((i) => 0x000800 >>> i);

const MACS = { destination: '02:00:00:00:0b:02', source: '02:00:00:00:0b:01' };

/** Tables of a node whose clock stands still, whose queues are empty and whose counter is not told. */
const SET_UP: readonly string[] = [
  'member_create ingress.route.ipv6_ecmp forward_ipv6(port:2, dst_mac:0x020000000b02, src_mac:0x020000000b01)',
  'add ipv6_route hdr.ipv6.dst_addr:0xfd000000000000000000000000000000/8 member(handle:0)',
  'add service_paths path_id:9 service_index:255 forward_on_path(port:2, dst_mac:0x020000000b02, src_mac:0x020000000b01)',
  `add port_record standard_metadata.egress_port:2 set_port_record(node_id:${NODE_ID}, capacity_mbps:1000, ` +
    'queue_unit_bytes:0, clock_unit_ns:0, mtu:9000, tx_unit_bytes:0)',
  'setdefault interface enable()',
  ...[NAMESPACE, HPCC_NAMESPACE].map(
    (id, isHpcc) =>
      `add namespaces namespace_id:${id} set_namespace(is_hpcc:${isHpcc}, data:0xdeadbee0, wide_data:0xcafec0caf00dc0de)`,
  ),
];

/** The data of a node of these tables, for every bit of the type. */
const ownNode = ({ traceType: type, isHpcc, ttl }: IoamCase): object => ({
  hopLimit: ttl - 1,
  nodeId: NODE_ID & 0xff_ffff,
  ingressInterface: 1,
  egressInterface: 2,
  seconds: 0,
  fraction: 0,
  transitDelay: 0,
  namespaceData: 0xdeadbee0,
  queueDepth: 0,
  wideNode: `0x${(ttl - 1).toString(16)}000000${NODE_ID.toString(16).padStart(8, '0')}`,
  ingressInterfaceWide: 1,
  egressInterfaceWide: 2,
  namespaceDataWide: '0xcafec0caf00dc0de',
  undefinedWords: UNDEFINED.filter((bit) => (type & bit) !== 0).map((bit) =>
    isHpcc && bit === UNDEFINED[0] ? 0 : ONES,
  ),
});

/** A node that was there before: its own values for all that it is asked for. */
const earlierNode = (snapshotWords: number): object => ({
  hopLimit: 77,
  nodeId: 5,
  seconds: 1,
  queueDepth: 9,
  snapshot: { schemaId: 3, data: '01020304'.repeat(snapshotWords) },
});

/** A frame of the case: with the trace as it is given. */
function frameOf(which: IoamCase, trace: object, ttl: number, link: object): Uint8Array {
  const { isIncremental, contextWords } = which;
  const addresses = { source: 'fd00::1', destination: 'fd00::2' };
  const behind: AnyLayer[] = [
    { kind: 'udp', destinationPort: 5000 },
    { kind: 'payload', text: 'data' },
  ];
  const layers: AnyLayer[] = isIncremental
    ? [
        { kind: 'nsh', pathId: 9, ttl, context: '5a'.repeat(4 * contextWords) },
        { kind: 'nsh-ioam', trace },
        { kind: 'ipv6', ...addresses },
      ]
    : [
        { kind: 'ipv6', ...addresses, hopLimit: ttl },
        { kind: 'hop-by-hop', options: [{ trace }] },
      ];
  return craftFrame([{ kind: 'ethernet', ...link }, ...layers, ...behind]);
}

/** A packet test, and the frames that it expects. */
export interface IoamTest {
  readonly stf: string;
  readonly expected: readonly Uint8Array[];
}

/** A packet test of cases by RFC 9197 section 4.4: data where there is room, and O where there is none. */
export function testOf(cases: readonly IoamCase[]): IoamTest {
  const expected: Uint8Array[] = [];
  const lines = cases.flatMap((which) => {
    const { isIncremental, traceType: type, remainingWords, flags, isHpcc, ttl } = which;
    const hasData = ioamNodeWords(type) > 0 || hasSnapshot(type);
    const hops = hasData ? which.earlier.map(earlierNode) : [];
    const namespaceId = isHpcc ? HPCC_NAMESPACE : NAMESPACE;
    const before = { namespaceId, traceType: type, isIncremental, remainingWords, ...flags, hops };
    const words = ioamNodeWords(type) + (hasSnapshot(type) ? 1 : 0);
    const grown = hasData ? [...hops, ownNode(which)] : hops;
    const after =
      words <= remainingWords
        ? { ...before, remainingWords: remainingWords - words, hops: grown }
        : { ...before, overflow: true };
    const returned = frameOf(which, after, ttl - 1, MACS);
    expected.push(returned);
    const sent = frameOf(which, before, ttl, {});
    return [`packet 1 ${toHex(sent)}`, `expect 2 ${toHex(returned)} $`];
  });
  return { stf: [...SET_UP, ...lines, ''].join('\n'), expected };
}
