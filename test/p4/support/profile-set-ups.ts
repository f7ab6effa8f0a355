const forward = (port: number): string =>
  `(port:${port}, dst_mac:0x02000000000b, src_mac:0x02000000000a)`;

/** Routes to and from the two hosts of both families, and records of both ports. */
export const ROUTES: readonly string[] = [
  ...[2, 1].map((port) => `member_create ingress.route.ecmp forward${forward(port)}`),
  ...[2, 1].map((port) => `member_create ingress.route.ipv6_ecmp forward_ipv6${forward(port)}`),
  'add ipv4_route hdr.ipv4.dst_addr:0x0a000002/32 member(handle:0)',
  'add ipv4_route hdr.ipv4.dst_addr:0x0a000001/32 member(handle:1)',
  'add ipv6_route hdr.ipv6.dst_addr:0x20010db8000000000000000000000002/128 member(handle:0)',
  'add ipv6_route hdr.ipv6.dst_addr:0x20010db8000000000000000000000001/128 member(handle:1)',
  ...[1, 2, 3].map(
    (port) =>
      `add port_record standard_metadata.egress_port:${port} set_port_record(node_id:0xfedcba98, ` +
      'capacity_mbps:400000, queue_unit_bytes:97, clock_unit_ns:1000, mtu:700, tx_unit_bytes:1)',
  ),
];

const SINK = [
  'add sink_port standard_metadata.egress_port:2 extract_and_report(clone_session:5)',
  'mirroring_add 5 3',
  'add collector standard_metadata.egress_port:3 set_collector(dst_mac:1, src_mac:2, ' +
    'src_addr:0x0a0000fe, dst_addr:0x0a0000fd, src_port:50004, dst_port:50003, node_id:2, ' +
    'hw_id:1, inner_bytes:128)',
];

const FEEDBACK = [
  'add feedback_threshold standard_metadata.egress_port:2 respond_above(queue_bytes:0, ' +
    'interval_ns:0, clone_session:5, response_dscp:48, to_receiver:0)',
  'mirroring_add 5 9',
];

const ANSWER_KEY =
  'setdefault answer_key number(key_id:1, low:0x0706050403020100, high:0x0f0e0d0c0b0a0908, boot:3)';

const WATCH = [
  'add watch_ipv4 1 protocol:17 add_telemetry(max_hops:3)',
  'add watch_ipv4 1 protocol:6 add_telemetry_to_one_in(interval:2, slot:0, max_hops:1)',
  'add watch_ipv6 1 dst_port:4791 add_telemetry(max_hops:0)',
];

const QUEUES = [
  'set_queue_rate 1000 2',
  'add class_of_dscp dscp:10 set_class(queue:7)',
  'add ecn_threshold standard_metadata.egress_port:2 queue:0 mark_above(bytes:500)',
];

/** Some packets are due, some leave a queue behind them, the others are spared. */
const INSERTION =
  'add insertion standard_metadata.egress_port:2 insert_when(queue_bytes:97, interval_ns:3000000)';

const RELATIVE =
  'add shown_ports standard_metadata.egress_port:2 show_as(alias:0xa11a5002, nominal_mbps:100000, factor:0x4000)';

const SETTINGS = 'clock_unit_ns:0, pin_age_ns:1, flowlet_gap_ns:0, interval_ns:0, clone_session:5';

/** The one path is never light and leads to a host, so that notifications of all types are sent. */
const COORDINATION = [
  `setdefault coordination_settings set_coordination(mode:2, ar_id:7, ${SETTINGS})`,
  'setdefault incast_settings set_incast(interval_ns:0, release_after_ns:0, renew_after_ns:0, clone_session:5)',
  'setdefault sender set_sender(node_id:7, src_addr:0x0aff0007, dscp:48, key_id:1, low:1, ' +
    'high:2, boot:3)',
  'add thresholds standard_metadata.egress_port:2 ' +
    'watch_host_port(high_bytes:0, low_bytes:0, shared_high_bytes:0, shared_low_bytes:0, full_bytes:0, window_ns:0)',
  'add candidates arrival:0 hdr.ipv4.dst_addr:0x0a000002 set_candidates(shortest:8, port_0:2, ' +
    [1, 2, 3, 4, 5, 6, 7].map((slot) => `port_${slot}:511`).join(', ') +
    ')',
  'mirroring_add 5 9',
];

const DISTRUST = 'add port_trust standard_metadata.ingress_port:1 distrust(dscp:1)';

const INT_MD =
  'instructions:0xff81, domain_id:0x4850, ds_instructions:0xe000, hop_words:17, discard:0, interval:1, slot:0';

const INT_SOURCE = [
  `add watch_ipv4 1 protocol:17 add_int_md(carrier:2, max_hops:3, ${INT_MD})`,
  `add watch_ipv4 1 protocol:6 add_int_md(carrier:4, max_hops:1, ${INT_MD})`,
  `add watch_ipv6 1 protocol:17 add_int_md(carrier:1, max_hops:0, ${INT_MD})`,
  'add watch_ipv6 1 protocol:6 add_int_mx(carrier:1, instructions:0xff80, domain_id:0, ' +
    'ds_instructions:0, discard:0, interval:1, slot:0)',
  'add utilization_scale standard_metadata.egress_port:2 set_utilization_scale(scale:5000000, shift:14)',
  'add port_buffer standard_metadata.egress_port:2 set_buffer(buffer_id:1)',
];

const INT_SINK = ['add extraction standard_metadata.egress_port:2 extract_int()'];

/** Profiles in the roles that change packets: what it is, the profile, its STF set-up. */
export const SET_UPS: readonly (readonly [string, string, string])[] = [
  ['a transit switch', 'hpcc', ROUTES.join('\n')],
  ['an INT source', 'hpcc-edge', [...ROUTES, ...WATCH].join('\n')],
  ['an INT sink with reports', 'hpcc-edge', [...ROUTES, ...SINK].join('\n')],
  ['an edge without trust', 'hpcc-edge', [...ROUTES, ...WATCH, DISTRUST].join('\n')],
  ['a switch with fast feedback', 'hpcc-feedback', [...ROUTES, ...FEEDBACK].join('\n')],
  [
    'a switch with signed feedback',
    'hpcc-feedback-signed',
    [...ROUTES, ...FEEDBACK, ANSWER_KEY].join('\n'),
  ],
  ['a switch with coordination', 'hpcc-ccm', [...ROUTES, ...COORDINATION].join('\n')],
  ['a switch that chooses packets', 'hpcc-sparse', [...ROUTES, INSERTION].join('\n')],
  ['a switch that shows ratios', 'hpcc-relative', [...ROUTES, RELATIVE].join('\n')],
  ['a source of all of INT', 'int-v2', [...ROUTES, ...INT_SOURCE].join('\n')],
  ['a sink of all of INT', 'int-v2', [...ROUTES, ...INT_SINK].join('\n')],
  ['a switch with several queues', 'hpcc-queues', [...ROUTES, ...QUEUES].join('\n')],
];
