import { InputError } from '../../../../../common/errors';
import { readOutline } from '../../../../../switch/stf/run/outline';
import { programJson } from '../../../../p4/support/test-programs';

describe('the outline of a program', () => {
  test('has tables with keys, widths and actions', () => {
    const { tables } = readOutline(programJson('tbl_exact'));
    expect(tables).toMatchObject([
      {
        name: 'TestIngress.pairs',
        key: [
          { name: 'hdr.v.a', matchKind: 'exact', width: 16 },
          { name: 'port', matchKind: 'exact', width: 9 },
        ],
        hasPriorities: false,
        actionProfile: undefined,
        actions: [
          {
            name: 'TestIngress.send',
            parameters: [
              { name: 'port', width: 9 },
              { name: 'r', width: 16 },
            ],
          },
          { name: 'TestIngress.discard', parameters: [] },
        ],
      },
    ]);
  });

  test.each([
    ['tbl_lpm', false],
    ['tbl_ternary', true],
    ['tbl_range', true],
    ['tbl_optional', true],
    ['tbl_mixed', true],
    ['tbl_exact_lpm', false],
  ])('knows that entries of %s compete by priority: %s', (program, hasPriorities) => {
    const tables = readOutline(programJson(program)).tables.filter(({ key }) => key.length > 0);
    expect(tables.map((table) => table.hasPriorities)).toEqual([hasPriorities]);
  });

  test('leaves selector fields out of keys and names the profile', () => {
    const { tables, profiles } = readOutline(programJson('tbl_selector'));
    const table = tables.find(({ name }) => name === 'TestIngress.balanced');
    expect(table?.key.map(({ name }) => name)).toEqual(['hdr.v.a']);
    expect(table?.actionProfile).toBe('TestIngress.hops');
    expect(profiles.map(({ name }) => name)).toEqual(['TestIngress.hops']);
    expect(profiles[0]?.actions.map(({ name }) => name)).toEqual(['TestIngress.send', 'NoAction']);
  });

  test('has validity as one bit', () => {
    const table = readOutline(programJson('tbl_validity')).tables.find(({ key }) => key.length > 0);
    expect(table?.key).toEqual([
      { name: 'hdr.t.$valid$', matchKind: 'exact', width: 1 },
      { name: 'hdr.t.x', matchKind: 'exact', width: 8 },
    ]);
  });

  test('has counters, registers, meters, value sets and digests', () => {
    const counters = readOutline(programJson('counters')).counters;
    expect(counters.map(({ name, table }) => [name, table])).toEqual([
      ['TestIngress.by_op', undefined],
      ['TestIngress.volume', undefined],
      ['TestIngress.hits', 'TestIngress.watched'],
    ]);
    const names = (list: readonly { readonly name: string }[]): string[] =>
      list.map(({ name }) => name);
    expect(names(readOutline(programJson('registers')).registers)).toEqual([
      'TestIngress.cells',
      'TestIngress.wide',
    ]);
    expect(names(readOutline(programJson('meter_packets')).meters)).toEqual(['TestIngress.limits']);
    expect(readOutline(programJson('parser_value_set')).valueSets).toEqual([
      { name: 'TestParser.trill', width: 16 },
    ]);
    expect(names(readOutline(programJson('digest')).digests)).toEqual(['learned_t']);
  });

  test.each(['', '{}', '[1]'])('is not read from %j', (text) => {
    expect(() => readOutline(text)).toThrow(InputError);
  });
});
