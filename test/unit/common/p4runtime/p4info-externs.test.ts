import { leafWidths, resolveDataType } from '../../../../common/p4runtime/data-type';
import type { P4Info } from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import { P4InfoIndex } from '../../../../common/p4runtime/p4info';
import { EXTERNS_P4INFO } from '../../../support/p4runtime/externs-program';

const parse = (text: string): P4Info => parseP4Info(Buffer.from(text), 'text');
const index = new P4InfoIndex(parse(EXTERNS_P4INFO));

/** The type of a register with this type_spec. */
function typeOf(spec: string, types = ''): unknown {
  const text = `registers { preamble { id: 1 name: "r" } type_spec { ${spec} } }
    type_info { ${types} }`;
  return new P4InfoIndex(parse(text)).registers.get('r').dataType;
}

describe('the externs of a P4Info', () => {
  test('counters and meters tell their units, direct ones their tables', () => {
    expect(index.counters.get('rx')).toMatchObject({ size: 8, unit: 'both' });
    const direct = index.directCounters.get('smac_hits');
    expect(index.tables.byNumber(direct.tableId)?.alias).toBe('smac');
    expect(direct.unit).toBe('packets');
    const meterKind = 'two-rate-three-color';
    expect(index.meters.get('police')).toMatchObject({ size: 8, unit: 'bytes', meterKind });
    expect(index.directMeters.get('dmac_rate')).toMatchObject({ unit: 'packets', meterKind });
  });

  test('tables tell of idle timeouts and direct resources', () => {
    expect(index.tables.get('smac').idleTimeouts).toBe(true);
    expect(index.tables.get('dmac').idleTimeouts).toBe(false);
    const resources = [
      index.directCounters.get('dmac_hits').id,
      index.directMeters.get('dmac_rate').id,
    ];
    expect(index.tables.get('dmac').directResourceIds).toEqual(resources);
  });

  test('controller headers tell their fields, and which of them only pad', () => {
    const { fields } = index.packetHeaders.get('packet_out');
    expect(fields.all.map(({ name, width, padding }) => [name, width, padding])).toEqual([
      ['egress_port', 9, false],
      ['_pad', 7, true],
    ]);
  });

  test('a value set has match fields and a size', () => {
    const set = index.valueSets.get('trusted_types');
    expect([set.size, set.matchFields.all.map(({ width }) => width)]).toEqual([4, [16]]);
  });

  test.each([
    ['bitstring { bit { bitwidth: 9 } }', '', { kind: 'bit', width: 9 }],
    ['bitstring { int { bitwidth: 9 } }', '', { kind: 'int', width: 9 }],
    ['bool { }', '', { kind: 'bool' }],
    [
      'serializable_enum { name: "e" }',
      'serializable_enums { key: "e" value { underlying_type { bitwidth: 4 } } }',
      { kind: 'serializable-enum', width: 4 },
    ],
    [
      'new_type { name: "n" }',
      'new_types { key: "n" value { original_type { bitstring { bit { bitwidth: 3 } } } } }',
      { kind: 'bit', width: 3 },
    ],
    [
      'new_type { name: "n" }',
      'new_types { key: "n" value { translated_type { uri: "u" sdn_bitwidth: 32 } } }',
      { kind: 'bit', width: 32 },
    ],
    ['tuple { members { bool { } } }', '', { kind: 'tuple', members: [{ kind: 'bool' }] }],
    ['struct { name: "s" }', '', { kind: 'unsupported', what: "the unknown struct 's'" }],
    ['serializable_enum { name: "e" }', '', { kind: 'unsupported', what: "the unknown enum 'e'" }],
    ['new_type { name: "n" }', '', { kind: 'unsupported', what: "the type 'n'" }],
    ['bitstring { varbit { max_bitwidth: 8 } }', '', { kind: 'unsupported', what: 'a varbit' }],
    ['error { }', '', { kind: 'unsupported', what: "the type of kind 'error'" }],
  ])('%s is resolved', (spec, types, found) => {
    expect(typeOf(spec, types)).toEqual(found);
  });

  test('a digest is a struct of bit fields', () => {
    const { dataType } = index.digests.get('learnt_t');
    expect(leafWidths(dataType)).toEqual([48, 9]);
    expect(resolveDataType(undefined, undefined).kind).toBe('unsupported');
  });
});
