import type { JudgedRole } from '../../../../common/telemetry/judge/roles';
import type { Layers } from '../fault';
import { after, before, faultAt, faultInCondition, faultOf, inInt, more } from './fault';
import type { ProgramFault, WrongProgram } from './fault';

/** int-v2 as what reports, with one fault in its reports each: as sink unless another role shows the fault alone. */

const EXPORT = 'reports/report_export.p4';

/** Where all headers of a report are there. */
const reporting = faultAt((code) =>
  before(inInt, EXPORT, '            truncate((bit<32>)ETHERNET_BYTES', code),
);

/** Where the node knows what it is asked. */
const asking = faultAt((code) =>
  after(inInt, EXPORT, '            bits.apply(meta, asked, ds);', code),
);

/** Where the words of metadata are there but not counted. */
const counting = faultAt((code) =>
  after(inInt, EXPORT, '            domain_words.apply(hdr, meta, ds, count);', code),
);

/** A report of the packet alone, without bits and metadata. */
const ofPacketAlone = (does: string, type: number, words: number): ProgramFault =>
  faultOf(
    does,
    asking('', 'asked = 0;'),
    reporting(
      '',
      `hdr.report_int.setInvalid(); hdr.report.report_type = ${type}; hdr.report.md_length = ${words};
        hdr.report.report_length = 255; hdr.report_udp.length = hdr.report_udp.length - 8;
        hdr.report_ipv4.total_len = hdr.report_ipv4.total_len - 8;`,
    ),
  );

/** A word in front of the metadata, for bit 0. */
export const REPORT_STRUCTURE = [
  before(
    inInt,
    'int_v2_headers.p4',
    '    word_t          reported_interfaces;',
    '    word_t          reported_node_id;',
  ),
  before(
    inInt,
    'int_v2_deparser.p4',
    '        packet.emit(hdr.reported_interfaces);',
    '        packet.emit(hdr.reported_node_id);',
  ),
];

/** A packet with INT of the domain of HPCC++, which asks for some of its metadata. */
const HP_FRAMES: readonly Layers[] = [
  [
    { kind: 'ethernet' },
    { kind: 'ipv4', source: '10.1.0.1', destination: '10.0.0.3' },
    { kind: 'udp', destinationPort: 5000 },
    { kind: 'int-shim' },
    {
      kind: 'int-md',
      instructionBitmap: 0x8000,
      domainId: 0x4850,
      dsInstruction: 0x4000,
      hopWords: 2,
      hops: [],
    },
    { kind: 'payload', text: 'a packet that a device is judged by' },
  ],
];

interface Row {
  readonly clause: string;
  readonly fault: ProgramFault;
  readonly role?: JudgedRole;
  readonly frames?: readonly Layers[];
}

const ROWS: readonly Row[] = [
  {
    clause: 'report-sent-once',
    fault: faultInCondition('reports no packets of TCP', inInt, [
      'reports/packet_report.p4',
      'if (meta.report.configured && (',
      (not) => `if (meta.report.configured && (${not} || !hdr.kept_tcp.isValid()) && (`,
    ]),
  },
  {
    clause: 'report-readable',
    fault: reporting('writes reports of version 1', 'hdr.report.version = 1;'),
  },
  {
    clause: 'report-ip-lengths-and-checksum-right',
    fault: faultInCondition('computes no checksum of IPv4', inInt, [
      'int_v2_deparser.p4',
      'update_checksum(hdr.report_ipv4.isValid(),',
      (not) => `update_checksum(hdr.report_ipv4.isValid() && ${not},`,
    ]),
  },
  {
    clause: 'report-udp-length-right',
    fault: reporting('counts the header of UDP twice', more('hdr.report_udp.length', 'UDP_BYTES')),
  },
  {
    clause: 'report-udp-checksum-right-or-none',
    fault: reporting(
      'leaves a checksum that is not that of the report',
      'hdr.report_udp.checksum = 1;',
    ),
  },
  {
    clause: 'report-not-fragmentable-or-identified',
    fault: reporting('sets neither DF nor an identification', 'hdr.report_ipv4.flags = 0;'),
  },
  {
    clause: 'report-node-id-known',
    fault: reporting('does not know its node id', 'hdr.report.node_id = 0xFFFFFFFF;'),
  },
  {
    clause: 'report-node-id-constant',
    fault: reporting(
      'has another node id in each report',
      'hdr.report.node_id = (bit<32>)hdr.report.sequence;',
    ),
  },
  {
    clause: 'report-sequence-goes-on',
    fault: reporting('counts reports by two', 'hdr.report.sequence = hdr.report.sequence << 1;'),
  },
  {
    clause: 'report-type-defined',
    fault: ofPacketAlone('writes a type that nobody defines', 3, 0),
  },
  {
    clause: 'report-inner-type-defined',
    fault: reporting('writes an inner type that nobody defines', 'hdr.report.inner_type = 6;'),
  },
  {
    clause: 'report-inner-type-fits-packet',
    fault: reporting('says IPv6 of IPv4', 'hdr.report.inner_type = 5;'),
  },
  {
    clause: 'report-length-right',
    fault: reporting(
      'reports a packet with bytes behind its end',
      'hdr.ipv4.total_len = hdr.ipv4.total_len - 8;',
    ),
    role: 'xd',
  },
  { clause: 'report-tracked-flow', fault: reporting('does not set F', 'hdr.report.tracked = 0;') },
  { clause: 'report-not-dropped', fault: reporting('sets D', 'hdr.report.dropped = 1;') },
  { clause: 'report-not-intermediate', fault: reporting('sets I', 'hdr.report.intermediate = 1;') },
  {
    clause: 'report-reserved-zero',
    fault: reporting('sets a reserved bit', 'hdr.report.reserved = 1;'),
  },
  {
    clause: 'report-inner-only-without-metadata',
    fault: ofPacketAlone('writes a length of metadata into a report of the packet alone', 0, 1),
  },
  {
    clause: 'report-metadata-length-right',
    fault: counting(
      'has words of metadata that no bit tells',
      `hdr.reported_tx_bytes.setValid(); hdr.reported_tx_bytes.value = 0; ${more('count', 2)}`,
    ),
  },
  {
    clause: 'report-bit-0-zero',
    fault: faultOf(
      'tells the node id among the metadata again',
      counting(
        '',
        `hdr.reported_node_id.setValid(); hdr.reported_node_id.value = 7; ${more('count')}`,
      ),
      reporting('', 'hdr.report_int.md_bits = hdr.report_int.md_bits | 0x8000;'),
    ),
  },
  {
    clause: 'report-bits-9-to-14-zero',
    fault: faultOf(
      'answers a reserved bit',
      counting(
        '',
        `hdr.reported_drop.setValid(); hdr.reported_drop = { 0, 0, 0 }; ${more('count')}`,
      ),
      reporting('', 'hdr.report_int.md_bits = hdr.report_int.md_bits | 2;'),
    ),
  },
  {
    clause: 'report-bit-15-for-drops',
    fault: asking('has the reason of a drop in every report', 'asked = asked | 1;'),
  },
  {
    clause: 'report-no-bits-beyond-instructions',
    fault: asking('tells all that it can, whatever is asked', 'asked = asked | 0x7C00;'),
  },
  {
    clause: 'report-domain-of-instructions',
    fault: reporting('names another domain than the packet', 'hdr.report_int.domain_id = 0x4851;'),
    frames: HP_FRAMES,
  },
  {
    clause: 'report-default-domain-without-ds',
    fault: asking('tells metadata of its domain in the default domain', 'ds = 0x8000;'),
    role: 'xd',
  },
  {
    clause: 'report-no-ds-bits-beyond-instructions',
    fault: asking('tells all metadata of its domain, whatever is asked', 'ds = 0xE000;'),
    frames: HP_FRAMES,
  },
  {
    clause: 'report-unavailable-has-no-bit',
    fault: reporting(
      'sets the bit of a utilization that it does not know',
      'hdr.reported_utilization.value = 0xFFFFFFFF;',
    ),
  },
  {
    clause: 'report-egress-not-before-ingress',
    fault: reporting(
      'tells an egress time before the ingress time',
      'hdr.reported_egress_time.value = meta.node.ingress_time - 1;',
    ),
  },
  {
    clause: 'report-has-flow',
    fault: reporting('reports another address', more('hdr.ipv4.src_addr')),
    role: 'xd',
  },
  {
    clause: 'report-has-packet-as-it-came',
    fault: reporting(
      'reports a header that it has changed',
      'hdr.int_header.remaining_hops = hdr.int_header.remaining_hops - 1;',
    ),
  },
  {
    clause: 'report-stack-whole',
    fault: asking('cuts the packet within its stack', 'inner_limit = 40;'),
  },
];

export const REPORT_PROGRAMS: readonly WrongProgram[] = ROWS.map((row) => ({
  role: 'sink',
  ...row,
}));
