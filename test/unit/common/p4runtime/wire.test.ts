import * as fc from 'fast-check';
import { BinaryReader, BinaryWriter } from 'google-protobuf';
import { WireReader } from '../../../../common/p4runtime/wire-reader';
import { WireWriter } from '../../../../common/p4runtime/wire-writer';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4TypeInfo } from '../../../../common/p4runtime/generated/p4/config/v1/p4types';
import { Table } from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import { TypedValue } from '../../../../common/p4runtime/generated/gnmi/gnmi';

/** One value of each kind, and how our reader and writer and the library's name it. */
interface Sample {
  readonly kind: keyof typeof KINDS;
  readonly value: never;
}

const uint64 = fc.bigInt(0n, 2n ** 64n - 1n);
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const bytes = fc.uint8Array({ maxLength: 300 });

const KINDS = {
  Uint32: fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
  Int32: fc.integer(),
  Enum: fc.integer(),
  Bool: fc.boolean(),
  Uint64String: uint64.map(String),
  Int64String: int64.map(String),
  Float: fc.float({ noNaN: true }),
  Double: fc.double({ noNaN: true }),
  Bytes: bytes,
  String: fc.string({ unit: 'binary', maxLength: 200 }),
} as const;

const sample = fc.oneof(
  ...Object.entries(KINDS).map(([kind, values]) =>
    (values as fc.Arbitrary<unknown>).map((value) => ({ kind, value }) as Sample),
  ),
);
const fieldNumber = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(2 ** 29 - 1));
const samples = fc.array(fc.record({ field: fieldNumber, sample }), { maxLength: 12 });

const written = (fields: readonly { field: number; sample: Sample }[]): Uint8Array => {
  const writer = new WireWriter();
  for (const { field, sample: each } of fields) writer[`write${each.kind}`](field, each.value);
  return writer.getResultBuffer();
};

describe('messages on the wire', () => {
  test('are written as by the library', () => {
    fc.assert(
      fc.property(samples, (fields) => {
        const library = new BinaryWriter();
        for (const { field, sample: each } of fields) {
          library[`write${each.kind}`](field, each.value);
        }
        expect(written(fields)).toEqual(library.getResultBuffer());
      }),
    );
  });

  test('are read as they were written', () => {
    fc.assert(
      fc.property(samples, (fields) => {
        const reader = new WireReader(written(fields));
        for (const { field, sample: each } of fields) {
          expect(reader.next()).toBe(field);
          expect(reader[`read${each.kind}`]()).toEqual(each.value);
        }
        expect(reader.next()).toBe(0);
      }),
    );
  });

  test('are skipped field by field', () => {
    fc.assert(
      fc.property(samples, (fields) => {
        const reader = new WireReader(written(fields));
        const found: number[] = [];
        for (let field = reader.next(); field !== 0; field = reader.next()) {
          found.push(field);
          reader.skipField();
        }
        expect(found).toEqual(fields.map(({ field }) => field));
      }),
    );
  });

  test.each([0, 1, 127, 128, 129, 16_383, 16_384, 2 ** 21 - 1, 2 ** 21])(
    'have messages of %d bytes inside',
    (length) => {
      const writer = new WireWriter();
      const outer = writer.begin(1);
      const inner = writer.begin(2);
      writer.writeBytes(3, new Uint8Array(length).fill(7));
      writer.end(inner);
      writer.writeUint32(4, 5);
      writer.end(outer);
      const library = new BinaryReader(writer.getResultBuffer());
      const found: unknown[] = [];
      library.nextField();
      library.readMessage({}, () => {
        library.nextField();
        library.readMessage({}, () => {
          library.nextField();
          found.push(library.readBytes().length);
        });
        library.nextField();
        found.push(library.readUint32());
      });
      expect([...found, library.nextField()]).toEqual([length, 5, false]);
    },
  );

  test('do not share memory with the message before', () => {
    const first = written([{ field: 1, sample: { kind: 'Uint32', value: 7 as never } }]);
    const copy = first.slice();
    written([{ field: 2, sample: { kind: 'Uint32', value: 9 as never } }]);
    expect(first).toEqual(copy);
    const source = new p4.ActionParam({ paramId: 1, value: Uint8Array.of(1, 2) }).serialize();
    const { value } = p4.ActionParam.deserialize(source);
    source.fill(0);
    expect(value).toEqual(Uint8Array.of(1, 2));
  });

  test('end an unfinished writer without harm to the next', () => {
    const writer = new WireWriter();
    writer.writeUint32(1, 1);
    const other = new WireWriter();
    other.writeUint32(2, 2);
    expect([writer.getResultBuffer(), other.getResultBuffer()]).toEqual([
      Uint8Array.of(8, 1),
      Uint8Array.of(16, 2),
    ]);
  });
});

describe('bytes that are no message', () => {
  const read = (...message: number[]) => {
    return () => p4.FieldMatch.deserialize(Uint8Array.from(message));
  };

  test.each([
    ['a number without end', [8, 128], 'ends in a number'],
    ['a number of eleven bytes', [8, ...new Array<number>(11).fill(255)], 'too long'],
    ['bytes behind the message', [18, 4, 10, 1, 1], 'ends behind its message'],
    ['a field behind the message inside', [18, 2, 10, 3, 1, 2, 3], 'ends behind its message'],
    ['a number behind the message inside', [34, 2, 16, 128, 1], 'ends in a number'],
    ['field 0', [0, 1], 'the number 0'],
    ['another wire type than the field has', [10, 1, 1], 'the wire type 2, not 0'],
    ['a group', [83, 84], 'unknown wire type 3'],
    ['an unknown field of eight bytes that are not there', [81, 1], 'goes on behind its message'],
    ['an unknown field of four bytes that are not there', [85, 1], 'goes on behind its message'],
  ])('are refused: %s', (_, message, reason) => {
    expect(read(...message)).toThrow(reason);
  });

  test('never hang and never throw anything but errors', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (message) => {
        try {
          p4.WriteRequest.deserialize(message);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('include maps whose entries lack a part', () => {
    expect(() => P4TypeInfo.deserialize(Uint8Array.of(10, 3, 10, 1, 97))).toThrow('lacks a part');
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
});
