import * as fc from 'fast-check';
import type { DataType } from '../../../../common/p4runtime/data-type';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4data';
import { decodeP4Data, encodeP4Data } from '../../../../common/p4runtime/p4-data';
import { refusedBy } from '../../switch/server/support/refused';

const bit = (width: number): DataType => ({ kind: 'bit', width });
const int = (width: number): DataType => ({ kind: 'int', width });
const bits = (...bytes: number[]): p4.P4Data =>
  new p4.P4Data({ bitstring: Uint8Array.from(bytes) });

describe('P4Data', () => {
  test.each([
    [bit(48), 0n, [0]],
    [bit(48), 256n, [1, 0]],
    [int(16), 127n, [0x7f]],
    [int(16), 128n, [0x00, 0x80]],
    [int(16), 0xffffn, [0xff]],
    [int(16), 0xff7fn, [0xff, 0x7f]],
    [int(16), 0x8000n, [0x80, 0x00]],
    [int(1), 1n, [0xff]],
  ])('of %j and the bits %s is %j', (type, value, bytes) => {
    expect([...encodeP4Data(type, [value]).bitstring]).toEqual(bytes);
    expect(decodeP4Data(type, bits(...bytes), 'x')).toEqual([value]);
  });

  test('booleans and serializable enums have forms of their own', () => {
    expect(encodeP4Data({ kind: 'bool' }, [1n]).bool).toBe(true);
    expect(decodeP4Data({ kind: 'bool' }, new p4.P4Data({ bool: true }), 'x')).toEqual([1n]);
    const kind: DataType = { kind: 'serializable-enum', width: 8 };
    expect([...encodeP4Data(kind, [7n]).enumValue]).toEqual([7]);
    expect(decodeP4Data(kind, encodeP4Data(kind, [7n]), 'x')).toEqual([7n]);
  });

  test('structs and tuples take their leaves in order', () => {
    const type: DataType = {
      kind: 'struct',
      members: [bit(48), { kind: 'tuple', members: [bit(9), { kind: 'bool' }] }],
    };
    const [first, second] = encodeP4Data(type, [1n, 2n, 1n]).struct.members;
    expect([...(first?.bitstring ?? [])]).toEqual([1]);
    const [third, fourth] = second?.tuple.members ?? [];
    expect([...(third?.bitstring ?? []), fourth?.bool]).toEqual([2, true]);
    expect(decodeP4Data(type, encodeP4Data(type, [1n, 2n, 1n]), 'x')).toEqual([1n, 2n, 1n]);
  });

  test.each([
    ['a value too wide', bit(8), bits(1, 0), 'OUT_OF_RANGE'],
    ['an empty value', bit(8), bits(), 'OUT_OF_RANGE'],
    ['an empty signed value', int(8), bits(), 'OUT_OF_RANGE'],
    ['128 in 8 signed bits', int(8), bits(0, 0x80), 'OUT_OF_RANGE'],
    ['-129 in 8 signed bits', int(8), bits(0xff, 0x7f), 'OUT_OF_RANGE'],
    ['a bool for bits', bit(8), new p4.P4Data({ bool: true }), 'INVALID_ARGUMENT'],
    ['bits for a bool', { kind: 'bool' } as const, bits(1), 'INVALID_ARGUMENT'],
    ['nothing', bit(8), new p4.P4Data({}), 'INVALID_ARGUMENT'],
    ['bits for a struct', { kind: 'struct', members: [] } as const, bits(1), 'INVALID_ARGUMENT'],
    [
      'a member too few',
      { kind: 'tuple', members: [bit(8)] } as const,
      new p4.P4Data({ tuple: new p4.P4StructLike({}) }),
      'INVALID_ARGUMENT',
    ],
    ['a varbit', { kind: 'unsupported', what: 'a varbit' } as const, bits(1), 'UNIMPLEMENTED'],
  ])('with %s is refused', (_, type, data, code) => {
    expect(refusedBy(() => decodeP4Data(type, data, 'register'))).toBe(code);
  });

  test('signed values of every width come back', () => {
    const value = fc
      .integer({ min: 1, max: 130 })
      .chain((width) => fc.tuple(fc.constant(width), fc.bigInt(0n, (1n << BigInt(width)) - 1n)));
    fc.assert(
      fc.property(value, ([width, field]) => {
        const type = int(width);
        expect(decodeP4Data(type, encodeP4Data(type, [field]), 'x')).toEqual([field]);
      }),
    );
  });
});
