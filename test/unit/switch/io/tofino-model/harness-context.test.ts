import { contextForHarness } from '../../../../../switch/io/tofino-model/harness-context';

const key = (name: string, width: number): object => ({ name, bit_width_full: width });
const value = (name: string, bits: string, mask: string): object => ({
  field_name: name,
  value: bits,
  mask,
});

const VERDICT = {
  name: 'verdict',
  table_type: 'match',
  default_action_handle: 2,
  match_key_fields: [key('cause', 4), key('found', 1)],
  actions: [
    { name: 'NoAction', handle: 1 },
    {
      name: 'drop',
      handle: 2,
      p4_parameters: [{ name: 'cause', default_value: '0x3' }],
      indirect_resources: [
        { access_mode: 'index', parameter_name: 'cause', resource_name: 'drops' },
      ],
    },
  ],
  match_attributes: {
    stage_tables: [
      {
        size: 512,
        stage_table_type: 'ternary_match',
        ternary_indirection_stage_table: {
          pack_format: [
            {
              entries_per_table_word: 8,
              entries: [
                {
                  fields: [
                    { field_name: 'action', source: 'instr' },
                    { field_name: 'counter_addr', source: 'stats_ptr' },
                    { field_name: 'counter_pfe', source: 'stats_ptr' },
                  ],
                },
              ],
            },
          ],
        },
      },
    ],
  },
  static_entries: [
    {
      priority: 0,
      match_key_fields_values: [value('cause', '0x0', '0xc'), value('found', '0x1', '0x1')],
      action_handle: 1,
      action_parameters_values: [],
    },
    {
      priority: 1,
      match_key_fields_values: [value('cause', '0x1', '0xf'), value('found', '0x0', '0x0')],
      action_handle: 2,
      action_parameters_values: [{ parameter_name: 'cause', value: '0x1' }],
    },
  ],
};

const DROPS = {
  name: 'drops',
  table_type: 'statistics',
  stage_tables: [
    { size: 5, stage_table_type: 'statistics', pack_format: [{ entries_per_table_word: 4 }] },
  ],
};

const contextOf = (...tables: readonly object[]): string => JSON.stringify({ tables });

describe('the context for the harness of the Tofino model', () => {
  test('has commands for constant entries in a TCAM and for a default that counts', () => {
    expect(contextForHarness(contextOf(VERDICT, DROPS)).commands).toEqual([
      'add verdict 511 cause:0b00** found:0b1 NoAction()',
      'add verdict 510 cause:0b0001 found:0b* drop(counter_addr:0x80002, counter_pfe:0x80002)',
      'add verdict 0 cause:0b**** found:0b* drop(counter_addr:0x80006, counter_pfe:0x80006)',
    ]);
  });

  test('lacks what the commands say', () => {
    const { json } = contextForHarness(contextOf(VERDICT, DROPS));
    expect(JSON.parse(json)).toMatchObject({
      tables: [
        { static_entries: [], actions: [{}, { p4_parameters: [{ name: 'cause' }] }] },
        DROPS,
      ],
    });
    expect(json).not.toContain('default_value');
  });

  test('keeps tables of other kinds as they are', () => {
    const hashed = {
      ...VERDICT,
      match_attributes: { stage_tables: [{ size: 512, stage_table_type: 'hash_match' }] },
    };
    const { json, commands } = contextForHarness(contextOf(hashed, DROPS));
    expect(JSON.parse(json)).toEqual({ tables: [hashed, DROPS] });
    expect(commands).toEqual([]);
  });
});
