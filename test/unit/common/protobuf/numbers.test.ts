import * as fc from 'fast-check';
import { BinaryWriter } from 'google-protobuf';
import { encodeValue } from '../../../../common/p4runtime/bytestring';
import { MessageReader } from '../../../../common/protobuf/message-reader';
import { MessageWriter } from '../../../../common/protobuf/message-writer';

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const natural = fc.maxSafeNat();
const whole = fc.maxSafeInteger();

/** Reads the only field of a message. */
function only<Value>(bytes: Uint8Array, read: (reader: MessageReader) => Value): Value {
  const reader = new MessageReader(bytes);
  expect(reader.nextField()).toBe(true);
  const value = read(reader);
  expect(reader.nextField()).toBe(false);
  return value;
}

function written(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.getResultBuffer();
}

describe('numbers of google-protobuf', () => {
  test.each<
    [
      string,
      fc.Arbitrary<number>,
      (w: BinaryWriter, n: number) => void,
      (r: MessageReader) => number,
    ]
  >([
    ['sint32', int32, (w, n) => w.writeSint32(1, n), (r) => r.readSint32()],
    ['sint64', whole, (w, n) => w.writeSint64(1, n), (r) => r.readSint64()],
    ['int64', whole, (w, n) => w.writeInt64(1, n), (r) => r.readInt64()],
    ['uint64', natural, (w, n) => w.writeUint64(1, n), (r) => r.readUint64()],
    ['fixed32', uint32, (w, n) => w.writeFixed32(1, n), (r) => r.readFixed32()],
    ['sfixed32', int32, (w, n) => w.writeSfixed32(1, n), (r) => r.readSfixed32()],
    ['fixed64', natural, (w, n) => w.writeFixed64(1, n), (r) => r.readFixed64()],
    ['sfixed64', whole, (w, n) => w.writeSfixed64(1, n), (r) => r.readSfixed64()],
    ['double', fc.double(), (w, n) => w.writeDouble(1, n), (r) => r.readDouble()],
    ['float', fc.float(), (w, n) => w.writeFloat(1, n), (r) => r.readFloat()],
  ])('are read: %s', (_, values, write, read) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(
          only(
            written((writer) => write(writer, value)),
            read,
          ),
        ).toBe(value);
      }),
    );
  });

  test('are written as it writes them', () => {
    fc.assert(
      fc.property(whole, natural, fc.double(), fc.array(natural), (int, uint, real, packed) => {
        const own = new MessageWriter();
        const others = new BinaryWriter();
        for (const writer of [own, others]) {
          writer.writeInt64(1, int);
          writer.writeUint64(2, uint);
          writer.writeDouble(3, real);
          writer.writeFixed64(4, uint);
          writer.writePackedUint64(5, packed);
        }
        expect(own.getResultBuffer()).toEqual(others.getResultBuffer());
      }),
    );
  });
});

describe('a reader', () => {
  const nested = (depth: number): Uint8Array => {
    let bytes = new Uint8Array(0);
    for (let i = 0; i < depth; i++) {
      bytes = written((writer) => writer.writeBytes(1, bytes)) as Uint8Array<ArrayBuffer>;
    }
    return bytes;
  };
  const enterAll = (reader: MessageReader): void => {
    while (reader.nextField()) reader.enter();
  };

  test('goes into a hundred messages inside each other, and no further', () => {
    expect(() => enterAll(new MessageReader(nested(100)))).not.toThrow();
    expect(() => enterAll(new MessageReader(nested(101)))).toThrow('nested deeper than 100');
  });

  test('passes over groups that it does not know, as deep', () => {
    const groups = (depth: number): MessageReader => {
      const begins = new Array<number>(depth).fill(11);
      return new MessageReader(Uint8Array.from([...begins, 16, 1, ...begins.map(() => 12)]));
    };
    const known = only(Uint8Array.of(11, 16, 1, 12), (reader) => {
      reader.skipField();
      return reader.field;
    });
    expect(known).toBe(1);
    const deep = groups(101);
    deep.nextField();
    expect(() => deep.skipField()).toThrow('groups are nested deeper than 100');
  });
});

describe('a writer', () => {
  test.each([
    ['uint32', (writer: MessageWriter) => writer.writeUint32(7, -1)],
    ['int32', (writer: MessageWriter) => writer.writeInt32(7, 2 ** 31)],
    ['uint64', (writer: MessageWriter) => writer.writeUint64String(7, '18446744073709551616')],
    ['int64', (writer: MessageWriter) => writer.writeInt64String(7, '9223372036854775808')],
    ['packed', (writer: MessageWriter) => writer.writePackedUint32(7, [0.5])],
  ])('refuses numbers that do not fit: %s', (_, write) => {
    expect(() => write(new MessageWriter())).toThrow('field 7 of a message wants');
  });

  test('may begin before another one has ended', () => {
    const outer = new MessageWriter();
    outer.writeUint32(1, 1);
    const inner = new MessageWriter();
    inner.writeUint32(1, 2);
    outer.writeBytes(2, inner.getResultBuffer());
    expect([...outer.getResultBuffer()]).toEqual([8, 1, 18, 2, 8, 2]);
  });
});

describe('numbers as bytes, the highest one first', () => {
  const width = fc.integer({ min: 1, max: 256 });

  test('are read however many zeros are in front, and refused where they have more bits', () => {
    const values = fc.tuple(
      width,
      fc.nat({ max: 9 }),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    );
    fc.assert(
      fc.property(values, ([bits, zeros, value]) => {
        const bytes = Uint8Array.from([...new Uint8Array(zeros), ...encodeValue(value)]);
        const message = written((writer) => writer.writeBytes(1, bytes));
        const fits = value < 1n << BigInt(bits);
        expect(only(message, (reader) => reader.readBigEndian(bits))).toBe(
          fits ? value : undefined,
        );
      }),
    );
  });

  test('are none where there are no bytes', () => {
    expect(only(Uint8Array.of(10, 0), (reader) => reader.readBigEndian(8))).toBeUndefined();
  });

  test('are written in the shortest form', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.nat({ max: 63 }),
        (value, shift) => {
          const writer = new MessageWriter();
          writer.writeBigEndian(1, value >> BigInt(shift));
          const bytes = encodeValue(value >> BigInt(shift));
          expect(writer.getResultBuffer()).toEqual(written((other) => other.writeBytes(1, bytes)));
        },
      ),
    );
  });
});

test('what is cut off a message was never written', () => {
  const writer = new MessageWriter();
  writer.append(Uint8Array.of(8, 1));
  const before = writer.length;
  writer.writeBytes(2, new Uint8Array(2000));
  writer.cut(before);
  writer.writeUint32(3, 4);
  expect(writer.getResultBuffer()).toEqual(Uint8Array.of(8, 1, 24, 4));
});
