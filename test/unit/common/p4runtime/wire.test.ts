import * as fc from 'fast-check';
import { isNativeError } from 'node:util/types';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import {
  P4StructTypeSpec,
  P4TypeInfo,
} from '../../../../common/p4runtime/generated/p4/config/v1/p4types';
import { Table } from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import { TypedValue } from '../../../../common/p4runtime/generated/gnmi/gnmi';

describe('bytes that are no message', () => {
  const read = (...message: number[]) => {
    return () => p4.FieldMatch.deserialize(Uint8Array.from(message));
  };

  test.each([
    ['a number without end', [8, 128]],
    ['a number of eleven bytes', [8, ...new Array<number>(11).fill(255)]],
    ['bytes behind the message', [18, 4, 10, 1, 1]],
    ['a field behind the message inside', [18, 2, 10, 3, 1, 2, 3]],
    ['field 0', [0, 1]],
    ['a group without end', [83]],
  ])('are refused: %s', (_, message) => {
    expect(read(...message)).toThrow(Error);
  });

  test('never hang and never throw anything but errors', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (message) => {
        try {
          p4.WriteRequest.deserialize(message);
        } catch (error) {
          // the decoder of UTF-8 throws errors of Node's own realm, none of the realm of a test
          expect(error instanceof Error || isNativeError(error)).toBe(true);
        }
      }),
      { numRuns: 2000, examples: [[Uint8Array.of(50, 1, 128)]] },
    );
  });
});

describe('generated classes', () => {
  test('read numbers packed and one by one', () => {
    const ids = (...message: number[]) =>
      Table.deserialize(Uint8Array.from(message)).directResourceIds;
    expect(ids(58, 3, 1, 200, 1)).toEqual([1, 200]);
    expect(ids(56, 1, 56, 200, 1)).toEqual([1, 200]);
    const table = new Table({ directResourceIds: [1, 200] });
    expect(Table.deserialize(table.serialize()).directResourceIds).toEqual([1, 200]);
  });

  test('keep one of their scalar alternatives', () => {
    const value = new TypedValue({ stringVal: 'a' });
    value.uintVal = '18446744073709551615';
    expect([value.value, value.hasStringVal]).toEqual(['uintVal', false]);
    expect(TypedValue.deserialize(value.serialize()).uintVal).toBe('18446744073709551615');
  });

  test('know when they hold no alternative', () => {
    expect([new p4.Entity().entity, new TypedValue().value]).toEqual(['none', 'none']);
  });

  test('share no memory with the bytes that they were read from', () => {
    const source = new p4.ActionParam({ paramId: 1, value: Uint8Array.of(1, 2) }).serialize();
    const { value } = p4.ActionParam.deserialize(source);
    source.fill(0);
    expect(value).toEqual(Uint8Array.of(1, 2));
  });

  test.each([0, 1, 127, 128, 16_383, 16_384, 2 ** 21])('hold messages of %d bytes', (length) => {
    const exact = new p4.FieldMatchExact({ value: new Uint8Array(length).fill(7) });
    const entry = new p4.TableEntry({ match: [new p4.FieldMatch({ fieldId: 3, exact })] });
    const [match] = p4.TableEntry.deserialize(entry.serialize()).match;
    expect(match?.exact.value.length).toBe(length);
  });

  test('hold maps of messages', () => {
    const types = new P4TypeInfo();
    types.structs.set('a', new P4StructTypeSpec());
    expect([...P4TypeInfo.deserialize(types.serialize()).structs.keys()]).toEqual(['a']);
  });
});
