import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';
import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import { readProgram } from '../../../../../switch/ir/lowering/read-program';
import { checkP4Info } from '../../../../../switch/server/pipeline/p4info-check';
import { SAMPLE_P4INFO, SAMPLE_PROGRAM } from '../../../../support/p4runtime/sample-program';

const program = readProgram(SAMPLE_PROGRAM);

function check(from: string | RegExp, to: string): void {
  const text = SAMPLE_P4INFO.replace(from, to);
  expect(text).not.toBe(from === '' ? '' : SAMPLE_P4INFO);
  checkP4Info(new P4InfoIndex(parseP4Info(Buffer.from(text), 'text')), program);
}

describe('comparing P4Info with a program', () => {
  test('a P4Info fits the program that it was compiled with', () => {
    const info = new P4InfoIndex(parseP4Info(Buffer.from(SAMPLE_P4INFO), 'text'));
    expect(() => checkP4Info(info, program)).not.toThrow();
  });

  test.each<[string, string | RegExp, string, string]>([
    [
      'a table of another name',
      'name: "ingress.acl"',
      'name: "ingress.filter"',
      "table 'ingress.filter' is not in the program, which has: ingress.route.ecmp_seed, ingress.route.ipv4_route, ingress.acl, ingress.mirror, ingress.classes, ingress.marks",
    ],
    [
      'a key of another width',
      'bitwidth: 9 match_type',
      'bitwidth: 16 match_type',
      "table 'egress.port_record', key field 1 'standard_metadata.egress_port': width: 16 in P4Info, 9 in program",
    ],
    [
      'a key of another kind',
      'match_type: TERNARY',
      'match_type: EXACT',
      "table 'ingress.acl', key field 2 'hdr.ipv4.src_addr': match kind: exact in P4Info, ternary in program",
    ],
    [
      'a key of another name',
      '"hdr.udp.src_port"',
      '"hdr.tcp.src_port"',
      "table 'ingress.mirror', key field 1: name: hdr.tcp.src_port in P4Info, hdr.udp.src_port in program",
    ],
    [
      'a key field less',
      /match_fields { id: 4[^}]*}/,
      '',
      "table 'ingress.acl': number of key fields: 3 in P4Info, 4 in program",
    ],
    [
      'another table size',
      'size: 16',
      'size: 32',
      "table 'ingress.route.ipv4_route': size: 32 in P4Info, 16 in program",
    ],
    [
      'another default',
      'const_default_action_id: 16777223',
      '',
      "table 'egress.port_record': constant default action: false in P4Info, true in program",
    ],
    [
      'an action of another name',
      '"ingress.deny"',
      '"ingress.refuse"',
      "table 'ingress.acl', action 'ingress.refuse' is not in the program, which has: ingress.mark, ingress.deny, NoAction",
    ],
    [
      'an action less',
      'action_refs { id: 16777222 }',
      '',
      "table 'egress.port_record': action 'egress.set_record' of the program is not in the P4Info",
    ],
    [
      'a parameter of another name',
      'name: "class"',
      'name: "colour"',
      "table 'ingress.acl', action 'ingress.mark', parameter 1: name: colour in P4Info, class in program",
    ],
    [
      'a parameter of another width',
      'name: "class" bitwidth: 3',
      'name: "class" bitwidth: 4',
      "table 'ingress.acl', action 'ingress.mark', parameter 'class': width: 4 in P4Info, 3 in program",
    ],
    [
      'a parameter less',
      'params { id: 3 name: "src_mac" bitwidth: 48 }',
      '',
      "table 'ingress.route.ipv4_route', action 'ingress.route.forward': number of parameters: 2 in P4Info, 3 in program",
    ],
    [
      'a profile of another name',
      'name: "ingress.samples"',
      'name: "ingress.probes"',
      "action profile 'ingress.probes' is not in the program, which has: ingress.route.ecmp, ingress.samples",
    ],
    [
      'a profile without selector',
      'with_selector: true',
      '',
      "action profile 'ingress.route.ecmp': selector: false in P4Info, true in program",
    ],
    [
      'a profile of another size',
      'size: 8 } action_profiles',
      'size: 9 } action_profiles',
      "action profile 'ingress.route.ecmp': size: 9 in P4Info, 8 in program",
    ],
    [
      'a direct table',
      'implementation_id: 285212674',
      '',
      "table 'ingress.mirror': action profile: none in P4Info, ingress.samples in program",
    ],
    [
      'a table less',
      /tables { preamble { id: 33554438.*?size: 512 }/,
      '',
      "table 'egress.port_record' of the program is not in the P4Info",
    ],
  ])('%s is named as the first difference', (_, from, to, message) => {
    expect(() => check(from, to)).toThrow(message);
  });
});
