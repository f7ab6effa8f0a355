import { after, before, faultAt, inIoam, leavingIoam, more } from './fault';
import type { ProgramFault, WrongProgram } from './fault';

/** ioam as transit node of the incremental trace behind NSH, with one fault each. */

/** Words that faults change: the first of the context, of the node before and of the payload; and one that they add. */
export const NSH_STRUCTURE = [
  before(
    inIoam,
    'ioam_headers.p4',
    '    nsh_context_t                       nsh_context;',
    '    ioam_word_t                         context_word;',
  ),
  before(
    inIoam,
    'ioam_deparser.p4',
    '        packet.emit(hdr.nsh_context);',
    '        packet.emit(hdr.context_word);',
  ),
  before(
    inIoam,
    'ioam_headers.p4',
    '    ioam_word_t                         earlier_word;',
    '    ioam_word_t                         added_word;',
  ),
  before(
    inIoam,
    'ioam_deparser.p4',
    '        packet.emit(hdr.earlier_word);',
    '        packet.emit(hdr.added_word);',
  ),
  inIoam(
    'nsh_parser.p4',
    '            default: parse_context;\n        }\n    }\n\n    state parse_context {\n' +
      '        packet.extract(hdr.nsh_context, (bit<32>)(hdr.nsh.length - NSH_FIXED_WORDS) << 5);',
    '            2: parse_no_context;\n            default: parse_context;\n        }\n    }\n\n' +
      '    state parse_no_context {\n        packet.extract(hdr.nsh_context, 0);\n' +
      '        transition parse_next;\n    }\n\n' +
      '    state parse_context {\n        packet.extract(hdr.context_word);\n' +
      '        packet.extract(hdr.nsh_context, (bit<32>)(hdr.nsh.length - 3) << 5);\n' +
      '        transition parse_next;\n    }\n\n    state parse_next {',
  ),
  inIoam(
    'nsh_parser.p4',
    '        bit<8> data_words = hdr.nsh_ioam.length - NSH_TRACE_WORDS;\n' +
      '        packet.extract(hdr.ioam_rest, (bit<32>)data_words << 5);\n',
    '        transition select(hdr.nsh_ioam.length) {\n' +
      '            3: parse_no_earlier_word;\n            default: parse_earlier_word;\n        }\n    }\n\n' +
      '    state parse_no_earlier_word {\n        packet.extract(hdr.ioam_rest, 0);\n' +
      '        transition parse_inside;\n    }\n\n' +
      '    state parse_earlier_word {\n        packet.extract(hdr.earlier_word);\n' +
      '        packet.extract(hdr.ioam_rest, (bit<32>)(hdr.nsh_ioam.length - 4) << 5);\n' +
      '        transition parse_inside;\n    }\n\n    state parse_inside {\n',
  ),
  ...['inner_ipv4', 'inner_ipv6'].map((inner) =>
    inIoam(
      'nsh_parser.p4',
      `packet.extract(hdr.${inner});\n        transition accept;`,
      `packet.extract(hdr.${inner});\n        transition parse_payload_word;`,
    ),
  ),
  before(
    inIoam,
    'nsh_parser.p4',
    '    state parse_ipv4 {',
    '    state parse_payload_word {\n        packet.extract(hdr.payload_word);\n' +
      '        transition accept;\n    }\n',
  ),
];

const GROWS = 'meta.ioam.fill && hdr.nsh_ioam.isValid()';

const PROGRAMS: readonly (readonly [clause: string, fault: ProgramFault])[] = [
  [
    'packet-returned',
    leavingIoam(
      'drops packets whose trace has no room',
      'mark_to_drop(standard_metadata);',
      'hdr.nsh.isValid() && hdr.ioam_trace.overflow == 1',
    ),
  ],
  [
    'ttl-decremented',
    faultAt((code) =>
      after(inIoam, 'ioam.p4', '            paths.apply(hdr, meta, standard_metadata);', code),
    )('leaves the TTL', more('hdr.nsh.ttl')),
  ],
  ['flags-unchanged', leavingIoam('sets an unassigned bit', 'hdr.nsh.unassigned = 1;')],
  ['types-unchanged', leavingIoam('makes another type of metadata of it', more('hdr.nsh.md_type'))],
  [
    'path-unchanged',
    leavingIoam(
      'decrements the service index',
      'hdr.nsh.service_index = hdr.nsh.service_index - 1;',
    ),
  ],
  [
    'context-unchanged',
    leavingIoam('changes a word of the context', more('hdr.context_word.value')),
  ],
  ['length-unchanged', leavingIoam('counts IOAM in the length of NSH', more('hdr.nsh.length'))],
  [
    'other-options-unchanged',
    leavingIoam(
      'changes another option of IOAM',
      'hdr.nsh_options[0].reserved = 1;',
      'hdr.nsh_options[0].isValid()',
    ),
  ],
  [
    'ioam-type-unchanged',
    leavingIoam('makes a pre-allocated trace of it', 'hdr.nsh_ioam.ioam_type = 0;'),
  ],
  [
    'next-protocol-unchanged',
    leavingIoam('changes the protocol behind IOAM', more('hdr.nsh_ioam.next_protocol')),
  ],
  [
    'payload-unchanged',
    leavingIoam('changes a word of the payload', more('hdr.payload_word.value')),
  ],
  [
    'head-length-right',
    leavingIoam('counts a word too many in the head', more('hdr.nsh_ioam.length'), GROWS),
  ],
  [
    'node-data-added',
    leavingIoam(
      'adds a word behind its data that nothing counts',
      'hdr.added_word.setValid(); hdr.added_word.value = 7;',
      GROWS,
    ),
  ],
  [
    'earlier-nodes-unchanged',
    leavingIoam('changes the data of the node before', more('hdr.earlier_word.value'), GROWS),
  ],
];

export const NSH_PROGRAMS: readonly WrongProgram[] = PROGRAMS.map(
  ([clause, fault]) => ({ role: 'ioam-incremental', clause: `nsh-${clause}`, fault }) as const,
);
