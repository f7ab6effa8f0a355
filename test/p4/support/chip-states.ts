import { parseStf } from '../../../switch/stf/text/parse-stf';
import type { Statement, StfTest } from '../../../switch/stf/text/statements';
import { dataFrame, neighbouringFlows, probeFrame, subscriberFrame } from './flow-frames';
import type { FlowName } from './flow-frames';

const IN_PORT = 1;
const FIRST_PORT = 2;
const MACS = 'dst_mac:0x02000000000b, src_mac:1';
const FAMILIES = [4, 6] as const;
/** Routes to every address, of both families. */
const EVERYWHERE = ['hdr.ipv4.dst_addr:0/0', 'hdr.ipv6.dst_addr:0/0'];

const member = (at: number): readonly string[] => [
  `member_create ingress.route.ecmp forward(port:${at}, ${MACS})`,
  `member_create ingress.route.ipv6_ecmp forward_ipv6(port:${at}, ${MACS})`,
];

const route = (to: string): readonly string[] =>
  EVERYWHERE.map((key, i) => `add ipv${i === 0 ? 4 : 6}_route ${key} ${to}`);

function testOf(name: string, lines: readonly string[], frames: readonly Uint8Array[]): StfTest {
  const before = parseStf(lines.join('\n'), name);
  const sent = frames.map((bytes): Statement => ({
    line: 0,
    command: { kind: 'packet', port: IN_PORT, bytes },
  }));
  return { ...before, statements: [...before.statements, ...sent] };
}

/** Flows of both families, each with a probe, over a group of so many next hops. */
export function ecmpTest(members: number, seed: number, flows: number): StfTest {
  const numbers = Array.from({ length: members }, (_, i) => i);
  const lines = [
    ...numbers.flatMap((i) => member(FIRST_PORT + i)),
    ...['ecmp', 'ipv6_ecmp'].map(
      (name) => `group_create ingress.route.${name} ${numbers.join(' ')}`,
    ),
    ...route('group(handle:0)'),
    `setdefault ecmp_seed set_seed(seed:${seed})`,
  ];
  const frames = FAMILIES.flatMap((family) =>
    neighbouringFlows(family, flows).flatMap((flow) => [dataFrame(flow), probeFrame(flow)]),
  );
  return testOf(`ecmp ${members} ${seed}`, lines, frames);
}

const ROWS = ['first_row', 'second_row'] as const;
export const CELLS_OF_ROW = 65_536;

/** Reads cells of both rows in which a limiter keeps the times of answers. */
export const readingCells = (test: StfTest, cells: readonly number[]): StfTest => {
  const lines = ROWS.flatMap((row) =>
    cells.map((cell) => `register_read egress.feedback.limiter.${row}.times ${cell}`),
  );
  const after = parseStf(lines.join('\n'), test.file);
  return { ...test, statements: [...test.statements, ...after.statements] };
};

/** Packets of many senders that ask for answers, to a port that answers each. */
export function limiterTest(senders: number, packets: number): StfTest {
  const lines = [
    ...member(FIRST_PORT),
    ...route('member(handle:0)'),
    `add port_record standard_metadata.egress_port:${FIRST_PORT} set_port_record(node_id:2, ` +
      'capacity_mbps:100000, queue_unit_bytes:0, clock_unit_ns:1000, mtu:1500, tx_unit_bytes:1)',
    `add feedback_threshold standard_metadata.egress_port:${FIRST_PORT} respond_above(` +
      'queue_bytes:0, interval_ns:0, clone_session:5, response_dscp:48, to_receiver:0)',
    'mirroring_add 5 9',
  ];
  const hosts = Array.from({ length: senders }, (_, i): FlowName => ({
    family: FAMILIES[i % FAMILIES.length] ?? 4,
    host: 1 + (i >> 1),
    srcPort: 0xc000,
  }));
  const flows = Array.from({ length: packets }, (_, i) => hosts[i % hosts.length]);
  const frames = flows.flatMap((flow) => (flow === undefined ? [] : [subscriberFrame(flow)]));
  return testOf(`limiter ${senders} ${packets}`, lines, frames);
}
