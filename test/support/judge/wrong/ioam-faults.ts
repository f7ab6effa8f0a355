import { after, before, faultAt, inIoam, leavingIoam, more } from './fault';
import type { ProgramFault, WrongProgram } from './fault';

/** ioam as transit node of the pre-allocated trace, and as node that exports directly, with one fault each. */

const FILLS = 'meta.ioam.fill';

/** Words that faults change: the first free one of the trace, the first of the node before, and one of the payload. */
export const IOAM_STRUCTURE = [
  before(
    inIoam,
    'ioam_headers.p4',
    '    ioam_spare_t                        ioam_spare;',
    '    ioam_word_t                         free_word;',
  ),
  inIoam(
    'ioam_parser.p4',
    '            default: parse_slot;\n        }\n    }\n\n    state parse_slot {\n' +
      '        packet.extract(hdr.ioam_spare, (bit<32>)meta.ioam.spare_words << 5);',
    '            0: parse_slot;\n            default: parse_free_word;\n        }\n    }\n\n' +
      '    state parse_free_word {\n        packet.extract(hdr.free_word);\n' +
      '        packet.extract(hdr.ioam_spare, ((bit<32>)meta.ioam.spare_words - 1) << 5);\n' +
      '        transition parse_own_slot;\n    }\n\n' +
      '    state parse_slot {\n        packet.extract(hdr.ioam_spare, 0);\n' +
      '        transition parse_own_slot;\n    }\n\n    state parse_own_slot {',
  ),
  before(
    inIoam,
    'ioam_deparser.p4',
    '        packet.emit(hdr.ioam_spare);',
    '        packet.emit(hdr.free_word);',
  ),
  before(
    inIoam,
    'ioam_headers.p4',
    '    ioam_rest_t                         ioam_rest;',
    '    ioam_word_t                         earlier_word;',
  ),
  inIoam(
    'ioam_parser.p4',
    '            default: parse_behind_trace;',
    '            0 .. 3: parse_behind_trace;\n            default: parse_earlier_word;',
  ),
  before(
    inIoam,
    'ioam_parser.p4',
    '    state parse_behind_trace {',
    '    state parse_earlier_word {\n        packet.extract(hdr.earlier_word);\n' +
      '        meta.ioam.left_bytes = meta.ioam.left_bytes - 4;\n' +
      '        transition parse_behind_trace;\n    }\n',
  ),
  before(
    inIoam,
    'ioam_deparser.p4',
    '        packet.emit(hdr.ioam_rest);',
    '        packet.emit(hdr.earlier_word);',
  ),
  after(
    inIoam,
    'ioam_headers.p4',
    '    ipv6_t                              inner_ipv6;',
    '    ioam_word_t                         payload_word;',
  ),
  after(
    inIoam,
    'ioam_parser.p4',
    '    state parse_upper_layer {',
    '        packet.extract(hdr.payload_word);',
  ),
  after(
    inIoam,
    'ioam_deparser.p4',
    '        packet.emit(hdr.inner_ipv6);',
    '        packet.emit(hdr.payload_word);',
  ),
];

/** Where ingress has taken one off the hop limit. */
const NO_HOP_LIMIT = faultAt((code) =>
  after(
    inIoam,
    'ioam.p4',
    '            forwarding.apply(hdr, meta, standard_metadata, refusal);',
    code,
  ),
)('leaves the hop limit', more('hdr.ipv6.hop_limit'));

const NO_FLOW_LABEL = leavingIoam('clears the flow label', 'hdr.ipv6.flow_label = 0;');

/** The trace has data of other nodes, and no free word that the node leaves. */
const HAS_EARLIER =
  '(bit<16>)hdr.ioam_option.length > 10 + (((bit<16>)hdr.ioam_trace.remaining + ' +
  '(meta.ioam.fill ? meta.ioam.slot_words : 0)) << 2) && ' +
  '(meta.ioam.fill || hdr.ioam_trace.remaining == 0)';

const TRANSIT: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'packet-returned',
    leavingIoam(
      'drops packets whose trace is full',
      'mark_to_drop(standard_metadata);',
      'hdr.ioam_trace.overflow == 1',
    ),
  ],
  ['addresses-unchanged', leavingIoam('translates the source address', more('hdr.ipv6.src_addr'))],
  ['traffic-class-and-flow-label-unchanged', NO_FLOW_LABEL],
  ['hop-limit-decremented', NO_HOP_LIMIT],
  [
    'payload-length-unchanged',
    leavingIoam('adds a word to the length of IPv6', more('hdr.ipv6.payload_length', 4)),
  ],
  [
    'other-options-unchanged',
    leavingIoam(
      'makes an option of a padding',
      'hdr.leading[0].setInvalid(); hdr.pad2.setValid(); hdr.pad2 = { 0x1e, 0 };',
      'hdr.leading[0].isValid()',
    ),
  ],
  [
    'payload-unchanged',
    leavingIoam('changes a word of the payload', more('hdr.payload_word.value')),
  ],
  [
    'option-type-unchanged',
    leavingIoam('says that the option does not change', 'hdr.ioam_option.type = IPV6_IOAM;'),
  ],
  [
    'option-length-unchanged',
    leavingIoam('adds a word to the length of the option', more('hdr.ioam_option.length', 4)),
  ],
  [
    'type-unchanged',
    leavingIoam('makes an incremental trace of it', 'hdr.ioam_option.ioam_type = 1;'),
  ],
  ['reserved-unchanged', leavingIoam('sets a reserved bit', 'hdr.ioam_trace.reserved = 1;')],
  [
    'namespace-unchanged',
    leavingIoam('changes the namespace', more('hdr.ioam_trace.namespace_id')),
  ],
  [
    'node-length-unchanged',
    leavingIoam('changes the length of node data', more('hdr.ioam_trace.node_words')),
  ],
  [
    'trace-type-unchanged',
    leavingIoam(
      'asks the next node for more',
      'hdr.ioam_trace.trace_type = hdr.ioam_trace.trace_type | 0x000400;',
    ),
  ],
  [
    'loopback-and-active-unchanged',
    leavingIoam('clears the active flag', 'hdr.ioam_trace.active = 0;'),
  ],
  [
    'remaining-length-right',
    leavingIoam(
      'counts a word too many for its data',
      'hdr.ioam_trace.remaining = hdr.ioam_trace.remaining - 1;',
      `${FILLS} && hdr.ioam_trace.remaining != 0`,
    ),
  ],
  [
    'overflow-without-room',
    leavingIoam('does not set the overflow flag', 'hdr.ioam_trace.overflow = 0;', `!${FILLS}`),
  ],
  [
    'overflow-unchanged-with-room',
    leavingIoam(
      'sets the overflow flag though there is room',
      'hdr.ioam_trace.overflow = 1;',
      FILLS,
    ),
  ],
  [
    'free-space-unchanged',
    leavingIoam('writes into the free space', 'hdr.free_word.value = 7;', FILLS),
  ],
  [
    'earlier-nodes-unchanged',
    leavingIoam('changes the data of the node before', more('hdr.earlier_word.value'), HAS_EARLIER),
  ],
  [
    'unknown-namespace-untouched',
    {
      does: 'takes every namespace for its own',
      edits: (told) => [
        inIoam(
          'ioam_namespace.p4',
          'meta.ioam.is_known = hdr.ioam_trace.namespace_id == 0;',
          `meta.ioam.is_known = hdr.ioam_trace.namespace_id == 0 || ${told};`,
        ),
      ],
    },
  ],
  [
    'node-id-known',
    leavingIoam('does not know its node id', 'hdr.ioam_data.node.node_id = 0xFFFFFF;', FILLS),
  ],
  [
    'node-hop-limit-right',
    leavingIoam(
      'writes a hop limit that the packet never had',
      'hdr.ioam_data.node.hop_limit = 9; hdr.ioam_data.wide_node.hop_limit = 9;',
      FILLS,
    ),
  ],
  [
    'wide-node-agrees',
    leavingIoam(
      'writes another hop limit into the wide node data',
      'hdr.ioam_data.wide_node.hop_limit = 9;',
      FILLS,
    ),
  ],
  [
    'interfaces-known',
    leavingIoam(
      'does not know its interfaces',
      'hdr.ioam_data.interfaces.ingress_port = 0xFFFF; hdr.ioam_data.interfaces.egress_port = 0xFFFF;',
      FILLS,
    ),
  ],
  [
    'clock-goes-on',
    leavingIoam(
      'has a clock that goes backwards',
      'hdr.ioam_data.seconds.value = 0xFFFFFFFF - standard_metadata.ingress_global_timestamp[31:0];',
      FILLS,
    ),
  ],
  [
    'undefined-bits-all-ones',
    leavingIoam(
      'writes zeros for bits that nobody defines',
      'hdr.ioam_data.tx_bytes.value = 0;',
      FILLS,
    ),
  ],
];

const EXPORTS: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'packet-returned',
    leavingIoam('drops what it exports', 'mark_to_drop(standard_metadata);', 'meta.dex.found'),
  ],
  ['hop-limit-decremented', NO_HOP_LIMIT],
  ['packet-unchanged', NO_FLOW_LABEL],
  [
    'unknown-namespace-not-exported',
    faultAt((code) => after(inIoam, 'dex_watch.p4', '            direct_exports.apply();', code))(
      'exports every namespace',
      'is_known = true; session = 5;',
    ),
  ],
  [
    'report-has-option',
    faultAt((code) =>
      before(inIoam, 'dex_report.p4', '            bit<16> asked = meta.dex.asked;', code),
    )('cuts the packet before the option', 'inner_limit = 44;'),
  ],
];

export const IOAM_PROGRAMS: readonly WrongProgram[] = [
  ...TRANSIT.map(
    ([clause, fault]) => ({ role: 'ioam-transit', clause: `ioam-${clause}`, fault }) as const,
  ),
  ...EXPORTS.map(
    ([clause, fault]) => ({ role: 'ioam-export', clause: `dex-${clause}`, fault }) as const,
  ),
];
