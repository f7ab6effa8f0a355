import type { AnyLayer } from '../../../common/telemetry/craft/layer';
import type { JudgedRole } from '../../../common/telemetry/judge/roles';
import { craft, edit, frameFault, layerFault, patched } from './fault';
import type { DeviceFault, Passing } from './fault';
import { plain, withInt } from './int-frames';
import type { Way } from './int-frames';

/** Sources, sinks and nodes of INT-MX and INT-XD with one fault each. */

type Row = readonly [clause: string, way: Way, kind: string, fields: object];

const TIMES = { ingressTimestamp: 10, egressTimestamp: 20 };
const MD = { kind: 'int-md', hops: [{ nodeId: 1, ...TIMES }] };
const MX = { kind: 'int-mx', instructionBitmap: 0xc000 };
const ONES = 0xffff_ffff;

const sourceOf = (way: Way, int: AnyLayer): Passing => ({
  sent: plain(way, { ttl: 64 }),
  returned: withInt(way, int),
});
const sinkOf = (way: Way, int: AnyLayer): Passing => ({
  sent: withInt(way, int, { ttl: 64 }),
  returned: plain(way),
});

/** Faults of what every role must leave alone. */
const PACKET: readonly Row[] = [
  ['addresses-unchanged', 'udp', 'ipv4', { source: '10.9.9.9' }],
  ['ecn-unchanged', 'udp', 'ipv4', { ecn: 1 }],
  ['ip-lengths-and-checksum-right', 'udp', 'ipv4', { totalLength: 999 }],
  ['ip-lengths-and-checksum-right', 'udp', 'ipv4', { checksum: 1 }],
  ['ip-lengths-and-checksum-right', 'udp6', 'ipv6', { payloadLength: 999 }],
  ['udp-length-right', 'udp', 'udp', { length: 64 }],
  ['transport-checksum-right', 'udp', 'udp', { checksum: 1 }],
  ['transport-checksum-right', 'tcp', 'tcp', { checksum: 1 }],
  ['transport-checksum-right', 'gre', 'gre', { checksum: 1 }],
  ['transport-checksum-right', 'vxlan', 'udp', { checksum: 1 }],
  ['transport-checksum-right', 'geneve', 'udp', { checksum: 1 }],
  ['tcp-header-unchanged', 'tcp', 'tcp', { sequence: 9 }],
];

const PAYLOAD: Row = ['payload-unchanged', 'udp', 'payload', { text: 'abcdefgi' }];

/** Faults of a source of INT-MD or INT-MX; `int` is the kind of its header. */
const addedRows = (int: string): readonly Row[] => [
  ...PACKET,
  PAYLOAD,
  ['payload-unchanged', 'new-gre', 'payload', { text: 'abcdefgi' }],
  ['shim-type', 'udp', 'int-shim', { type: 2 }],
  ['shim-npt-defined', 'udp', 'int-shim', patched(0, int === 'int-md' ? '1c' : '3c')],
  ['shim-reserved-zero', 'udp', 'int-shim', patched(2, '01')],
  ['shim-has-original-dscp', 'udp', 'int-shim', { originalDscp: 3 }],
  ['shim-has-original-port', 'port', 'int-shim', { originalPort: 4999 }],
  ['shim-has-original-protocol', 'new-udp', 'int-shim', { originalProtocol: 17 }],
  ['ports-unchanged', 'udp', 'udp', { sourcePort: 1 }],
  ['version-2', 'udp', int, patched(0, '10')],
  ['header-reserved-zero', 'udp', int, patched(1, '01')],
  ['default-domain-without-ds', 'udp', int, { dsInstruction: 1 }],
  ['shim-has-gre-protocol', 'gre', 'int-gre-shim', { nextProtocol: 1 }],
  ['shim-has-gre-protocol', 'new-gre', 'int-gre-shim', { nextProtocol: 1 }],
  ['shim-has-vxlan-protocol', 'vxlan', 'int-gpe-shim', { nextProtocol: 1 }],
  ['shim-tells-added-gre', 'gre', 'int-gre-shim', { greAdded: true }],
  ['shim-tells-plain-vxlan', 'vxlan', 'int-gpe-shim', { wasVxlan: false }],
  ['tunnel-header-unchanged', 'gre', 'gre', { key: 1 }],
  ['tunnel-header-unchanged', 'vxlan-gpe', 'vxlan-gpe', { vni: 1 }],
  ['geneve-options-length-right', 'geneve', 'geneve', { optionWords: 3 }],
];

const SOURCE_ROWS: readonly Row[] = [
  ...addedRows('int-md'),
  ['reserved-instructions-zero', 'udp', 'int-md', { hops: [], instructionBitmap: 0x8040 }],
  ['hop-limit-not-exceeded', 'udp', 'int-md', { hopLimitExceeded: true }],
  ['hops-remain', 'udp', 'int-md', { remainingHops: 0, hops: [] }],
  [
    'hop-length-fits-instructions',
    'udp',
    'int-md',
    { hops: [], instructionBitmap: 0xc000, hopWords: 3 },
  ],
  ['shim-length-right', 'udp', 'int-md', { hops: [{ nodeId: 1 }, { nodeId: 2 }] }],
  ['node-id-known', 'udp', 'int-md', { hops: [{ nodeId: ONES }] }],
  [
    'egress-not-before-ingress',
    'udp',
    'int-md',
    { hops: [{ ingressTimestamp: 9, egressTimestamp: 8 }] },
  ],
];

const MX_SOURCE_ROWS: readonly Row[] = [
  ...addedRows('int-mx'),
  ['reserved-instructions-zero', 'udp', 'int-mx', { instructionBitmap: 0xc002 }],
  ['no-complement', 'udp', 'int-mx', { instructionBitmap: 0xc001 }],
  ['no-hops', 'udp', 'int-mx', { sourceMetadata: '00000001' }],
];

const SINK_ROWS: readonly Row[] = [
  ...PACKET,
  PAYLOAD,
  ['payload-unchanged', 'new-gre', 'payload', { text: 'abcdefgi' }],
  ['dscp-restored', 'udp', 'ipv4', { dscp: 13 }],
  ['dscp-restored', 'port', 'ipv4', { dscp: 13 }],
  ['ports-restored', 'udp', 'udp', { destinationPort: 5001 }],
  ['ports-restored', 'port', 'udp', { destinationPort: 5001 }],
  ['protocol-restored', 'udp', 'ipv4', { protocol: 99 }],
  ['protocol-restored', 'new-udp', 'ipv4', { protocol: 99 }],
  ['gre-restored', 'gre', 'gre', { protocol: 0x6558 }],
  ['vxlan-restored', 'vxlan', 'vxlan', { vni: 1 }],
  ['vxlan-restored', 'vxlan', 'vxlan', patched(0, '0c')],
  ['vxlan-restored', 'vxlan', 'vxlan', patched(3, '03')],
  ['vxlan-restored', 'vxlan-gpe', 'vxlan-gpe', { nextProtocol: 3 }],
  ['geneve-restored', 'geneve', 'geneve', { optionWords: 3 }],
];

const MX_TRANSIT_ROWS: readonly Row[] = [
  ...PACKET,
  PAYLOAD,
  ['dscp-unchanged', 'udp', 'ipv4', { dscp: 1 }],
  ['shim-unchanged', 'udp', 'int-shim', { originalDscp: 13 }],
  ['tunnel-header-unchanged', 'vxlan-gpe', 'vxlan-gpe', { vni: 1 }],
  ['instructions-unchanged', 'udp', 'int-mx', { instructionBitmap: 0x8000 }],
];

const XD_ROWS: readonly Row[] = [
  ...PACKET,
  ['packet-unchanged', 'udp', 'payload', { text: 'abcdefgi' }],
  ['packet-unchanged', 'gre', 'payload', { text: 'abcdefgi' }],
  ['dscp-unchanged', 'udp', 'ipv4', { dscp: 13 }],
  ['ports-unchanged', 'udp', 'udp', { destinationPort: 5001 }],
  ['tunnel-header-unchanged', 'gre', 'gre', { key: 1 }],
];

const faultsOf = (
  role: JudgedRole,
  rows: readonly Row[],
  passing: (way: Way) => Passing,
): DeviceFault[] =>
  rows.map(([clause, way, kind, fields]) =>
    layerFault(role, `${role}-${clause}`, passing(way), [kind, fields]),
  );

/** A sink that sends on what has D. */
const discards = (role: 'sink' | 'mx-sink', int: AnyLayer): DeviceFault => {
  const sent = craft(withInt('udp', { ...int, discard: true }));
  const wrong = [{ sent, returned: [craft(plain('udp'))] }];
  return { role, clause: `${role}-discards`, right: [{ sent, returned: [] }], wrong };
};

const unchanged = (way: Way): Passing => ({ sent: plain(way, { ttl: 64 }), returned: plain(way) });

const addsNothing = (role: 'source' | 'mx-source', int: AnyLayer): DeviceFault =>
  frameFault(role, `${role}-int-added`, sourceOf('udp', int), [craft(plain('udp'))]);

const keeps = (role: 'sink' | 'mx-sink', int: AnyLayer): DeviceFault =>
  frameFault(role, `${role}-int-removed`, sinkOf('udp', int), [craft(withInt('udp', int))]);

/** A sink that takes away what announces INT, and leaves INT. */
const hides = (role: 'sink' | 'mx-sink', int: AnyLayer): DeviceFault =>
  frameFault(role, `${role}-int-removed`, sinkOf('udp', int), [
    craft(edit(withInt('udp', int), 'ipv4', { dscp: 12 })),
  ]);

export const ROLE_FAULTS: readonly DeviceFault[] = [
  addsNothing('source', MD),
  ...faultsOf('source', SOURCE_ROWS, (way) => sourceOf(way, MD)),
  keeps('sink', MD),
  hides('sink', MD),
  discards('sink', MD),
  ...faultsOf('sink', SINK_ROWS, (way) => sinkOf(way, MD)),
  addsNothing('mx-source', MX),
  ...faultsOf('mx-source', MX_SOURCE_ROWS, (way) => sourceOf(way, MX)),
  keeps('mx-sink', MX),
  hides('mx-sink', MX),
  discards('mx-sink', MX),
  ...faultsOf('mx-sink', SINK_ROWS, (way) => sinkOf(way, MX)),
  ...faultsOf('mx-transit', MX_TRANSIT_ROWS, (way) => ({
    sent: withInt(way, MX, { ttl: 64 }),
    returned: withInt(way, MX),
  })),
  frameFault('xd', 'xd-no-int-added', unchanged('udp'), [craft(withInt('udp', MD))]),
  ...faultsOf('xd', XD_ROWS, unchanged),
];
