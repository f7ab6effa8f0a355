import {
  after,
  before,
  faultAt,
  faultInCondition,
  faultOf,
  inInt,
  leaving,
  more,
  pushing,
} from './fault';
import type { ProgramFault, WrongProgram } from './fault';

/** int-v2 as transit hop of INT-MD, with one fault each. */

const NPT_DSCP = 'meta.found.carrier == CARRIER_DSCP || meta.found.carrier == CARRIER_MARKER';
const BY_DSCP_IN_UDP = 'meta.found.carrier == CARRIER_DSCP && hdr.udp.isValid()';
const BY_PORT = 'meta.found.carrier == CARRIER_PORT';
const BY_NEW_UDP = 'meta.found.carrier == CARRIER_NEW_UDP';
const BY_VXLAN = 'meta.found.carrier == CARRIER_VXLAN';
const BY_GRE = 'meta.found.carrier == CARRIER_GRE';
const IN_PSEUDO_HEADER = 'hdr.ipv4.isValid() && !hdr.gre.isValid()';
const HAS_SHIM = 'hdr.shim.isValid()';

/** The checksum of IPv4 is not computed again. */
export const NO_IP_CHECKSUM = faultInCondition('leaves the checksum of IPv4 as it came', inInt, [
  'int_v2_deparser.p4',
  'hdr.ipv4.ihl == 5 && !meta.report.dropped',
  (not) => `hdr.ipv4.ihl == 5 && !meta.report.dropped && ${not}`,
]);

export const ECN_MARKED = leaving('marks every packet', 'hdr.ipv4.ecn = 3;');

/** The node does not say who it is. */
export const NO_NODE_ID: ProgramFault = {
  does: 'does not know its node id',
  edits: (told) => [
    inInt(
      'own_block.p4',
      'hdr.own_node_id.value = meta.port.node_id;',
      `hdr.own_node_id.value = ${told} ? 32w0xFFFFFFFF : meta.port.node_id;`,
    ),
  ],
};

/** The egress time is before the ingress time. */
export const EARLY_EGRESS: ProgramFault = {
  does: 'tells an egress time before the ingress time',
  edits: (told) => [
    inInt(
      'own_block.p4',
      'hdr.own_egress_time.value = meta.node.egress_time;',
      `hdr.own_egress_time.value = ${told} ? meta.node.ingress_time - 1 : meta.node.egress_time;`,
    ),
  ],
};

/** A word of all ones, which no checksum notices, in front of the own block. */
export const EXTRA_WORD =
  'hdr.extra_word.setValid(); hdr.extra_word.value = 0xFFFFFFFF; ' +
  'hdr.shim.length = hdr.shim.length + 1; meta.change.bytes = meta.change.bytes + 4;';

export const WORD_TOO_MANY = pushing(
  'pushes a word more than the hop length says',
  EXTRA_WORD,
  1,
  HAS_SHIM,
);

const PROGRAMS: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'packet-returned',
    leaving(
      'drops packets whose hop count is used up',
      'mark_to_drop(standard_metadata);',
      'hdr.int_header.isValid() && hdr.int_header.e == 1',
    ),
  ],
  [
    'ip-source-unchanged',
    pushing('translates the source address', more('hdr.ipv4.src_addr'), 1, IN_PSEUDO_HEADER),
  ],
  [
    'ip-destination-unchanged',
    pushing('translates the destination address', more('hdr.ipv4.dst_addr'), 1, IN_PSEUDO_HEADER),
  ],
  ['ip-dscp-unchanged', pushing('clears the DSCP', 'hdr.ipv4.dscp = 0;', 0)],
  [
    'udp-sourcePort-unchanged',
    pushing('translates the source port', more('hdr.udp.src_port'), 1, 'hdr.udp.isValid()'),
  ],
  [
    'udp-destinationPort-unchanged',
    pushing('translates the destination port', more('hdr.udp.dst_port'), 1, BY_DSCP_IN_UDP),
  ],
  [
    'ip-totalLength-right',
    leaving('adds a word too many to the length of IPv4', more('hdr.ipv4.total_len', 4)),
  ],
  ['ip-checksum-right', NO_IP_CHECKSUM],
  [
    'udp-length-right',
    pushing(
      'adds a word too many to the length of UDP',
      more('hdr.udp.length', 4),
      4,
      'hdr.udp.isValid() && !hdr.gre.isValid()',
    ),
  ],
  [
    'udp-checksum-right',
    pushing(
      'sums up one too many for the checksum of UDP',
      '',
      1,
      'hdr.udp.isValid() && !hdr.gre.isValid()',
    ),
  ],
  [
    'transit-tcp-checksum-right',
    pushing('sums up one too many for the checksum of TCP', '', 1, 'hdr.tcp.isValid()'),
  ],
  [
    'transit-gre-checksum-right',
    pushing('sums up one too many for the checksum of GRE', '', 1, 'hdr.gre.isValid()'),
  ],
  [
    'shim-type-unchanged',
    pushing('makes the type one that nobody defines', 'hdr.shim.type = 5;', 0x4000, HAS_SHIM),
  ],
  [
    'shim-npt-unchanged',
    pushing(
      'makes the NPT one that nobody defines',
      'hdr.shim.carrier_bits = 12;',
      0x0c00,
      NPT_DSCP,
    ),
  ],
  [
    'shim-originalDscp-unchanged',
    pushing('changes the original DSCP', more('hdr.shim.original', 4), 4, NPT_DSCP),
  ],
  [
    'shim-originalPort-unchanged',
    pushing('changes the original port', more('hdr.shim.original'), 1, BY_PORT),
  ],
  [
    'shim-originalProtocol-unchanged',
    pushing('changes the original protocol', more('hdr.shim.original'), 1, BY_NEW_UDP),
  ],
  [
    'shim-words-right',
    pushing('counts a word too many in the shim', more('hdr.shim.length'), 1, HAS_SHIM),
  ],
  ['int-discard-unchanged', pushing('sets D', 'hdr.int_header.d = 1;', 0x0800)],
  [
    'mtu-exceeded-kept',
    pushing(
      'clears M when it pushes',
      'hdr.int_header.m = 0;',
      '(0xFFFF - 0x0200)',
      'hdr.int_header.m == 1',
    ),
  ],
  [
    'int-hopWords-unchanged',
    pushing('adds one to the hop length', more('hdr.int_header.hop_words'), 0x0100),
  ],
  [
    'int-instructionBitmap-unchanged',
    pushing('asks the next hop for more', more('hdr.int_header.instructions', 2), 2),
  ],
  ['int-domainId-unchanged', pushing('changes the domain', more('hdr.int_header.domain_id'), 1)],
  [
    'int-dsInstruction-unchanged',
    pushing('changes the instructions of the domain', more('hdr.int_header.ds_instructions'), 1),
  ],
  [
    'remaining-hop-count-decremented',
    pushing('leaves the remaining hop count', more('hdr.int_header.remaining_hops'), 1),
  ],
  [
    'hop-limit-exceeded-when-none-remains',
    faultAt((code) =>
      after(
        inInt,
        'hop_admission.p4',
        '                hdr.int_header.e = 1;',
        `                ${code}`,
      ),
    )('does not set E', 'hdr.int_header.e = meta.change.sum == 0 ? 1w1 : 0; meta.change.sum = 0;'),
  ],
  ['one-hop-pushed', WORD_TOO_MANY],
  [
    'earlier-hops-unchanged',
    pushing(
      'puts its block behind those of earlier hops',
      'hdr.early_stack = hdr.int_stack; hdr.int_stack.setInvalid();',
      0,
    ),
  ],
  [
    'payload-unchanged',
    pushing('changes a word of the payload', more('hdr.payload_word.value'), 1),
  ],
  ['node-id-known', NO_NODE_ID],
  ['egress-not-before-ingress', EARLY_EGRESS],
  [
    'reserved-instructions-all-ones',
    pushing(
      'pushes zeros for instructions that it does not know',
      'hdr.own_ones2.value = 0; hdr.own_ones4.value = 0;',
      0,
    ),
  ],
  ['transit-ecn-unchanged', ECN_MARKED],
  [
    'transit-tcp-header-unchanged',
    pushing(
      'closes the window of TCP',
      more('hdr.tcp.window', '0xFFFF'),
      0xfffe,
      'hdr.tcp.isValid()',
    ),
  ],
  [
    'transit-protocol-unchanged',
    pushing('makes the protocol one of experiments', 'hdr.ipv4.protocol = 253;', 0),
  ],
  [
    'transit-marker-unchanged',
    pushing('changes the marker', more('hdr.marker.value'), 1, 'hdr.marker.isValid()'),
  ],
  [
    'transit-shim-reserved-unchanged',
    pushing(
      'sets a reserved bit of the shim',
      'hdr.shim.carrier_bits = hdr.shim.carrier_bits | 1;',
      0x0100,
      HAS_SHIM,
    ),
  ],
  [
    'transit-version-unchanged',
    pushing('makes version 3 of it', 'hdr.int_header.version = 3;', 0x1000),
  ],
  [
    'transit-header-reserved-unchanged',
    pushing('sets a reserved bit of the header', 'hdr.int_header.reserved = 1;', 0x2000),
  ],
  [
    'transit-complement-leaves-checksum',
    faultOf(
      'changes the checksum, and says by a complement that it does not',
      faultInCondition('', inInt, [
        'carrier_change.p4',
        'if (has_complement && has_checksum) {',
        (not) => `if (has_complement && has_checksum && ${not}) {`,
      ]),
      pushing('', 'hdr.own_complement.value = 0;', 0, 'has_complement'),
    ),
  ],
  [
    'transit-tunnel-header-unchanged',
    pushing('changes the network of VXLAN', more('hdr.vxlan.vni'), 0x0100, 'hdr.vxlan.isValid()'),
  ],
  [
    'transit-gre-shim-unchanged',
    pushing('changes the EtherType in the shim', more('hdr.shim.original'), 1, BY_GRE),
  ],
  [
    'transit-vxlan-shim-unchanged',
    pushing('changes the next protocol in the shim', more('hdr.shim.original'), 1, BY_VXLAN),
  ],
  [
    'transit-geneve-options-length-right',
    pushing(
      'counts a word too many in the options',
      more('hdr.geneve.options_length'),
      0x0100,
      'hdr.geneve.isValid()',
    ),
  ],
];

export const TRANSIT_PROGRAMS: readonly WrongProgram[] = [
  ...PROGRAMS.map(([clause, fault]) => ({ role: 'transit', clause, fault }) as const),
  {
    role: 'transit',
    clause: 'ip-payloadLength-right',
    fault: leaving(
      'adds a word too many to the length of IPv6',
      more('hdr.ipv6.payload_length', 4),
    ),
    family: 6,
  },
];

/** Words that faults write, where a right program has none, and a word of what packets carry. */
export const STRUCTURE = [
  before(
    inInt,
    'int_v2_headers.p4',
    '    word_t          own_node_id;',
    '    word_t          extra_word;\n    int_stack_t     early_stack;',
  ),
  before(
    inInt,
    'int_v2_deparser.p4',
    '        packet.emit(hdr.own_node_id);',
    '        packet.emit(hdr.extra_word);\n        packet.emit(hdr.early_stack);',
  ),
  after(
    inInt,
    'int_v2_headers.p4',
    '    tcp_options_t   inner_tcp_options;',
    '    word_t          payload_word;\n    word_t          kept_payload_word;',
  ),
  after(
    inInt,
    'int_v2_parser.p4',
    '    state complete {',
    '        packet.extract(hdr.payload_word);',
  ),
  after(
    inInt,
    'int_v2_deparser.p4',
    '        packet.emit(hdr.inner_tcp_options);',
    '        packet.emit(hdr.payload_word);',
  ),
];
