import { isReporting } from '../../../common/telemetry/judge/roles';
import type { IntRole, JudgedRole } from '../../../common/telemetry/judge/roles';
import { REPORTS_SET_UP } from '../../p4/support/int-v2-reports';

/** Our programs as devices in a role: statements that fill their tables, ports and addresses of what they are sent. */

const SETS = 'instructions:0xff80, domain_id:0, ds_instructions:0';
const SAMPLING = 'interval:1, slot:0';

/** Carriers of int-v2, by number, for packets that a source is sent. */
export interface SourceCarriers {
  readonly udp?: number;
  readonly tcp?: number;
}

/** Numbers of int-v2's carriers, and keys of packets that they are for; the most special first. */
const watched = ({
  udp = 1,
  tcp = 1,
}: SourceCarriers): readonly (readonly [carrier: number, keys: string])[] => [
  [6, 'protocol:17 dst_port:4789'],
  [6, 'protocol:17 dst_port:4790'],
  [7, 'protocol:17 dst_port:6081'],
  [5, 'protocol:47'],
  [tcp, 'protocol:6'],
  [udp, 'protocol:17'],
];

const ACTIONS: Partial<Record<IntRole, (carrier: number) => string>> = {
  source: (carrier) =>
    `add_int_md(carrier:${carrier}, ${SETS}, hop_words:12, max_hops:8, discard:0, ${SAMPLING})`,
  'mx-source': (carrier) => `add_int_mx(carrier:${carrier}, ${SETS}, discard:0, ${SAMPLING})`,
  xd: () => `export_int(${SETS}, ${SAMPLING})`,
};

/** Statements that make int-v2 a device in a role, with a clock that goes. */
export function intSetUp(role: IntRole, carriers: SourceCarriers = {}): readonly string[] {
  const action = ACTIONS[role];
  const lines = watched(carriers);
  const watch =
    action === undefined
      ? []
      : lines.flatMap(([carrier, keys], i) =>
          [4, 6].map(
            (family) => `add watch_ipv${family} ${lines.length - i} ${keys} ${action(carrier)}`,
          ),
        );
  const node = REPORTS_SET_UP.map((line) =>
    line
      .replace('inner_bytes:160', 'inner_bytes:600')
      .replace('clock_unit_ns:0', 'clock_unit_ns:1'),
  );
  const reports =
    'setdefault report_settings set_reports(clone_session:7, shift:0, latency_shift:0)';
  return [...node, reports, ...watch];
}

/** Statements that make ioam a transit node of namespace 1, which exports directly, too. */
export const IOAM_SET_UP: readonly string[] = [
  'member_create ingress.route.ipv6_ecmp forward_ipv6(port:2, dst_mac:2, src_mac:1)',
  'add ipv6_route hdr.ipv6.dst_addr:0xfd000000000000000000000000000000/8 member(handle:0)',
  'add port_record standard_metadata.egress_port:2 set_port_record(node_id:7, capacity_mbps:1000, ' +
    'queue_unit_bytes:1, clock_unit_ns:1000, mtu:1500, tx_unit_bytes:1)',
  'setdefault interface enable()',
  'add service_paths path_id:1 service_index:255 forward_on_path(port:2, dst_mac:2, src_mac:1)',
  'add namespaces namespace_id:1 set_namespace(is_hpcc:0, data:5, wide_data:6)',
  'mirroring_add 5 3',
  'add direct_exports namespace_id:1 export_directly(with_departure:0, clone_session:5, gap:0)',
  'add report_collector standard_metadata.egress_port:3 report_to(dst_mac:4, src_mac:3, src_addr:0x0a0000fe, ' +
    'dst_addr:0x0a0000fd, src_port:32766, dst_port:50003, node_id:7, hw_id:0, inner_bytes:400)',
];

export const isSink = (role: JudgedRole): boolean => role === 'sink' || role === 'mx-sink';
export const isIoam = (role: JudgedRole): boolean => role.startsWith('ioam-');

/** Ports by which our program is judged in a role; undefined for the collector of what reports nothing. */
export const portsInRole = (role: JudgedRole): { in: 1; out: number; collector?: number } => ({
  in: 1,
  out: isSink(role) ? 3 : 2,
  ...(isReporting(role) && { collector: isIoam(role) ? 3 : 9 }),
});

/** Addresses of the frames that int-v2 is judged by in a role. */
export function flowInRole(
  role: IntRole,
  family: 4 | 6,
): { readonly source: string; readonly destination: string } {
  const host = portsInRole(role).out;
  return family === 4
    ? { source: '10.1.0.1', destination: `10.0.0.${host}` }
    : { source: '2001:db8::1:1', destination: `2001:db8::${host}` };
}
