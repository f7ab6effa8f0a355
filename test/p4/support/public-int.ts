import type { JudgedRole } from '../../../common/telemetry/judge/roles';

/** A public INT program in one role, and the clauses that it fails: read by hand against the specification. */
export interface JudgedProgram {
  /** Folder of its checkout, `owner/name`. */
  readonly checkout: string;
  readonly commit: string;
  /** Source in the checkout, with flags of the compiler, and what the compiler of today wants otherwise. */
  readonly source: string;
  readonly flags?: readonly string[];
  readonly edits?: readonly (readonly [file: string, from: string, to: string])[];
  readonly role: JudgedRole;
  readonly setUp: readonly string[];
  readonly options?: readonly string[];
  readonly failing: readonly string[];
}

type Device = Omit<JudgedProgram, 'role' | 'setUp' | 'failing'>;

const LIFENGFAN: Device = {
  checkout: 'lifengfan13/P4-INT',
  commit: '82488e8558a92343e804c6190d8b4feb3bf2921e',
  source: 'p4src/int_md.p4',
};
const LIFENGFAN_NODE = [
  'add l3_forward.ipv4_lpm hdr.ipv4.dst_addr:0x0a000000/8 l3_forward.ipv4_forward(dstAddr:0x02000000000b, port:2)',
  'setdefault process_int_transit.tb_int_insert process_int_transit.init_metadata(switch_id:7)',
];

const elavinal = (role: string): Device => ({
  checkout: 'elavinal/p4-int',
  commit: '735ae9714a1ddfb899d7dd5029e9767d1d32b474',
  source: `p4/${role}_switch.p4`,
});
const ELAVINAL_ROUTE =
  'add SwitchIngress.ipv4_lpm hdr.ipv4.dstAddr:0x0a000000/8 SwitchIngress.ipv4_forward(dstAddr:0x02000000000b, port:2)';
const ELAVINAL_NODE = [
  ELAVINAL_ROUTE,
  'setdefault SwitchEgress.add_node_id_hdr SwitchEgress.add_node_id(switch_id:7)',
];

const GEANT: Device = {
  checkout: 'GEANT-DataPlaneProgramming/int-platforms',
  commit: '737e84ef3b3928735502a32f194f499343c82c78',
  source: 'p4src/int_v1.0/int.p4',
  flags: ['-DBMV2=1'],
  edits: [
    [
      'p4src/int_v1.0/include/int_source.p4',
      'ingress_tstamp = standard_metadata.ingress_global_timestamp',
      'ingress_tstamp = (bit<64>)standard_metadata.ingress_global_timestamp',
    ],
    [
      'p4src/int_v1.0/include/int_sink.p4',
      'clone3<metadata>(CloneType.I2E, INT_REPORT_MIRROR_SESSION_ID, meta)',
      'clone_preserving_field_list(CloneType.I2E, INT_REPORT_MIRROR_SESSION_ID, 1)',
    ],
  ],
  options: ['--int-dscp', '32'],
};
const GEANT_NODE = [
  'add ingress.Forward.tb_forward 1 hdr.ethernet.dstAddr:0x020000000002 ingress.Forward.send_to_port(port:2)',
  'setdefault egress.Int_transit.tb_int_transit egress.Int_transit.configure_transit(switch_id:7, l3_mtu:1500)',
];

const withCollector = (device: Device): Device => ({
  ...device,
  options: [...(device.options ?? []), '--collector', '3'],
});

export const JUDGED_PROGRAMS: readonly JudgedProgram[] = [
  {
    ...LIFENGFAN,
    role: 'transit',
    setUp: LIFENGFAN_NODE,
    failing: [
      // It computes the checksum of IPv4 alone.
      'udp-checksum-right',
      'transit-tcp-checksum-right',
      // Instructions 8 to 15 are "not supported", and it pushes though no hop remains, from 0 to 255.
      'one-hop-pushed',
      'remaining-hop-count-decremented',
      'hop-limit-exceeded-when-none-remains',
    ],
  },
  {
    ...LIFENGFAN,
    role: 'source',
    setUp: [
      ...LIFENGFAN_NODE,
      'add process_int_source_sink.tb_set_source standard_metadata.ingress_port:1 process_int_source_sink.int_set_source()',
      'add process_int_source.tb_int_source 1 hdr.ipv4.dst_addr:0x0a000002 ' +
        'process_int_source.int_source(hop_metadata_len:11, remaining_hop_cnt:10, ins_mask0003:0xf, ins_mask0407:0xf)',
    ],
    failing: [
      'source-transport-checksum-right',
      // The original DSCP stands in the first six bits, where eight are reserved.
      'source-shim-reserved-zero',
      // Sources and sinks are for UDP alone.
      'source-int-added',
    ],
  },
  {
    ...withCollector(LIFENGFAN),
    role: 'sink',
    setUp: [
      ...LIFENGFAN_NODE,
      'mirroring_add 500 3',
      'add process_int_source_sink.tb_set_sink standard_metadata.egress_port:2 process_int_source_sink.int_set_sink()',
      'setdefault process_int_report.tb_generate_report process_int_report.do_report_encapsulation' +
        '(src_mac:1, mon_mac:2, src_ip:0x0a000001, mon_ip:0x0a000002, mon_port:50003)',
    ],
    failing: [
      'sink-transport-checksum-right',
      'sink-dscp-restored',
      // Its length is 0.
      'report-readable',
      'sink-int-removed',
      'report-sent-once',
      'sink-discards',
    ],
  },
  {
    ...elavinal('transit'),
    role: 'transit',
    setUp: ELAVINAL_NODE,
    failing: [
      // It counts instructions from the last bit, and lengths by what it was to push.
      'ip-totalLength-right',
      'udp-length-right',
      'udp-checksum-right',
      'shim-words-right',
      'one-hop-pushed',
      'transit-tcp-checksum-right',
      'payload-unchanged',
      'reserved-instructions-all-ones',
    ],
  },
  {
    ...elavinal('source'),
    role: 'source',
    setUp: [
      ...ELAVINAL_NODE,
      ...[17, 6].map(
        (protocol) =>
          `add SwitchEgress.sample_int 1 hdr.ipv4.dstAddr:0x0a000002 hdr.ipv4.protocol:${protocol} ` +
          'SwitchEgress.increment(id:1, sampling:1)',
      ),
      'add SwitchEgress.add_int_hdr meta.flow_id:1 SwitchEgress.setup_int(instructionBitmap:0xff00)',
    ],
    failing: [
      'source-transport-checksum-right',
      'source-hop-length-fits-instructions',
      // The original DSCP stands in the last bits, of which two are reserved.
      'source-shim-has-original-dscp',
    ],
  },
  {
    ...elavinal('sink'),
    role: 'sink',
    setUp: [ELAVINAL_ROUTE, 'setdefault SwitchIngress.trgh SwitchIngress.trgh_digest(switch_id:7)'],
    failing: [
      // It takes the words of a hop from the length a second time.
      'sink-udp-length-right',
      'sink-transport-checksum-right',
      'sink-dscp-restored',
      'sink-discards',
    ],
  },
  {
    ...GEANT,
    role: 'transit',
    setUp: GEANT_NODE,
    failing: [
      // The length of its shim, of INT 1.0, is the third byte, and counts the shim.
      'shim-words-right',
      'transit-shim-reserved-unchanged',
      'transit-tcp-checksum-right',
      'one-hop-pushed',
      'hop-limit-exceeded-when-none-remains',
      'transit-header-reserved-unchanged',
    ],
  },
  {
    ...GEANT,
    role: 'source',
    setUp: [
      ...GEANT_NODE,
      'add ingress.Int_source.tb_activate_source standard_metadata.ingress_port:1 ingress.Int_source.activate_source()',
      'add ingress.Int_source.tb_int_source 1 hdr.ipv4.dstAddr:0x0a000002 ' +
        'ingress.Int_source.configure_source(max_hop:4, hop_metadata_len:6, ins_cnt:5, ins_mask:0xcc00)',
    ],
    failing: [
      // Shim and header are those of INT 1.0.
      'source-shim-type',
      'source-shim-reserved-zero',
      'source-payload-unchanged',
      'source-version-2',
      'source-shim-length-right',
      'source-transport-checksum-right',
    ],
  },
  {
    ...withCollector(GEANT),
    role: 'sink',
    setUp: [
      ...GEANT_NODE,
      'mirroring_add 1 3',
      'add ingress.Int_sink_config.tb_int_sink standard_metadata.egress_spec:2 ' +
        'ingress.Int_sink_config.configure_sink(sink_reporting_port:3)',
      'setdefault egress.Int_sink.Int_report.tb_int_reporting egress.Int_sink.Int_report.send_report' +
        '(dp_mac:1, dp_ip:0x0a000001, collector_mac:2, collector_ip:0x0a000002, collector_port:50003)',
    ],
    failing: [
      'sink-ip-lengths-and-checksum-right',
      'sink-udp-length-right',
      'sink-transport-checksum-right',
      'sink-payload-unchanged',
      'report-readable',
      'sink-discards',
    ],
  },
];
