import { InputError } from '../../../../../common/errors';
import { readProgram } from '../../../../../switch/ir/lowering/read-program';
import {
  assign,
  bool,
  field,
  header,
  headerStack,
  hex,
  op,
  primitive,
} from '../../support/json-values';
import { acceptState, alwaysRun, extract, programObject, selectState } from '../../support/program';
import type { Primitive } from '../../support/json-values';
import type { ProgramSpec } from '../../support/program';

const SPEC: ProgramSpec = {
  metadata: [['byte', 8]],
  types: { t: [['x', 8]], u: [['x', 8]] },
  headers: [
    ['a', 't'],
    ['b', 'u'],
  ],
  stacks: [
    ['s', 't', 2],
    ['r', 'u', 2],
  ],
};

const withAction = (...body: Primitive[]): ProgramSpec => ({
  ...SPEC,
  ingress: alwaysRun({ id: 1, name: 'act', body }),
});
const withOperation = (operation: object): ProgramSpec => ({
  ...SPEC,
  states: [acceptState('start', [operation])],
});
const withTable = (extra: object, key: readonly [string, string][] = []): ProgramSpec => ({
  ...SPEC,
  ingress: {
    start: 't',
    tables: [{ name: 't', key, actions: [{ id: 1, name: 'act' }], extra }],
  },
});

/** The message of the one error that loading gives. */
function refusal(json: unknown): string {
  try {
    readProgram(typeof json === 'string' ? json : JSON.stringify(json));
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
}
const refusalOf = (spec: ProgramSpec): string => refusal(programObject(spec));

describe('a construct that is not supported', () => {
  const at = { filename: 'hpcc.p4', line: 120 };

  test('is named with its place in the P4 source', () => {
    const custom = { ...primitive('_Mine_go', hex(0)), source_info: at };
    expect(refusalOf(withAction(custom))).toBe(
      "program uses primitive '_Mine_go' at hpcc.p4:120: not supported",
    );
  });

  test('is named with its path in the JSON when the source is not known', () => {
    expect(refusalOf(withAction(primitive('_Mine_go', hex(64))))).toBe(
      "program uses primitive '_Mine_go' at actions[0].primitives[0]: not supported",
    );
  });

  test('an extern instance', () => {
    const extra = { extern_instances: [{ name: 'n', id: 0, source_info: at }] };
    expect(refusalOf({ ...SPEC, extra })).toBe(
      "program uses extern 'n' at hpcc.p4:120: not supported",
    );
  });

  test('an unknown parser operation', () => {
    const message = refusalOf(withOperation({ op: 'shift_left', parameters: [] }));
    expect(message).toContain("parser operation 'shift_left'");
  });

  test('extraction into a union as a whole', () => {
    const operation = { op: 'extract', parameters: [{ type: 'union', value: 'u' }] };
    expect(refusalOf(withOperation(operation))).toContain("extraction into a 'union'");
  });

  test('a mask on a parser value set', () => {
    const state = selectState('start', [], [field('m.byte')], []);
    const transitions = [{ type: 'parse_vset', value: 'pvs', mask: '0x0f', next_state: null }];
    const message = refusalOf({ ...SPEC, states: [{ ...state, transitions }] });
    expect(message).toContain('a mask on a parser value set');
  });

  test('a jump in a parser state', () => {
    const operation = { op: 'primitive', parameters: [primitive('_jump', hex(1))] };
    expect(refusalOf(withOperation(operation))).toContain("primitive '_jump' outside of an action");
  });

  test('an unknown operator', () => {
    const value = op('frobnicate', hex(1), hex(2));
    expect(refusalOf(withAction(assign('m.byte', value)))).toContain("operator 'frobnicate'");
  });

  test('an operand of unknown type', () => {
    const value = { type: 'extern', value: 'u' };
    expect(refusalOf(withAction(assign('m.byte', value)))).toContain("type 'extern'");
  });

  test('comparison of stacks', () => {
    const value = op('b2d', null, op('==', headerStack('s'), headerStack('s')));
    expect(refusalOf(withAction(assign('m.byte', value)))).toContain('comparison of header stacks');
  });

  test('a width that only running decides', () => {
    const value = op('two_comp_mod', hex(1), field('m.byte'));
    expect(refusalOf(withAction(assign('m.byte', value)))).toContain('where a constant is needed');
  });

  test('a header type whose length is an expression', () => {
    const json = programObject({ types: { t: [['options', '*']] }, headers: [['a', 't']] });
    const types = json['header_types'] as { name: string }[];
    const spoilt = types.map((type) => {
      return type.name === 't' ? { ...type, length_exp: {}, max_length: 8 } : type;
    });
    const message = refusal({ ...json, header_types: spoilt });
    expect(message).toContain("the length expression of header type 't'");
  });

  test.each([
    ['another kind of table', { type: 'indirect_magic' }, "table of type 'indirect_magic'"],
    ['another match kind', { match_type: 'fuzzy' }, "match kind 'fuzzy'"],
  ])('%s', (_name, extra, construct) => {
    expect(refusalOf(withTable(extra))).toContain(construct);
  });

  test('a validity key of P4-14', () => {
    expect(refusalOf(withTable({}, [['valid', 'a.$valid$']]))).toContain("match kind 'valid'");
  });

  test('an unknown hash algorithm', () => {
    const extra = { calculations: [{ name: 'c', id: 0, algo: 'random', input: [] }] };
    expect(refusalOf({ ...SPEC, extra })).toContain("hash algorithm 'random'");
  });

  test('fields behind the payload of a checksum', () => {
    const input = [{ type: 'payload', value: null }, field('m.byte')];
    const extra = { calculations: [{ name: 'c', id: 0, algo: 'csum16', input }] };
    expect(refusalOf({ ...SPEC, extra })).toContain('fields behind the payload');
  });

  test('jumps in the deparser and second parsers', () => {
    const jump = primitive('_jump', hex(1));
    const deparsers = [{ name: 'd', id: 0, order: [], primitives: [jump] }];
    expect(refusalOf({ ...SPEC, extra: { deparsers } })).toContain("primitive '_jump' outside");
    const parser = { name: 'p', init_state: null, parse_states: [] };
    const parsers = [parser, { ...parser, name: 'q' }];
    expect(refusalOf({ ...SPEC, extra: { parsers } })).toContain("second parser 'q'");
  });
});

describe('a program that refers to what it does not declare', () => {
  const list = (id: number): Primitive['parameters'][number] => hex(id);

  test.each([
    ['a field list', primitive('resubmit', list(3)), 'field list 3 is not declared'],
    ['a field list', primitive('recirculate', list(3)), 'field list 3 is not declared'],
    [
      'a clone of a field list',
      primitive('clone_ingress_pkt_to_egress', hex(1), list(3)),
      'field list 3 is not declared',
    ],
    ['a digest', primitive('generate_digest', hex(1), list(3)), 'digest 3 is not declared'],
    [
      'a meter array',
      primitive('execute_meter', { type: 'meter_array', value: 'n' }, hex(0), field('m.byte')),
      "meter array 'n' is not declared",
    ],
    [
      'a header union',
      primitive('assign_union', { type: 'header_union', value: 'n' }, hex(1)),
      "header union 'n' is not declared",
    ],
    [
      'a stack of header unions',
      primitive('push', { type: 'header_union_stack', value: 'n' }, hex(1)),
      "header union stack 'n' is not declared",
    ],
    ['two varbit fields', primitive('assign_VL', field('a.x'), field('a.x')), 'two varbit fields'],
  ])('%s', (_name, body, message) => {
    expect(refusalOf(withAction(body))).toContain(message);
  });

  test('an action in an action call', () => {
    const extra = { action_calls: [{ name: 'call', id: 0, action_id: 7, next_node: null }] };
    const message = refusalOf({ ...SPEC, ingress: { start: 'call', extra } });
    expect(message).toContain('no action has the id 7');
  });

  test('a direct meter', () => {
    expect(refusalOf(withTable({ direct_meters: 'n' }))).toContain("meter array 'n'");
  });

  test('the largest length of a header with a varbit field', () => {
    const types = { t: [['options', '*']] as const };
    expect(refusalOf({ types, headers: [['a', 't']] })).toContain("no 'max_length'");
  });

  test.each([
    ['a header', extract('a')],
    ['an element of a stack', { op: 'extract', parameters: [{ type: 'stack', value: 's' }] }],
  ])('an extraction of %s that gives its varbit field no width', (_, operation) => {
    const spec: ProgramSpec = {
      types: { t: [['options', '*']] },
      headers: [['a', 't']],
      stacks: [['s', 't', 2]],
      states: [acceptState('start', [operation])],
    };
    const json = programObject(spec);
    const types = (json['header_types'] as { name: string }[]).map((type) =>
      type.name === 't' ? { ...type, max_length: 8 } : type,
    );
    expect(refusal({ ...json, header_types: types })).toContain(
      "extracts 't' with no width of its varbit",
    );
  });
});

describe('a malformed program', () => {
  test('that is no JSON says so', () => {
    expect(refusal('{"program":')).toContain('wanted the BMv2 JSON of a P4 program, found no JSON');
  });

  test('that is no BMv2 JSON names what is missing', () => {
    expect(refusal('{}')).toContain('BMv2 JSON is malformed at header_types');
  });

  test.each([
    [[1, 9], '1.9'],
    [[3, 0], '3.0'],
  ])('of version %j is refused', (version, text) => {
    const json = { ...programObject(SPEC), __meta__: { version } };
    expect(refusal(json)).toBe(`wanted BMv2 JSON of version 2.x, found ${text}`);
  });

  test('a newer minor version is accepted', () => {
    const json = { ...programObject(SPEC), __meta__: { version: [2, 99] } };
    expect(refusal(json)).toBe('accepted');
  });

  const topLevel = ['header_types', 'headers', 'parsers', 'deparsers', 'actions', 'pipelines'];
  test.each(topLevel)('without %s names it', (key) => {
    const members = Object.entries(programObject(SPEC)).filter(([name]) => name !== key);
    expect(refusal(Object.fromEntries(members))).toContain(`BMv2 JSON is malformed at ${key}`);
  });

  test('names the path of the innermost fault', () => {
    const json = { ...programObject(SPEC), headers: [{ name: 'm', id: 0, header_type: 5 }] };
    expect(refusal(json)).toContain('BMv2 JSON is malformed at headers[0].header_type: ');
  });

  const faults: readonly (readonly [string, ProgramSpec, string])[] = [
    ['a field that is not declared', withAction(assign('m.none', hex(1))), "field 'm.none'"],
    ['a header that is not declared', withAction(primitive('add_header', header('z'))), "'z'"],
    ['an odd number of bits', { types: { t: [['x', 7]] }, headers: [['h', 't']] }, '7 bits'],
    ['a wrong number of parameters', withAction(primitive('exit', hex(1))), 'wants 0 parameters'],
    [
      'an unknown parameter',
      withAction(assign('m.byte', { type: 'local', value: 0 })),
      'no parameter 0',
    ],
    ['a jump out of the action', withAction(primitive('_jump', hex(2))), 'out of the action'],
    ['writing to validity', withAction(assign('a.$valid$', hex(1))), 'can be read only'],
    ['writing to a constant', withAction(primitive('assign', hex(1), hex(1))), 'a field to write'],
    ['a header for a number', withAction(assign('m.byte', header('a'))), 'found a header'],
    ['a number for a header', withAction(primitive('add_header', hex(1))), 'wanted a header'],
    ['a bad number', withAction(assign('m.byte', { type: 'hexstr', value: '0xzz' })), '"0xzz"'],
    [
      'assigning between types',
      withAction(primitive('assign_header', header('a'), header('b'))),
      "assigns a 'u' to a 't'",
    ],
    [
      'assigning between stacks of different types',
      withAction(primitive('assign_header_stack', headerStack('s'), headerStack('r'))),
      'stack of another type',
    ],
    [
      'an unknown register array',
      withAction(
        primitive('register_write', { type: 'register_array', value: 'q' }, hex(0), hex(0)),
      ),
      "register array 'q' is not declared",
    ],
    [
      'a counter in place of a register array',
      withAction(
        primitive('register_write', { type: 'counter_array', value: 'q' }, hex(0), hex(0)),
      ),
      'wanted a register_array',
    ],
    ['an exact table with an lpm key', withTable({}, [['lpm', 'm.byte']]), 'exact table'],
    [
      'an lpm table with two lpm keys',
      withTable({ match_type: 'lpm' }, [
        ['lpm', 'm.byte'],
        ['lpm', 'a.x'],
      ]),
      'exactly one lpm key',
    ],
    [
      'an action id that does not exist',
      withTable({ action_ids: [77] }),
      'no action has the id 77',
    ],
    ['an unknown next node', withTable({ base_default_next: 'gone' }), "'gone' is not declared"],
    ['a profile that is missing', withTable({ type: 'indirect' }), 'needs a profile'],
    ['a graph with a cycle', withTable({ base_default_next: 't' }), "comes back to 't'"],
    ['extraction of metadata', withOperation(extract('m')), "metadata 'm' cannot be extracted"],
    [
      'a state that does not exist',
      { ...SPEC, states: [acceptState('start', [], 'gone')] },
      "parser state 'gone'",
    ],
    [
      'a condition that is a stack',
      withOperation({ op: 'verify', parameters: [headerStack('s'), hex(1)] }),
      'wanted a truth value',
    ],
    [
      'a default entry with too few values',
      withTable({ default_entry: { action_id: 1, action_data: ['0x1'] } }),
      "'act' wants 0 values, found 1",
    ],
    [
      'an entry with too few keys',
      withTable({ entries: [{ match_key: [], action_entry: { action_id: 1, action_data: [] } }] }, [
        ['exact', 'm.byte'],
      ]),
      'wanted 1 key fields, found 0',
    ],
  ];
  test.each(faults)('%s is reported', (_name, spec, words) => {
    const message = refusalOf(spec);
    expect(message).toContain('BMv2 JSON is malformed at ');
    expect(message).toContain(words);
  });

  test('two actions with one id are reported', () => {
    const action = { name: 'a', id: 1, runtime_data: [], primitives: [] };
    const json = { ...programObject(SPEC), actions: [action, action] };
    expect(refusal(json)).toContain('two actions have the id 1');
  });

  test('a dropped pipeline or deparser is reported', () => {
    expect(refusalOf({ ...SPEC, extra: { pipelines: [] } })).toContain("no pipeline 'ingress'");
    expect(refusalOf({ ...SPEC, extra: { deparsers: [] } })).toContain('no deparser');
    expect(refusalOf({ ...SPEC, extra: { parsers: [] } })).toContain('no parser');
  });

  test('dropping without standard metadata is reported', () => {
    const types = [{ name: 'm_t', id: 0, fields: [['x', 8]] }];
    const json = {
      ...programObject(withAction(primitive('drop'))),
      header_types: types,
      headers: [{ name: 'm', id: 0, header_type: 'm_t', metadata: true }],
      header_stacks: [],
      field_aliases: [],
      deparsers: [{ name: 'd', id: 0, order: [] }],
    };
    expect(refusal(json)).toContain("needs the field 'standard_metadata.egress_spec'");
  });
});

test('the program of these tests is accepted as it stands', () => {
  expect(refusalOf(SPEC)).toBe('accepted');
  expect(refusalOf(withAction(primitive('assert', bool(true))))).toBe('accepted');
});
