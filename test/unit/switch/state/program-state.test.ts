import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { ProgramState } from '../../../../switch/state/program-state';
import { programText } from '../support/program';
import type { ActionSpec, ProgramSpec, TableSpec } from '../support/program';

const set: ActionSpec = { id: 4, name: 'set', parameters: [['value', 8]] };
const none: ActionSpec = { id: 6, name: 'NoAction' };

const stateOf = (spec: ProgramSpec): ProgramState =>
  new ProgramState(readProgram(programText({ metadata: [['x', 8]], ...spec })));

const withTable = (over: Partial<TableSpec>): ProgramState =>
  stateOf({
    ingress: {
      start: 't',
      tables: [{ name: 't', actions: [set, none], defaultAction: [6], ...over }],
    },
  });

const constant = (matchKey: object, value: string, priority?: number): object => ({
  match_key: [matchKey],
  action_entry: { action_id: 4, action_data: [value] },
  ...(priority === undefined ? {} : { priority }),
});

describe('tables', () => {
  test('are known by name, with the kinds and widths of their keys in order', () => {
    const key = [
      ['exact', 'm.x'],
      ['ternary', 'standard_metadata.ingress_port'],
      ['exact', 'm.$valid$'],
    ] as const;
    const table = withTable({ key, matchType: 'ternary' }).tables.get('t');
    expect(table?.matchKinds).toEqual(['exact', 'ternary', 'exact']);
    expect(table?.keyWidths).toEqual([8, 9, 1]);
    expect(table?.size).toBe(1024);
  });

  test('leave keys out that only a selector reads', () => {
    const key = [
      ['exact', 'm.x'],
      ['selector', 'standard_metadata.ingress_port'],
    ] as const;
    expect(withTable({ key }).tables.get('t')?.matchKinds).toEqual(['exact']);
  });

  test('start with the default action of the program', () => {
    const state = withTable({ defaultAction: [4, '0x1ff'] });
    // The value is cut to the 8 bits of the parameter.
    expect(state.tables.get('t')?.defaultAction).toEqual({ actionId: 4, arguments: [0xffn] });
  });

  test.each(['action_const', 'action_entry_const'])('%s makes the default constant', (key) => {
    const default_entry = { action_id: 6, action_data: [], [key]: true };
    const table = withTable({ extra: { default_entry } }).tables.get('t');
    expect(() => table?.setDefault({ actionId: 6, arguments: [] })).toThrow('constant');
  });

  test('of ingress and egress are all there', () => {
    const state = stateOf({
      ingress: { start: 'a', tables: [{ name: 'a', actions: [none] }] },
      egress: { start: 'b', tables: [{ name: 'b', actions: [set] }] },
    });
    expect([...state.tables.keys()]).toEqual(['a', 'b']);
    expect(state.tableAction('b', 'set')).toMatchObject({ id: 4, name: 'set' });
    expect(state.tableAction('a', 'set')).toBeUndefined();
    expect(state.tableAction('c', 'set')).toBeUndefined();
  });
});

describe('entries of the program', () => {
  test('have ranks of which the smaller wins; as priorities the larger does', () => {
    const entries = [
      constant({ match_type: 'ternary', key: '0x10', mask: '0xf0' }, '0x01', 2),
      constant({ match_type: 'ternary', key: '0x12', mask: '0xff' }, '0x02', 1),
      constant({ match_type: 'ternary', key: '0x00', mask: '0x00' }, '0x03', 3),
    ];
    const key = [['ternary', 'm.x']] as const;
    const table = withTable({ key, matchType: 'ternary', extra: { entries } }).tables.get('t');
    const found = [0x12n, 0x13n, 0x99n].map((x) => table?.lookup([x])?.action);
    const calls = [2n, 1n, 3n].map((value) => ({
      kind: 'call',
      call: { actionId: 4, arguments: [value] },
    }));
    expect(found).toEqual(calls);
    expect([...(table?.entries() ?? [])].map((entry) => entry.priority)).toEqual([
      2 ** 31 - 3,
      2 ** 31 - 2,
      2 ** 31 - 4,
    ]);
  });

  test('of equal rank compete by their order', () => {
    const entries = [
      constant({ match_type: 'ternary', key: '0x10', mask: '0xf0' }, '0x01', 5),
      constant({ match_type: 'ternary', key: '0x02', mask: '0x0f' }, '0x02', 5),
    ];
    const key = [['ternary', 'm.x']] as const;
    const table = withTable({ key, matchType: 'ternary', extra: { entries } }).tables.get('t');
    expect(table?.lookup([0x12n])?.action).toMatchObject({ call: { arguments: [0x01n] } });
  });

  const kinds = [
    { kind: 'exact', entry: { key: '0x05' }, hit: 5n, miss: 6n },
    { kind: 'lpm', entry: { key: '0x5f', prefix_length: 4 }, hit: 0x52n, miss: 0x62n },
    { kind: 'range', entry: { start: '0x5', end: '0x7' }, hit: 7n, miss: 8n },
    { kind: 'ternary', entry: { key: '0x5' }, hit: 5n, miss: 6n },
  ];
  test.each(kinds)('may match by $kind', ({ kind, entry, hit, miss }) => {
    const entries = [constant({ match_type: kind, ...entry }, '0x01')];
    const key = [[kind, 'm.x']] as const;
    const table = withTable({ key, matchType: kind, extra: { entries } }).tables.get('t');
    expect(table?.lookup([hit])).toBeDefined();
    expect(table?.lookup([miss])).toBeUndefined();
  });

  test('cannot be changed', () => {
    const entries = [constant({ match_type: 'exact', key: '0x05' }, '0x01')];
    const table = withTable({ key: [['exact', 'm.x']], extra: { entries } }).tables.get('t');
    const remove = (): void => table?.delete([{ kind: 'exact', value: 5n }], 0);
    expect(remove).toThrow('constant');
  });
});

describe('action profiles', () => {
  const table = (name: string, action: ActionSpec): TableSpec => ({
    name,
    key: [['exact', 'm.x']],
    type: 'indirect',
    actions: [action],
    extra: { action_profile: 'p' },
  });

  test('know the actions of all tables that use them', () => {
    const state = stateOf({
      ingress: {
        start: 'a',
        tables: [table('a', set), table('b', none)],
        profiles: [{ name: 'p', id: 0, max_size: 16 }],
      },
    });
    const profile = state.actionProfiles.get('p');
    expect(profile?.withSelector).toBe(false);
    expect(profile?.size).toBe(16);
    expect(state.profileAction('p', 'set')?.id).toBe(4);
    expect(state.profileAction('p', 'NoAction')?.id).toBe(6);
    expect(state.profileAction('p', 'other')).toBeUndefined();
    expect(state.tables.get('a')?.actionProfile).toBe('p');
  });
});

describe('other state', () => {
  test('registers and indirect counters are known by name; direct counters are not arrays', () => {
    const state = stateOf({
      extra: {
        register_arrays: [{ name: 'r', id: 0, size: 3, bitwidth: 5 }],
        counter_arrays: [
          { name: 'direct', id: 0, is_direct: true, binding: 't' },
          { name: 'c', id: 1, is_direct: false, size: 7 },
        ],
      },
    });
    expect(state.registers.get('r')).toMatchObject({ size: 3, width: 5 });
    expect([...state.counters.keys()]).toEqual(['c']);
    expect(state.counters.get('c')?.size).toBe(7);
    expect(state.action(4)).toBeUndefined();
  });
});
