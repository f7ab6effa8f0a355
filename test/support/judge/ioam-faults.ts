import { craft, edit, frameFault, layerFault, patched } from './fault';
import type { DeviceFault, Layers, Passing } from './fault';

/** Transit nodes of IOAM with one fault each. */

const ONES = 0xffff_ffff;
const OLD = { hopLimit: 65, nodeId: 7, ingressInterface: 1, egressInterface: 2 };
const NEW = { hopLimit: 63, nodeId: 8, ingressInterface: 3, egressInterface: 4 };

interface Parts {
  readonly hopLimit?: number;
  readonly more?: object;
  readonly text?: string;
  readonly type?: number;
}

/** A packet with a trace, and an option of another kind behind it. */
function traced(
  trace: object,
  { hopLimit = 63, more = {}, text = 'abcd', type }: Parts = {},
): Layers {
  const option = type === undefined ? { trace } : { trace, type };
  return [
    { kind: 'ethernet' },
    { kind: 'ipv6', hopLimit, ...more },
    { kind: 'hop-by-hop', options: [option, { type: 5, data: '0000' }] },
    { kind: 'udp', destinationPort: 5000 },
    { kind: 'payload', text },
  ];
}

const T = { namespaceId: 1, traceType: 0xc00000, isIncremental: false };
const BEFORE = traced({ ...T, remainingWords: 4, hops: [OLD] }, { hopLimit: 64 });
const AFTER = { ...T, remainingWords: 2, hops: [OLD, NEW] };
const RIGHT: Passing = { sent: BEFORE, returned: traced(AFTER) };

/** No room for a node. */
const FULL: Passing = {
  sent: traced({ ...T, remainingWords: 1, hops: [OLD] }, { hopLimit: 64 }),
  returned: traced({ ...T, remainingWords: 1, overflow: true, hops: [OLD] }),
};

const ROOMY_OTHER = { ...T, namespaceId: 2, remainingWords: 2 };
const FULL_OTHER = { ...T, namespaceId: 2, hops: [OLD] };
/** No room in the trace of a namespace that the node does not know. */
const FULL_UNKNOWN: Passing = {
  sent: traced(FULL_OTHER, { hopLimit: 64 }),
  returned: traced(FULL_OTHER),
};

const typed = (traceType: number, remainingWords: number, node: object): Passing => ({
  sent: traced({ ...T, traceType, remainingWords }, { hopLimit: 64 }),
  returned: traced({ ...T, traceType, remainingWords: 0, hops: [node] }),
});

const node = (fields: object): Layers => traced({ ...AFTER, hops: [OLD, { ...NEW, ...fields }] });

/** A packet from another host, whose checksum is that of the first one. */
const readdressed = (layers: Layers): Layers => {
  const frame = craft(layers);
  const at = frame.length - 4 - 2;
  const checksum = 256 * (frame[at] ?? 0) + (frame[at + 1] ?? 0);
  return edit(edit(layers, 'ipv6', { source: 'fd00::9' }), 'udp', { checksum });
};

/** Where the hop-by-hop header has the option, behind padding, and the trace. */
const OPTION_AT = 4;
const TRACE_AT = 8;

const hopByHop = (clause: string, at: number, bytes: string, passing = RIGHT): DeviceFault =>
  layerFault('ioam-transit', clause, passing, ['hop-by-hop', patched(at, bytes)]);

const other = (clause: string, wrong: Layers, passing = RIGHT): DeviceFault =>
  frameFault('ioam-transit', clause, passing, [craft(wrong)]);

const WIDE = { hopLimit: 63, nodeId: 8, wideNode: '0x3f00000000000008' };
const UNDEFINED = { hopLimit: 63, nodeId: 8, undefinedWords: [ONES] };
const UNDEFINED_SENT = typed(0x800800, 2, UNDEFINED);

/** Two packets, of which the second is from before the first. */
function clockFault(): DeviceFault {
  const at = (seconds: number): Passing => typed(0x200000, 1, { seconds });
  const exchange = (seconds: number) => {
    const { sent, returned } = at(seconds);
    return { sent: craft(sent), returned: [craft(returned)] };
  };
  const right = [exchange(10), exchange(10)];
  const wrong = [exchange(10), exchange(9)];
  return { role: 'ioam-transit', clause: 'ioam-clock-goes-on', right, wrong };
}

export const IOAM_FAULTS: readonly DeviceFault[] = [
  frameFault('ioam-transit', 'ioam-packet-returned', RIGHT, []),
  frameFault('ioam-transit', 'ioam-packet-returned', RIGHT, [
    craft(RIGHT.returned),
    craft(RIGHT.returned),
  ]),
  other('ioam-addresses-unchanged', readdressed(RIGHT.returned)),
  other(
    'ioam-traffic-class-and-flow-label-unchanged',
    edit(RIGHT.returned, 'ipv6', { flowLabel: 1 }),
  ),
  other(
    'ioam-hop-limit-decremented',
    traced({ ...AFTER, hops: [OLD, { ...NEW, hopLimit: 64 }] }, { hopLimit: 62 }),
  ),
  other('ioam-payload-length-unchanged', edit(RIGHT.returned, 'ipv6', { payloadLength: 9 })),
  other('ioam-payload-unchanged', edit(RIGHT.returned, 'payload', { text: 'abce' })),
  hopByHop('ioam-option-type-unchanged', OPTION_AT, '11'),
  hopByHop('ioam-option-length-unchanged', OPTION_AT + 1, '19'),
  hopByHop('ioam-type-unchanged', OPTION_AT + 3, '01'),
  hopByHop('ioam-reserved-unchanged', OPTION_AT + 2, '01'),
  hopByHop('ioam-namespace-unchanged', TRACE_AT, '0009'),
  hopByHop('ioam-node-length-unchanged', TRACE_AT + 2, '18'),
  hopByHop('ioam-remaining-length-right', TRACE_AT + 3, '03'),
  hopByHop('ioam-free-space-unchanged', TRACE_AT + 8, '01'),
  hopByHop('ioam-other-options-unchanged', 3, '01'),
  hopByHop('ioam-trace-type-unchanged', TRACE_AT + 4, 'c00001'),
  other('ioam-loopback-and-active-unchanged', traced({ ...AFTER, active: true })),
  other('ioam-overflow-unchanged-with-room', traced({ ...AFTER, overflow: true })),
  other('ioam-overflow-without-room', traced({ ...T, remainingWords: 1, hops: [OLD] }), FULL),
  other('ioam-earlier-nodes-unchanged', traced({ ...AFTER, hops: [{ ...OLD, nodeId: 9 }, NEW] })),
  other(
    'ioam-unknown-namespace-untouched',
    traced({ ...FULL_OTHER, overflow: true }),
    FULL_UNKNOWN,
  ),
  other('ioam-node-id-known', node({ nodeId: 0xffffff })),
  other('ioam-node-hop-limit-right', node({ hopLimit: 9 })),
  other('ioam-interfaces-known', node({ ingressInterface: 0xffff, egressInterface: 0xffff })),
  layerFault('ioam-transit', 'ioam-wide-node-agrees', typed(0x808000, 3, WIDE), [
    'hop-by-hop',
    {
      options: [
        { trace: { ...T, traceType: 0x808000, hops: [{ ...WIDE, wideNode: 8 }] } },
        { type: 5, data: '0000' },
      ],
    },
  ]),
  layerFault('ioam-transit', 'ioam-undefined-bits-all-ones', UNDEFINED_SENT, [
    'hop-by-hop',
    {
      options: [
        { trace: { ...T, traceType: 0x800800, hops: [{ ...UNDEFINED, undefinedWords: [0] }] } },
        { type: 5, data: '0000' },
      ],
    },
  ]),
  other(
    'ioam-unknown-namespace-untouched',
    traced({ ...ROOMY_OTHER, remainingWords: 0, hops: [NEW] }),
    {
      sent: traced(ROOMY_OTHER, { hopLimit: 64 }),
      returned: traced(ROOMY_OTHER),
    },
  ),
  clockFault(),
];
