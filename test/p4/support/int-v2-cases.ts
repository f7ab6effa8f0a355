import fc from 'fast-check';
import { CARRIERS, frameOf } from './int-v2-packet';
import type { Carrier, PlainPacket } from './int-v2-packet';
import { HP_DOMAIN, intFrame, pushed, wordsOf } from './int-v2-model';
import type { Instructions, IntPacket, ModelNode } from './int-v2-model';

/** One packet, and the INT that its source adds. */
export interface IntCase {
  readonly plain: Omit<PlainPacket, 'source'>;
  readonly carrier: Carrier;
  readonly instructions: Instructions;
}

const KINDS: Readonly<Record<Carrier, readonly PlainPacket['kind'][]>> = {
  dscp: ['udp', 'tcp'],
  port: ['udp'],
  'new-udp': ['udp', 'tcp'],
  marker: ['udp', 'tcp'],
  gre: ['gre'],
  vxlan: ['vxlan', 'vxlan-gpe'],
  geneve: ['geneve'],
  'new-gre': ['udp', 'tcp'],
};

/** Carriers with what they carry. */
const WAYS = (Object.keys(KINDS) as Carrier[]).flatMap((carrier) =>
  KINDS[carrier].map((kind) => ({ carrier, kind })),
);

const MOST_WORDS = 31;

/** All 2^9 bitmaps of what INT v2.1 defines, with and without complement, reserved bits and domains. */
const instructionsPlan: fc.Arbitrary<Instructions> = fc
  .record({
    defined: fc.integer({ min: 0, max: 0x1ff }),
    reserved: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x3f }) },
    ),
    hasComplement: fc.boolean(),
    domain: fc.constantFrom(0, HP_DOMAIN, 0x5453),
    hpBits: fc.integer({ min: 0, max: 7 }),
    unknownWords: fc.integer({ min: 0, max: 6 }),
    maxHops: fc.constantFrom(1, 2, 2, 5, 255),
  })
  .map(({ defined, reserved, hasComplement, domain, hpBits, unknownWords, maxHops }) => {
    const bitmap = (defined << 7) | (reserved << 1) | (hasComplement ? 1 : 0);
    const ds = domain === HP_DOMAIN ? hpBits << 13 : domain === 0 ? 0 : 0x1234;
    const words = wordsOf({ bitmap, domain, ds }) + (domain === 0x5453 ? unknownWords : 0);
    return { bitmap, domain, ds, hopWords: words, maxHops };
  })
  .filter(({ hopWords }) => hopWords > 0 && hopWords <= MOST_WORDS);

export const intCase: fc.Arbitrary<IntCase> = fc
  .record({
    way: fc.constantFrom(...WAYS),
    family: fc.constantFrom(4 as const, 6 as const),
    dscp: fc.integer({ min: 0, max: 63 }).filter((dscp) => dscp !== 0x17),
    optionWords: fc.integer({ min: 0, max: 4 }),
    hasChecksum: fc.boolean(),
    greFields: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    payload: fc.uint8Array({ minLength: 8, maxLength: 60 }),
    instructions: instructionsPlan,
  })
  .map(({ way, instructions, ...rest }) => ({
    plain: { ...rest, kind: way.kind },
    carrier: way.carrier,
    instructions,
  }));

const OUT = 2;
const SINK = 3;

const node = (nodeId: number, ingressPort: number, egressPort: number): ModelNode => ({
  nodeId,
  ingressPort,
  egressPort,
  ingressInterface2: 0x1000_0000 + ingressPort,
  egressInterface2: 0x2000_0000 + egressPort,
  bufferId: egressPort,
  capacityMbps: 400_000,
  mtu: 1400,
});

const THIS = node(0xfedc_ba98, 1, OUT);
/** The node between source and this one, when it is transit. */
const BEFORE = { ...node(0x0000_0107, 9, 8), capacityMbps: 10_000 };

const forward = (port: number): string =>
  `(port:${port}, dst_mac:0x02000000000b, src_mac:0x02000000000a)`;

const PORTS = [OUT, SINK];

/** Routes, records of ports, what a node tells of itself, and a sink at port 3. */
export const NODE_SET_UP: readonly string[] = [
  ...PORTS.map((port) => `member_create ingress.route.ecmp forward${forward(port)}`),
  ...PORTS.map((port) => `member_create ingress.route.ipv6_ecmp forward_ipv6${forward(port)}`),
  ...PORTS.flatMap((port, handle) => [
    `add ipv4_route hdr.ipv4.dst_addr:0x0a00000${port}/32 member(handle:${handle})`,
    `add ipv6_route hdr.ipv6.dst_addr:0x20010db800000000000000000000000${port}/128 member(handle:${handle})`,
    `add port_record standard_metadata.egress_port:${port} set_port_record(node_id:0xfedcba98, ` +
      'capacity_mbps:400000, queue_unit_bytes:0, clock_unit_ns:0, mtu:1400, tx_unit_bytes:1)',
    `add egress_interface standard_metadata.egress_port:${port} set_egress_interface(interface2:${0x2000_0000 + port})`,
    `add port_buffer standard_metadata.egress_port:${port} set_buffer(buffer_id:${port})`,
    `add utilization_scale standard_metadata.egress_port:${port} set_utilization_scale(scale:1000, shift:20)`,
  ]),
  'add ingress_interface standard_metadata.ingress_port:1 set_ingress_interface(interface2:0x10000001)',
  'add extraction standard_metadata.egress_port:3 extract_int()',
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A packet test, and the frames that it expects to leave. */
export interface IntTest {
  readonly stf: string;
  readonly expected: readonly Uint8Array[];
}

/**
 * One packet test of many cases: of each the source, then this node as transit behind another, then the sink,
 * whose packet is as it was.
 */
export function testOf(cases: readonly IntCase[]): IntTest {
  const lines: string[] = [];
  const expected: Uint8Array[] = [];
  const out = { [OUT]: 0, [SINK]: 0 };
  /** `free` is an offset from which two bytes may be anything. */
  const send = (
    given: Uint8Array,
    wanted: Uint8Array,
    port: typeof OUT | typeof SINK,
    free?: number,
  ): void => {
    const text = hex(wanted);
    const pattern =
      free === undefined ? text : `${text.slice(0, 2 * free)}****${text.slice(2 * free + 4)}`;
    lines.push(`packet 1 ${hex(given)}`, `expect ${port} ${pattern} $`);
    out[port] += wanted.length;
    expected.push(wanted);
  };
  cases.forEach(({ plain: packet, carrier, instructions }, i) => {
    const plain = { ...packet, source: i };
    lines.push(watchLine(plain, carrier, instructions));
    const bare: IntPacket = { plain, carrier, instructions, blocks: [], flags: 0 };
    const at = (ttl: number, destination: 2 | 3) => ({ ttl, destination });
    const first = pushed(bare, THIS, at(63, OUT), out[OUT]);
    // The source port of a new UDP header is any hash of the flow.
    const free = carrier === 'new-udp' ? 14 + (plain.family === 4 ? 20 : 40) : undefined;
    send(frameOf(plain, at(64, OUT)), intFrame(first, at(63, OUT)), OUT, free);
    const given = pushed(bare, BEFORE, at(62, OUT), 0x1234_5678);
    const second = pushed(given, THIS, at(61, OUT), out[OUT]);
    send(intFrame(given, at(62, OUT)), intFrame(second, at(61, OUT)), OUT);
    const last = intFrame(second, at(61, SINK));
    const restored = carrier === 'new-gre' ? at(63, SINK) : at(60, SINK);
    send(last, frameOf(plain, restored), SINK);
  });
  return { stf: [...NODE_SET_UP, ...lines].join('\n'), expected };
}

function watchLine(plain: PlainPacket, carrier: Carrier, instructions: Instructions): string {
  const { bitmap, domain, ds, hopWords, maxHops } = instructions;
  const address =
    plain.family === 4
      ? `0x0a01${plain.source.toString(16).padStart(4, '0')}`
      : `0x20010db80000000000000000000${(0x1_0000 + plain.source).toString(16)}`;
  return (
    `add watch_ipv${plain.family} 1 hdr.ipv${plain.family}.src_addr:${address} ` +
    `add_int_md(carrier:${CARRIERS.indexOf(carrier)}, instructions:${bitmap}, domain_id:${domain}, ` +
    `ds_instructions:${ds}, hop_words:${hopWords}, max_hops:${maxHops}, discard:0, interval:1, slot:0)`
  );
}
