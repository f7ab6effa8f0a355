import fc from 'fast-check';
import { internetChecksum } from '../../../common/wire/ip/checksum';
import { parseStf } from '../../../switch/stf/text/parse-stf';
import type { Statement, StfTest } from '../../../switch/stf/text/statements';
import { frameOf, packetPlan } from './telemetry-packet';
import type { PacketPlan } from './telemetry-packet';

/** Ports that packets may leave by, and the one that they come in by. */
const PORTS = [2, 3, 4];
const IN_PORT = 1;
const IP_AT = 14;
const MACS = 'dst_mac:0x02000000000b, src_mac:1';
const HOST = '20010db8000000000000000000000002';
const MIRROR = ['mirroring_add 5 9'];
const COLLECTOR_PORT = 8;

/** Statements of which a random part is taken. */
const some = (lines: readonly fc.Arbitrary<string>[]): fc.Arbitrary<readonly string[]> =>
  fc
    .tuple(...lines.map((line) => fc.option(line, { freq: 3 })))
    .map((chosen) => chosen.filter((line): line is string => line !== null));

const route = (table: string, key: string): fc.Arbitrary<string> =>
  fc.nat(PORTS.length - 1).map((member) => `add ${table} ${key} member(handle:${member})`);

const record = (at: number): fc.Arbitrary<string> =>
  fc
    .record({ node: fc.integer({ min: 1, max: 0xffffffff }), mtu: fc.constantFrom(150, 500, 1500) })
    .map(
      ({ node, mtu }) =>
        `add port_record standard_metadata.egress_port:${at} set_port_record(node_id:${node}, ` +
        `capacity_mbps:100000, queue_unit_bytes:0, clock_unit_ns:0, mtu:${mtu}, tx_unit_bytes:1)`,
    );

const FORWARDING = some([
  route('ipv4_route', 'hdr.ipv4.dst_addr:0x0a000000/8'),
  route('ipv4_route', 'hdr.ipv4.dst_addr:0x0a000000/24'),
  route('ipv4_route', 'hdr.ipv4.dst_addr:0x0a000002/32'),
  route('ipv6_route', 'hdr.ipv6.dst_addr:0x20010db8000000000000000000000000/32'),
  route('ipv6_route', `hdr.ipv6.dst_addr:0x${HOST}/128`),
  ...PORTS.map(record),
]);

const watchAction = fc.oneof(
  fc.nat(4).map((hops) => `add_telemetry(max_hops:${hops})`),
  fc
    .integer({ min: 1, max: 4 })
    .map((k) => `add_telemetry_to_one_in(interval:${k}, slot:7, max_hops:3)`),
  fc.constant('no_telemetry()'),
);

const watch = (table: string, priority: number, key: string): fc.Arbitrary<string> =>
  watchAction.map((action) => `add ${table} ${priority} ${key} ${action}`);

const sink = (at: number): fc.Arbitrary<string> =>
  fc
    .constantFrom('extract()', 'extract_and_report(clone_session:5)')
    .map((action) => `add sink_port standard_metadata.egress_port:${at} ${action}`);

const EDGE = some([
  watch('watch_ipv4', 10, 'protocol:17'),
  watch('watch_ipv4', 20, 'protocol:17 dst_port:4791'),
  watch('watch_ipv4', 15, 'protocol:6 hdr.ipv4.dst_addr:0x0a000002'),
  watch('watch_ipv6', 10, 'protocol:17'),
  watch('watch_ipv6', 30, 'protocol:6 src_port:40000'),
  sink(2),
  sink(3),
  fc
    .nat(63)
    .map((dscp) => `add port_trust standard_metadata.ingress_port:1 distrust(dscp:${dscp})`),
]).map((lines) => [
  ...lines,
  `mirroring_add 5 ${COLLECTOR_PORT}`,
  `add collector standard_metadata.egress_port:${COLLECTOR_PORT} set_collector(` +
    'dst_mac:0x02000000000d, src_mac:0x02000000000c, src_addr:0x0a0000fe, dst_addr:0x0a0000fd, ' +
    'src_port:50004, dst_port:50003, node_id:2, hw_id:1, inner_bytes:108)',
]);

/** Thresholds that every queue has reached, or none: a chip's is its own. Times are its own, too. */
const FEEDBACK = some(
  PORTS.map((at) =>
    fc
      .tuple(fc.constantFrom(0, 0xffffff), fc.nat(1))
      .map(
        ([queue, receiver]) =>
          `add feedback_threshold standard_metadata.egress_port:${at} respond_above(` +
          `queue_bytes:${queue}, interval_ns:0, clone_session:5, response_dscp:48, ` +
          `to_receiver:${receiver})`,
      ),
  ),
).map((lines) => [
  ...lines,
  ...MIRROR,
  // Answers go back to the sender.
  'add ipv4_route hdr.ipv4.dst_addr:0x0a000001/32 member(handle:2)',
]);

const OWN: ReadonlyMap<string, fc.Arbitrary<readonly string[]>> = new Map([
  ['hpcc-edge', EDGE],
  ['hpcc-feedback', FEEDBACK],
]);

/** Cells of registers and counters that are compared at the end of a test. */
const READINGS: ReadonlyMap<string, readonly (readonly [counter: string, cells: number[]])[]> =
  new Map([
    [
      'hpcc-edge',
      [
        ['egress.source.refused', [0, 1, 2]],
        ['egress.sink.extracted', PORTS],
        ['egress.sink.left', PORTS],
        ['ingress.trust.stripped', [IN_PORT]],
      ],
    ],
    ['hpcc-feedback', [['egress.feedback.outcomes', [0, 1, 2]]]],
  ]);

/** Cells that are compared. Of telemetry that is taken out, the twin alone counts what is unserved. */
function readings(profile: string, hasSink: boolean): readonly string[] {
  const causes = [0, 1, 2, 3, 4, 5];
  return [
    ...PORTS.map((at) => `register_read egress.snapshot.tx_bytes ${at}`),
    ...causes.slice(0, -1).map((cause) => `counter_read ingress.drops ${cause}`),
    ...(hasSink ? [] : causes).map((cause) => `counter_read egress.admission.unserved ${cause}`),
    ...(READINGS.get(profile) ?? []).flatMap(([counter, cells]) =>
      cells.map((cell) => `counter_read ${counter} ${cell}`),
    ),
  ];
}

/**
 * The chip reads no options before telemetry; where telemetry is padding, it has 0 to 7 records. An edge
 * may add telemetry to any packet, and reads stacks of four hops.
 */
function frameFor(profile: string, whole: PacketPlan): Uint8Array {
  const isEdge = profile === 'hpcc-edge';
  const plan = isEdge ? withShortStack(whole) : whole;
  const optionWords = plan.telemetry === undefined && !isEdge ? plan.optionWords : 0;
  const frame = Buffer.from(frameOf({ ...plan, optionWords }));
  const hasOptions = plan.family === 4 && (plan.ipOptionWords ?? 0) > 0;
  if (profile !== 'padding' || plan.transport === 'tcp' || hasOptions) return frame;
  return plan.telemetry === undefined ? frame : withRecords(frame, plan);
}

/** The frame, which of one in eight lengths has a TTL or hop limit that ends here. */
function someExpired(bytes: Uint8Array): Uint8Array {
  const frame = Buffer.from(bytes);
  if (frame.length % 8 !== 5) return frame;
  if (frame.readUInt16BE(12) !== 0x0800) return frame.fill(1, IP_AT + 7, IP_AT + 8);
  frame.fill(1, IP_AT + 8, IP_AT + 9).fill(0, IP_AT + 10, IP_AT + 12);
  const end = IP_AT + 4 * (frame.readUInt8(IP_AT) & 0x0f);
  frame.writeUInt16BE(internetChecksum(frame.subarray(IP_AT, end)), IP_AT + 10);
  return frame;
}

const withShortStack = (plan: PacketPlan): PacketPlan => {
  const { telemetry } = plan;
  return telemetry === undefined
    ? plan
    : { ...plan, telemetry: { ...telemetry, hops: telemetry.hops % 5 } };
};

function withRecords(frame: Buffer, { family, payload }: PacketPlan): Buffer {
  const udp = family === 4 ? 34 : 54;
  const before = frame.readUInt16BE(udp + 8);
  const after = (before & 0x0fff) | ((payload.length % 8) << 12);
  frame.writeUInt16BE(after, udp + 8);
  const sum = (~frame.readUInt16BE(udp + 6) & 0xffff) + (~before & 0xffff) + after;
  const folded = (sum & 0xffff) + (sum >>> 16);
  frame.writeUInt16BE(~((folded & 0xffff) + (folded >>> 16)) & 0xffff || 0xffff, udp + 6);
  return frame;
}

/** A test of a random set-up with random packets, and what the switch has counted of them. */
export function randomChipTest(profile: string, seed: number, packets: number): StfTest {
  const members = ['forward', 'forward_ipv6'].flatMap((action, i) =>
    PORTS.map(
      (at) =>
        `member_create ingress.route.${['ecmp', 'ipv6_ecmp'][i]} ${action}(port:${at}, ${MACS})`,
    ),
  );
  const [lines = [], own = []] = [FORWARDING, OWN.get(profile) ?? fc.constant([])].map(
    (each) => fc.sample(each, { seed, numRuns: 1 })[0],
  );
  const name = `random ${seed}`;
  const before = parseStf([...members, ...lines, ...own].join('\n'), name).statements;
  // Copies that ingress and egress make of two packets would overtake each other.
  const pause: readonly Statement[] =
    profile === 'hpcc-edge' ? [{ line: 0, command: { kind: 'wait', duration: 0 } }] : [];
  const sent = fc
    .sample(packetPlan, { seed, numRuns: packets })
    .flatMap((plan): readonly Statement[] => [
      {
        line: 0,
        command: { kind: 'packet', port: IN_PORT, bytes: someExpired(frameFor(profile, plan)) },
      },
      ...pause,
    ]);
  const hasSink = own.some((line) => line.startsWith('add sink_port'));
  const after = parseStf(readings(profile, hasSink).join('\n'), name);
  return { ...after, statements: [...before, ...sent, ...after.statements] };
}
