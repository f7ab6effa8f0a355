import { P4InfoIndex } from '../../../../common/p4runtime/p4info';
import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import { SAMPLE_P4INFO } from '../../../support/p4runtime/sample-program';

const index = (text: string): P4InfoIndex =>
  new P4InfoIndex(parseP4Info(Buffer.from(text), 'text'));
const sample = index(SAMPLE_P4INFO);

describe('the P4Info index', () => {
  test('a table tells its key, its actions and its profile', () => {
    const table = sample.tables.get('ipv4_route');
    expect(table.matchFields.all).toEqual([
      { id: 1, name: 'hdr.ipv4.dst_addr', alias: 'hdr.ipv4.dst_addr', width: 32, matchKind: 'lpm' },
    ]);
    expect(sample.actionProfiles.byNumber(table.actionProfileId ?? 0)?.name).toBe(
      'ingress.route.ecmp',
    );
    expect(table.actions.get('forward').action.parameters.get('dst_mac').width).toBe(48);
    expect(table.size).toBe(16);
  });

  test.each([
    ['ingress.acl', true, false, false],
    ['egress.port_record', false, true, false],
    ['ingress.classes', false, false, true],
  ])(
    '%s: priority %s, constant default %s, constant entries %s',
    (name, priority, fixed, constant) => {
      const table = sample.tables.get(name);
      expect([table.needsPriority, table.constDefault, table.isConst]).toEqual([
        priority,
        fixed,
        constant,
      ]);
    },
  );

  test('the scope of an action says where it may stand', () => {
    const { actions } = sample.tables.get('acl');
    const places = actions.all.map(({ alias, inEntries, asDefault }) => [
      alias,
      inEntries,
      asDefault,
    ]);
    expect(places).toEqual([
      ['mark', true, true],
      ['deny', true, false],
      ['NoAction', false, true],
    ]);
  });

  test('counters and registers are found by name', () => {
    expect(sample.counters.get('drops')).toMatchObject({ name: 'ingress.drops', size: 4 });
    expect(sample.registers.get('egress.tx_bytes').size).toBe(512);
    expect(() => sample.registers.get('rx')).toThrow(
      "no register 'rx'; the program has: egress.tx_bytes",
    );
  });

  test.each([
    ['tables { }', 'P4Info: an object without a number or a name'],
    [
      'tables { preamble { id: 1 name: "t" } implementation_id: 9 }',
      "P4Info: table 't' names action profile 9: missing",
    ],
    [
      'tables { preamble { id: 1 name: "t" } action_refs { id: 5 } }',
      "P4Info: table 't' names action 5: missing",
    ],
    [
      'tables { preamble { id: 1 name: "t" } match_fields { id: 1 name: "f" } }',
      "P4Info: table 't', field 'f': no match kind",
    ],
    [
      'tables { preamble { id: 1 name: "t" } match_fields { id: 1 name: "f" other_match_type: "fuzzy" } }',
      "P4Info: table 't', field 'f': fuzzy",
    ],
  ])('%j contradicts itself', (text, message) => {
    expect(() => index(text)).toThrow(message);
  });
});
