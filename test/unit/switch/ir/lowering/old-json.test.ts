import { readProgram } from '../../../../../switch/ir/lowering/read-program';
import { withFormOfToday } from '../../../../../switch/ir/lowering/old-json';

type Json = Record<string, unknown>;

const TABLE: Json = {
  name: 't',
  id: 0,
  match_type: 'exact',
  type: 'simple',
  max_size: 8,
  key: [{ match_type: 'exact', target: ['b', 'x'], mask: null }],
  actions: ['to2', 'drop_it'],
  next_tables: { to2: null, drop_it: null },
};

/** A program as p4c-bm wrote it. */
const program = (table: Json = TABLE, more: Json = {}): Json => ({
  header_types: [
    {
      name: 'standard_metadata',
      fields: [
        ['ingress_port', 9],
        ['egress_spec', 9],
        ['egress_port', 9],
        ['_pad', 5],
      ],
    },
    { name: 'b_t', fields: [['x', 8]] },
  ],
  headers: [
    { name: 'standard_metadata', id: 0, header_type: 'standard_metadata', metadata: true },
    { name: 'b', id: 1, header_type: 'b_t' },
  ],
  parsers: [
    {
      name: 'parser',
      init_state: 'start',
      parse_states: [
        {
          name: 'start',
          parser_ops: [{ op: 'extract', parameters: [{ type: 'regular', value: 'b' }] }],
          transition_key: [],
          transitions: [{ value: 'default', mask: null, next_state: null }],
        },
      ],
    },
  ],
  deparsers: [{ name: 'deparser', order: ['b'] }],
  actions: [
    {
      name: 'to2',
      id: 7,
      runtime_data: [],
      primitives: [
        {
          op: 'modify_field',
          parameters: [
            { type: 'field', value: ['standard_metadata', 'egress_spec'] },
            { type: 'hexstr', value: '0x2' },
          ],
        },
      ],
    },
    { name: 'drop_it', id: 8, runtime_data: [], primitives: [{ op: 'drop', parameters: [] }] },
  ],
  pipelines: [
    { name: 'ingress', init_table: 't', tables: [table], conditionals: [] },
    { name: 'egress', init_table: null, tables: [], conditionals: [] },
  ],
  ...more,
});

const read = (json: Json): ReturnType<typeof readProgram> => readProgram(JSON.stringify(json));

describe('JSON of older compilers', () => {
  test('needs no version, no ids in tables and no next node of a miss', () => {
    const { tables, actions } = read(program());
    expect(tables[0]?.actionIds).toEqual([7, 8]);
    expect(actions.get(7)?.name).toBe('to2');
  });

  test('needs no ids of actions where none has one', () => {
    const nameless = (program()['actions'] as Json[]).map(({ id: _id, ...action }) => action);
    const { tables, actions } = read(program(TABLE, { actions: nameless }));
    expect(tables[0]?.actionIds).toEqual([0, 1]);
    expect([0, 1].map((id) => actions.get(id)?.name)).toEqual(['to2', 'drop_it']);
  });

  test('is refused where some have ids and some have none', () => {
    const [first, ...others] = program()['actions'] as Json[];
    const { id: _id, ...without } = first as Json;
    expect(() => read(program(TABLE, { actions: [without, ...others] }))).toThrow('actions[0].id');
  });

  test('matches on the validity of a header', () => {
    const key = [{ match_type: 'valid', target: 'b', mask: null }];
    const [table] = read(program({ ...TABLE, key })).tables;
    expect(table?.key).toMatchObject([{ name: 'b', matchKind: 'exact', width: 1 }]);
  });

  test('declares action profiles in tables, one for all that name it', () => {
    const selector = { algo: 'crc16', input: [{ type: 'field', value: ['b', 'x'] }] };
    const indirect = { ...TABLE, type: 'indirect_ws', act_prof_name: 'p', selector };
    const pipelines = [
      {
        name: 'ingress',
        init_table: 't',
        tables: [indirect, { ...indirect, name: 'u', id: 1 }],
        conditionals: [],
      },
      { name: 'egress', init_table: null, tables: [] },
    ];
    const { actionProfiles, tables } = read(program(TABLE, { pipelines }));
    expect(actionProfiles).toMatchObject([{ name: 'p', selector: { algorithm: 'crc16' } }]);
    expect(tables.map(({ actionProfile }) => actionProfile)).toEqual([0, 0]);
  });

  test('that names an action which is not there is refused at its place', () => {
    expect(() => read(program({ ...TABLE, actions: ['none'] }))).toThrow(
      'BMv2 JSON is malformed at pipelines[0].tables[0].action_ids[0]',
    );
  });

  test('of today is not changed', () => {
    const today = { ...program({ ...TABLE, action_ids: [8, 7], base_default_next: 't' }) };
    const [ingress] = (withFormOfToday(today) as { pipelines: [{ tables: [Json] }] }).pipelines;
    expect(ingress.tables[0]).toMatchObject({ action_ids: [8, 7], base_default_next: 't' });
  });

  test.each([null, 7, [], { pipelines: 7 }, { pipelines: [7] }, { pipelines: [{ tables: 7 }] }])(
    'that is none at all ends in one sentence: %j',
    (json) => {
      expect(() => readProgram(JSON.stringify(json))).toThrow('BMv2 JSON is malformed');
    },
  );
});
