import * as fc from 'fast-check';
import { plainValue, typedValue } from '../../../../controller/gnmi/value';
import type { GnmiValue, PlainValue } from '../../../../controller/gnmi/value';
import { parseValue, printValue } from '../../../../controller/gnmi/value-text';
import { readValue, valueMessage } from '../../../../controller/io/gnmi/messages';
import { TypedValue } from '../../../../common/p4runtime/generated/gnmi/gnmi';

const INT_MIN = -(2n ** 63n);
const UINT_MAX = 2n ** 64n - 1n;

describe('a gNMI value', () => {
  test.each<[string, GnmiValue, PlainValue]>([
    ['string:a:b', { kind: 'string', value: 'a:b' }, 'a:b'],
    ['ascii:show', { kind: 'ascii', value: 'show' }, 'show'],
    ['int:-5', { kind: 'int', value: -5n }, -5],
    [`int:${INT_MIN}`, { kind: 'int', value: INT_MIN }, INT_MIN],
    ['uint:9007199254740991', { kind: 'uint', value: 2n ** 53n - 1n }, 2 ** 53 - 1],
    [`uint:${UINT_MAX}`, { kind: 'uint', value: UINT_MAX }, UINT_MAX],
    ['bool:false', { kind: 'bool', value: false }, false],
    ['bytes:00ff', { kind: 'bytes', value: Uint8Array.of(0, 255) }, Uint8Array.of(0, 255)],
    ['proto:', { kind: 'proto', value: Uint8Array.of() }, Uint8Array.of()],
    ['double:-0.1', { kind: 'double', value: -0.1 }, -0.1],
    ['double:Infinity', { kind: 'double', value: Infinity }, Infinity],
    ['float:0.5', { kind: 'float', value: 0.5 }, 0.5],
    ['decimal:-125e-2', { kind: 'decimal', digits: -125n, precision: 2 }, -1.25],
    [
      'leaflist:["uint:1","string:a"]',
      {
        kind: 'leaflist',
        values: [
          { kind: 'uint', value: 1n },
          { kind: 'string', value: 'a' },
        ],
      },
      [1, 'a'],
    ],
    ['json:{"a":[1]}', { kind: 'json', text: '{"a":[1]}' }, { a: [1] }],
    ['json_ietf:"18"', { kind: 'json_ietf', text: '"18"' }, '18'],
    [
      'any:01 type.test/x',
      { kind: 'any', type: 'type.test/x', value: Uint8Array.of(1) },
      Uint8Array.of(1),
    ],
    ['none:', { kind: 'none' }, null],
  ])('%s is read, printed, sent, received and understood', (text, value, plain) => {
    expect(parseValue(text)).toEqual(value);
    expect(printValue(value)).toBe(text);
    const bytes = valueMessage(value).serializeBinary();
    expect(readValue(TypedValue.deserializeBinary(bytes))).toEqual(value);
    expect(plainValue(value)).toEqual(plain);
  });

  test.each<[PlainValue, string]>([
    ['x', 'string:x'],
    [true, 'bool:true'],
    [7, 'uint:7'],
    [-7, 'int:-7'],
    [UINT_MAX, `uint:${UINT_MAX}`],
    [0.5, 'double:0.5'],
    [-0, 'double:-0'],
    [Uint8Array.of(10), 'bytes:0a'],
    [[1, 'a'], 'leaflist:["uint:1","string:a"]'],
    [{ a: 1 }, 'json_ietf:{"a":1}'],
    [null, 'json_ietf:null'],
  ])('%p travels as %s', (plain, text) => {
    expect(printValue(typedValue(plain))).toBe(text);
  });

  test.each([
    ['42', 'json_ietf:42'],
    ['{"a": true}', 'json_ietf:{"a": true}'],
    ['up', 'json_ietf:"up"'],
    ['fd00::1', 'json_ietf:"fd00::1"'],
  ])('%s without a type is JSON', (text, expected) => {
    expect(printValue(parseValue(text))).toBe(expected);
  });

  test.each([
    ['int:1.5', "int value: wanted a whole number, found '1.5'"],
    [`int:${2n ** 63n}`, 'wanted int from -9223372036854775808 to 9223372036854775807'],
    ['uint:-1', 'wanted uint from 0 to 18446744073709551615, found -1'],
    ['bool:yes', "bool value: wanted true or false, found 'yes'"],
    ['bytes:abc', "bytes value: wanted pairs of hexadecimal digits, found 'abc'"],
    ['double:', "double value: wanted a number, found ''"],
    ['decimal:1.5', "decimal value: wanted DIGITSe-PRECISION, found '1.5'"],
    ['leaflist:{}', "leaflist value: wanted a JSON list, found '{}'"],
    ['leaflist:[1]', 'leaflist value: wanted texts such as "uint:1", found'],
    ['json:{', 'json value: wanted JSON: '],
    ['any:01', "any value: wanted HEX TYPE, found '01'"],
  ])('%s is refused', (text, message) => {
    expect(() => parseValue(text)).toThrow(message);
  });

  test('JSON of a device that is malformed is one clear error', () => {
    const value: GnmiValue = { kind: 'json', text: '{]' };
    expect(() => plainValue(value)).toThrow('gNMI json value: wanted JSON: ');
  });

  test('every native value comes back from text and from bytes', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.double(),
      fc.bigInt({ min: INT_MIN, max: UINT_MAX }),
      fc.uint8Array(),
    );
    const plain = fc.oneof(scalar, fc.array(scalar)).map(typedValue);
    fc.assert(
      fc.property(plain, (value) => {
        expect(parseValue(printValue(value))).toEqual(value);
        const bytes = valueMessage(value).serializeBinary();
        expect(readValue(TypedValue.deserializeBinary(bytes))).toEqual(value);
      }),
    );
  });
});
