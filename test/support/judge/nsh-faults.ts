import { craft, edit, frameFault, patched } from './fault';
import type { DeviceFault, Layers, Passing } from './fault';

/** Transit nodes of the incremental trace behind NSH with one fault each. */

const ONES = 0xffff_ffff;
const OLD = { hopLimit: 60, nodeId: 7, ingressInterface: 1, egressInterface: 2 };
const NEW = { hopLimit: 30, nodeId: 8, ingressInterface: 3, egressInterface: 4 };
const T = { namespaceId: 1, traceType: 0xc00000, isIncremental: true };

/** A packet with context, an option of another type and a trace; `ttl` is 31 before the node. */
const traced = (trace: object, ttl = 30): Layers => [
  { kind: 'ethernet' },
  { kind: 'nsh', ttl, mdType: 1, pathId: 9, serviceIndex: 250, context: '5a'.repeat(16) },
  { kind: 'nsh-ioam', edgeToEdge: { namespaceId: 1, sequence: 7 } },
  { kind: 'nsh-ioam', trace },
  { kind: 'ipv4' },
  { kind: 'udp', destinationPort: 5000 },
  { kind: 'payload', text: 'abcd' },
];

const passing = (sent: object, returned: object): Passing => ({
  sent: traced(sent, 31),
  returned: traced(returned),
});

const BEFORE = { ...T, remainingWords: 4, hops: [OLD] };
const AFTER = { ...T, remainingWords: 2, hops: [OLD, NEW] };
const RIGHT = passing(BEFORE, AFTER);
const NO_ROOM = { ...T, remainingWords: 1, hops: [OLD] };
const FULL = passing(NO_ROOM, { ...NO_ROOM, overflow: true });
const FOREIGN = { ...T, namespaceId: 2, remainingWords: 1, hops: [OLD] };
const UNKNOWN = passing(FOREIGN, FOREIGN);

const other = (clause: string, wrong: Layers, right = RIGHT): DeviceFault =>
  frameFault('ioam-incremental', clause, right, [craft(wrong)]);

const nsh = (clause: string, fields: object): DeviceFault =>
  other(clause, edit(RIGHT.returned, 'nsh', fields));

/** The head of the trace and what it covers, with bytes that are others. */
function head(clause: string, at: number, bytes: string): DeviceFault {
  const layers = RIGHT.returned.map((layer) =>
    layer['trace'] === undefined ? layer : { ...layer, ...patched(at, bytes) },
  );
  return other(clause, layers);
}
/** Where the trace begins behind its head. */
const TRACE_AT = 4;

/** Bytes put in front of the payload's IP header, of which no field tells. */
const swollen = ({ returned }: Passing): Layers => {
  const at = returned.findIndex((layer) => layer.kind === 'ipv4');
  const frame = craft(returned);
  const behind = craft([{ kind: 'ethernet' }, ...returned.slice(at)]).subarray(14);
  const start = frame.length - behind.length;
  // A third node between this one and the first, which nobody asked for.
  const nodeAt = start - 8;
  return [
    { kind: 'payload', bytes: Buffer.from(frame.subarray(0, nodeAt)).toString('hex') },
    { kind: 'payload', bytes: '00000000' },
    { kind: 'payload', bytes: Buffer.from(frame.subarray(nodeAt)).toString('hex') },
  ];
};

const node = (fields: object): Layers => traced({ ...AFTER, hops: [OLD, { ...NEW, ...fields }] });

/** A trace of another type, with one node before and after. */
const typed = (traceType: number, words: number, fields: object): Passing =>
  passing(
    { ...T, traceType, remainingWords: words },
    { ...T, traceType, remainingWords: 0, hops: [fields] },
  );
const retyped = (clause: string, right: Passing, traceType: number, wrong: object): DeviceFault =>
  other(clause, traced({ ...T, traceType, remainingWords: 0, hops: [wrong] }), right);

const WIDE = { hopLimit: 30, nodeId: 8, wideNode: '0x1e00000000000008' };
const UNDEFINED = { hopLimit: 30, nodeId: 8, undefinedWords: [ONES] };

/** Two packets, of which the second is from before the first. */
function clockFault(): DeviceFault {
  const exchange = (seconds: number) => {
    const { sent, returned } = typed(0x200000, 1, { seconds });
    return { sent: craft(sent), returned: [craft(returned)] };
  };
  return {
    role: 'ioam-incremental',
    clause: 'ioam-clock-goes-on',
    right: [exchange(10), exchange(10)],
    wrong: [exchange(10), exchange(9)],
  };
}

export const NSH_FAULTS: readonly DeviceFault[] = [
  frameFault('ioam-incremental', 'nsh-packet-returned', RIGHT, []),
  frameFault('ioam-incremental', 'nsh-packet-returned', RIGHT, [
    craft(RIGHT.returned),
    craft(RIGHT.returned),
  ]),
  other(
    'nsh-ttl-decremented',
    edit(traced({ ...AFTER, hops: [OLD, { ...NEW, hopLimit: 31 }] }), 'nsh', { ttl: 29 }),
  ),
  nsh('nsh-flags-unchanged', { oam: true }),
  nsh('nsh-types-unchanged', { mdType: 2 }),
  nsh('nsh-path-unchanged', { serviceIndex: 249 }),
  nsh('nsh-context-unchanged', { context: '5b'.repeat(16) }),
  nsh('nsh-length-unchanged', { words: 8 }),
  other(
    'nsh-other-options-unchanged',
    edit(RIGHT.returned, 'nsh-ioam', { edgeToEdge: { namespaceId: 1, sequence: 8 } }),
  ),
  head('nsh-ioam-type-unchanged', 0, '00'),
  head('nsh-next-protocol-unchanged', 3, '02'),
  other('nsh-payload-unchanged', edit(RIGHT.returned, 'payload', { text: 'abce' })),
  // As if the head counted what lies behind it only, or had not grown.
  head('nsh-head-length-right', 1, '06'),
  head('nsh-head-length-right', 1, '05'),
  other('nsh-node-data-added', swollen(RIGHT)),
  other('nsh-earlier-nodes-unchanged', traced({ ...AFTER, hops: [{ ...OLD, nodeId: 9 }, NEW] })),
  head('ioam-reserved-unchanged', 2, '01'),
  head('ioam-namespace-unchanged', TRACE_AT, '0009'),
  head('ioam-node-length-unchanged', TRACE_AT + 2, '18'),
  head('ioam-trace-type-unchanged', TRACE_AT + 4, 'c00001'),
  other('ioam-loopback-and-active-unchanged', traced({ ...AFTER, active: true })),
  other('ioam-remaining-length-right', traced({ ...AFTER, remainingWords: 4 })),
  other('ioam-overflow-without-room', traced(NO_ROOM), FULL),
  other('ioam-overflow-unchanged-with-room', traced({ ...AFTER, overflow: true })),
  other('ioam-unknown-namespace-untouched', traced({ ...FOREIGN, overflow: true }), UNKNOWN),
  other('ioam-node-id-known', node({ nodeId: 0xffffff })),
  other('ioam-node-hop-limit-right', node({ hopLimit: 9 })),
  other('ioam-interfaces-known', node({ ingressInterface: 0xffff, egressInterface: 0xffff })),
  retyped('ioam-wide-node-agrees', typed(0x808000, 3, WIDE), 0x808000, { ...WIDE, wideNode: 8 }),
  retyped('ioam-undefined-bits-all-ones', typed(0x800800, 2, UNDEFINED), 0x800800, {
    ...UNDEFINED,
    undefinedWords: [0],
  }),
  clockFault(),
];
