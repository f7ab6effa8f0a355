import {
  after,
  before,
  faultAt,
  faultInCondition,
  faultOf,
  inInt,
  inRoles,
  inserting,
  leaving,
  leavingRight,
  more,
  removing,
  watching,
} from './fault';
import type { ProgramFault, WrongProgram } from './fault';
import {
  EARLY_EGRESS,
  ECN_MARKED,
  EXTRA_WORD,
  NO_IP_CHECKSUM,
  NO_NODE_ID,
  WORD_TOO_MANY,
} from './transit-faults';

/** int-v2 as source or sink of INT-MD and INT-MX, as transit hop of INT-MX, and as node of INT-XD, with one fault each. */

const ROLES = ['source', 'mx-source', 'sink', 'mx-sink', 'mx-transit', 'xd'] as const;
const SOURCES = ['source', 'mx-source'] as const;
const SINKS = ['sink', 'mx-sink'] as const;

const HAS_PORTS = '(hdr.udp.isValid() || hdr.tcp.isValid()) && !hdr.gre.isValid()';
const HAS_SHIM = 'hdr.shim.isValid()';
const BY_DSCP = 'meta.found.carrier == CARRIER_DSCP';
const NO_TUNNEL = 'hdr.udp.isValid() && !hdr.vxlan.isValid() && !hdr.geneve.isValid()';
const IN_GRE = 'hdr.gre.isValid()';
const IN_VXLAN = 'hdr.vxlan.isValid()';
const HAS_INT = 'hdr.int_header.isValid()';

const EVERYWHERE: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'addresses-unchanged',
    leavingRight('translates the source address', more('hdr.ipv4.src_addr'), 1, HAS_PORTS),
  ],
  ['ecn-unchanged', ECN_MARKED],
  ['ip-lengths-and-checksum-right', NO_IP_CHECKSUM],
  [
    'udp-length-right',
    leavingRight(
      'adds a word to the length of UDP',
      more('hdr.udp.length', 4),
      4,
      'hdr.udp.isValid()',
    ),
  ],
  [
    'transport-checksum-right',
    leavingRight('sums up one too many for the checksum', '', 1, HAS_PORTS),
  ],
  [
    'tcp-header-unchanged',
    leavingRight(
      'closes the window of TCP',
      more('hdr.tcp.window', '0xFFFF'),
      0xfffe,
      'hdr.tcp.isValid()',
    ),
  ],
];

/** The report has the packet as it came. */
const PAYLOAD = faultOf(
  'changes a word of the payload',
  leavingRight(
    '',
    `hdr.kept_payload_word = hdr.payload_word; ${more('hdr.payload_word.value')}`,
    1,
    `${NO_TUNNEL} || hdr.tcp.isValid()`,
  ),
  faultAt((code) =>
    after(inInt, 'reports/report_export.p4', '            restoration.apply(hdr);', code),
  )('', 'hdr.payload_word = hdr.kept_payload_word;', 'hdr.kept_payload_word.isValid()'),
);
const NETWORK = leavingRight(
  'changes the network of VXLAN',
  more('hdr.vxlan.vni'),
  0x0100,
  IN_VXLAN,
);
const PORTS = leavingRight(
  'translates the source port',
  more('hdr.udp.src_port'),
  1,
  'hdr.udp.isValid()',
);

const ADDED: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'int-added',
    faultAt((code) =>
      before(
        inInt,
        'int_insertion.p4',
        '        ip_bytes = (bit<32>)meta.found.ip_payload +',
        code,
      ),
    )(
      'is for UDP alone',
      'is_applicable = false; meta.report.tracked = true;',
      'hdr.tcp.isValid()',
    ),
  ],
  [
    'shim-type',
    leavingRight(
      'writes a type that nobody defines',
      'hdr.shim.type = hdr.shim.type + 4;',
      0x4000,
      HAS_SHIM,
    ),
  ],
  [
    'shim-npt-defined',
    leavingRight(
      'writes an NPT that nobody defines',
      'hdr.shim.carrier_bits = 12;',
      0x0c00,
      BY_DSCP,
    ),
  ],
  [
    'shim-reserved-zero',
    leavingRight(
      'sets a reserved bit of the shim',
      'hdr.shim.carrier_bits = hdr.shim.carrier_bits | 1;',
      0x0100,
      HAS_SHIM,
    ),
  ],
  [
    'shim-has-original-dscp',
    leavingRight('keeps another DSCP in the shim', more('hdr.shim.original', 4), 4, BY_DSCP),
  ],
  ['ports-unchanged', PORTS],
  ['payload-unchanged', PAYLOAD],
  ['version-2', leavingRight('writes version 3', 'hdr.int_header.version = 3;', 0x1000, HAS_INT)],
  [
    'header-reserved-zero',
    leavingRight(
      'sets a reserved bit of the header',
      'hdr.int_header.reserved = 1;',
      0x2000,
      HAS_INT,
    ),
  ],
  [
    'default-domain-without-ds',
    watching('asks the default domain for metadata of a domain', 'meta.watch.ds_instructions = 1;'),
  ],
  [
    'shim-has-gre-protocol',
    leavingRight('keeps another EtherType in the shim', more('hdr.shim.original'), 1, IN_GRE),
  ],
  [
    'shim-has-vxlan-protocol',
    leavingRight('keeps another protocol in the shim', more('hdr.shim.original'), 1, IN_VXLAN),
  ],
  [
    'shim-tells-added-gre',
    leavingRight(
      'sets G though it has not added the GRE header',
      'hdr.shim.carrier_bits = 8;',
      0x0800,
      IN_GRE,
    ),
  ],
  [
    'shim-tells-plain-vxlan',
    leavingRight(
      'does not set G though it made VXLAN-GPE of VXLAN',
      'hdr.shim.original = hdr.shim.original & 0x7FFF;',
      0x7fff,
      `${IN_VXLAN} && hdr.shim.original[15:15] == 1`,
    ),
  ],
  ['tunnel-header-unchanged', NETWORK],
  [
    'geneve-options-length-right',
    leavingRight(
      'counts a word too many in the options',
      more('hdr.geneve.options_length'),
      0x0100,
      'hdr.geneve.isValid()',
    ),
  ],
];

const ORIGINAL_PORT = leavingRight(
  'keeps another port in the shim',
  more('hdr.shim.original'),
  1,
  'meta.found.carrier == CARRIER_PORT',
);
const ORIGINAL_PROTOCOL = leavingRight(
  'keeps another protocol in the shim',
  more('hdr.shim.original'),
  1,
  'meta.found.carrier == CARRIER_NEW_UDP',
);

/** Sources by carriers that their watchlist asks for. */
const BY_OTHER_CARRIERS: readonly WrongProgram[] = SOURCES.flatMap((role) => [
  {
    role,
    clause: `${role}-shim-has-original-port`,
    fault: ORIGINAL_PORT,
    carriers: { udp: 2 },
  },
  {
    role,
    clause: `${role}-shim-has-original-protocol`,
    fault: ORIGINAL_PROTOCOL,
    carriers: { udp: 3 },
  },
]);

const OF_MD_SOURCE: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'source-reserved-instructions-zero',
    watching(
      'asks for what is reserved, and pushes a word for it',
      `meta.watch.instructions = meta.watch.instructions | 2; ${more('meta.watch.hop_words')}`,
    ),
  ],
  [
    'source-hop-limit-not-exceeded',
    leavingRight('sets E in a new header', 'hdr.int_header.e = 1;', 0x0400, HAS_INT),
  ],
  [
    'source-hops-remain',
    faultOf(
      'allows no hops, not even its own',
      watching('', 'meta.watch.max_hops = 0;'),
      leavingRight('', 'hdr.int_header.e = 0;', '(0xFFFF - 0x0400)', HAS_INT),
    ),
  ],
  [
    'source-hop-length-fits-instructions',
    watching('writes a hop length of a word too many', more('meta.watch.hop_words')),
  ],
  ['source-shim-length-right', WORD_TOO_MANY],
  ['source-node-id-known', NO_NODE_ID],
  ['source-egress-not-before-ingress', EARLY_EGRESS],
];

const OF_MX_SOURCE: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'mx-source-reserved-instructions-zero',
    watching('asks for what is reserved', 'meta.watch.instructions = meta.watch.instructions | 2;'),
  ],
  [
    'mx-source-no-complement',
    watching('asks for a complement', 'meta.watch.instructions = meta.watch.instructions | 1;'),
  ],
  ['mx-source-no-hops', inserting('adds a word behind the header', EXTRA_WORD, 1, HAS_SHIM)],
];

const REMOVED: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'discards',
    faultInCondition('forwards packets with D', inInt, [
      'int_sink_port.p4',
      'if (discards) {',
      (not) => `if (discards && ${not}) {`,
    ]),
  ],
  [
    'int-removed',
    faultAt((code) =>
      before(
        inInt,
        'int_removal.p4',
        '        if (is_removed) {\n            if (hdr.geneve_option',
        code,
      ),
    )(
      'is for UDP alone',
      'is_removed = false; meta.report.tracked = true;',
      'hdr.tcp.isValid() && is_removed && hdr.int_header.d == 0',
    ),
  ],
  [
    'dscp-restored',
    {
      does: 'reads the original DSCP from the last six bits',
      edits: (told) => [
        inInt(
          'int_removal.p4',
          'hdr.ipv4.dscp = hdr.shim.original[7:2];',
          `hdr.ipv4.dscp = ${told} ? hdr.shim.original[5:0] : hdr.shim.original[7:2];`,
        ),
      ],
    },
  ],
  [
    'ports-restored',
    removing(
      'restores another port',
      more('hdr.udp.dst_port'),
      1,
      'meta.found.carrier == CARRIER_PORT',
    ),
  ],
  [
    'protocol-restored',
    removing(
      'restores another protocol',
      'hdr.ipv4.protocol = 253;',
      0,
      'meta.found.carrier == CARRIER_NEW_UDP',
    ),
  ],
  ['payload-unchanged', PAYLOAD],
  [
    'gre-restored',
    removing(
      'restores another EtherType',
      more('hdr.gre.protocol'),
      1,
      'hdr.gre.isValid() && hdr.shim.carrier_bits[3:3] == 0',
    ),
  ],
  [
    'vxlan-restored',
    removing(
      'leaves the bit of VXLAN-GPE though it was plain VXLAN',
      'hdr.vxlan.flags = hdr.vxlan.flags | 4;',
      0x0400,
      'hdr.vxlan.isValid() && hdr.udp.dst_port == VXLAN_PORT',
    ),
  ],
  [
    'geneve-restored',
    removing(
      'counts a word too many in the options',
      more('hdr.geneve.options_length'),
      0x0100,
      'hdr.geneve.isValid()',
    ),
  ],
];

const OF_MX_TRANSIT: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  ['mx-transit-dscp-unchanged', leaving('clears the DSCP', 'hdr.ipv4.dscp = 0;')],
  [
    'mx-transit-shim-unchanged',
    leavingRight('changes the shim', more('hdr.shim.original', 4), 4, HAS_SHIM),
  ],
  [
    'mx-transit-instructions-unchanged',
    leavingRight('changes the domain', more('hdr.int_header.domain_id'), 1, HAS_INT),
  ],
  ['mx-transit-tunnel-header-unchanged', NETWORK],
  ['mx-transit-payload-unchanged', PAYLOAD],
];

const OF_XD: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  ['xd-dscp-unchanged', leaving('raises the DSCP', more('hdr.ipv4.dscp'))],
  [
    'xd-no-int-added',
    watching(
      'adds INT-MX, too',
      'meta.watch.wanted = true; meta.watch.type = INT_TYPE_MX; meta.watch.carrier = CARRIER_DSCP;',
      'meta.report.tracked',
    ),
  ],
  ['xd-ports-unchanged', PORTS],
  [
    'xd-tunnel-header-unchanged',
    leavingRight('sets a flag of GRE', 'hdr.gre.flags = 1;', 8, IN_GRE),
  ],
  ['xd-packet-unchanged', PAYLOAD],
];

const inOwn = (
  role: 'source' | 'mx-source' | 'mx-transit' | 'xd',
  programs: readonly (readonly [clause: string, fault: ProgramFault])[],
): WrongProgram[] => programs.map(([clause, fault]) => ({ role, clause, fault }));

export const ROLE_PROGRAMS: readonly WrongProgram[] = [
  ...EVERYWHERE.flatMap(([clause, fault]) => inRoles(ROLES, clause, fault)),
  ...ADDED.flatMap(([clause, fault]) => inRoles(SOURCES, clause, fault)),
  ...BY_OTHER_CARRIERS,
  ...inOwn('source', OF_MD_SOURCE),
  ...inOwn('mx-source', OF_MX_SOURCE),
  ...REMOVED.flatMap(([clause, fault]) => inRoles(SINKS, clause, fault)),
  ...inOwn('mx-transit', OF_MX_TRANSIT),
  ...inOwn('xd', OF_XD),
];
