import * as fc from 'fast-check';
import { parseTextFormat } from '../../../../common/p4runtime/text-format';
import type { TreeField, TreeValue } from '../../../../common/p4runtime/message-encoder';

/** The tree as nested arrays: [name, value] with bytes in latin1, to compare at a glance. */
const plain = (fields: readonly TreeField[]): unknown =>
  fields.map(({ name, value }) => [name, plainValue(value)]);

function plainValue(value: TreeValue): unknown {
  if (value.kind === 'word') return value.text;
  return value.kind === 'bytes'
    ? `"${Buffer.from(value.bytes).toString('latin1')}"`
    : plain(value.fields);
}

const read = (text: string): unknown => plain(parseTextFormat(text));

describe('the text form of protobuf', () => {
  test.each([
    [
      'scalars of all kinds',
      'a: 1 b: -2 c: true d: EXACT e: 0x1F',
      [
        ['a', '1'],
        ['b', '-2'],
        ['c', 'true'],
        ['d', 'EXACT'],
        ['e', '0x1F'],
      ],
    ],
    ['nested messages', 'a { b { c: 1 } }', [['a', [['b', [['c', '1']]]]]]],
    ['messages in angle brackets', 'a < b: 1 >', [['a', [['b', '1']]]]],
    ['a colon before a message', 'a: { b: 1 }', [['a', [['b', '1']]]]],
    [
      'empty messages',
      'a { } b: <>',
      [
        ['a', []],
        ['b', []],
      ],
    ],
    [
      'lists of scalars',
      'a: [1, 2, 3]',
      [
        ['a', '1'],
        ['a', '2'],
        ['a', '3'],
      ],
    ],
    [
      'lists of messages',
      'a [{ b: 1 }, <b: 2>]',
      [
        ['a', [['b', '1']]],
        ['a', [['b', '2']]],
      ],
    ],
    ['empty lists', 'a: []', []],
    [
      'repeated fields',
      'a: 1\na: 2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      'separators',
      'a: 1, b: 2; c { d: 3; }',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', [['d', '3']]],
      ],
    ],
    ['comments', '# first\na: 1 # second\n#third', [['a', '1']]],
    [
      'both kinds of quotes',
      `a: "it's" b: 'so "called"'`,
      [
        ['a', `"it's"`],
        ['b', '"so "called""'],
      ],
    ],
    ['strings side by side', 'a: "one" \'two\'\n"three"', [['a', '"onetwothree"']]],
    ['a hash in a string', 'a: "#1"', [['a', '"#1"']]],
    ['nothing', ' \n ', []],
  ])('%s are read', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ['"\\000\\001\\12\\377"', [0, 1, 10, 255]],
    ['"\\x41\\xfF"', [0x41, 0xff]],
    ['"\\a\\b\\t\\n\\v\\f\\r"', [7, 8, 9, 10, 11, 12, 13]],
    ['"\\\\ \\" \\\' \\?"', [92, 32, 34, 32, 39, 32, 63]],
    ['"ä"', [0xc3, 0xa4]],
    ['"\\u00e4\\U0001F600"', [0xc3, 0xa4, 0xf0, 0x9f, 0x98, 0x80]],
    ['"\\0012"', [1, 0x32]],
  ])('the escapes in %s are bytes', (literal, expected) => {
    const [field] = parseTextFormat(`a: ${literal}`);
    expect(field?.value.kind === 'bytes' ? [...field.value.bytes] : undefined).toEqual(expected);
  });

  test.each([
    ['a: "x', 'line 1: this string never ends'],
    ['\n\na 1', "line 3: wanted ':' or '{' after 'a', found '1'"],
    ['a {\n b: 1', "line 2: wanted a field or '}', found the end"],
    ['a: {b: 1>', "line 1: wanted a field or '}', found '>'"],
    ['a: }', "line 1: wanted a value, found '}'"],
    ['a: [1 2]', "line 1: wanted ',' or ']', found '2'"],
    ['}', "line 1: wanted a field, found '}'"],
    ['"x": 1', 'line 1: wanted a field, found a string'],
    ['a: @', "line 1: wanted a field, a value or a bracket, found '@'"],
    ['a: "\\q"', 'line 1: unknown escape \\q'],
    ['a: "\\777"', 'line 1: \\777 is more than a byte'],
    ['a: "\\U00110000"', 'line 1: unknown escape \\U00110000'],
  ])('%j is refused with its line', (text, message) => {
    expect(() => parseTextFormat(text)).toThrow(message);
  });

  test('the place of every field is its line', () => {
    const [first, second] = parseTextFormat('# one\na: 1\nb {\n}\n');
    expect([first?.where, second?.where]).toEqual(['line 2', 'line 3']);
  });

  test('any bytes survive as octal escapes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (content) => {
        const escapes = [...content].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
        const [field] = parseTextFormat(`a: "${escapes.join('')}"`);
        expect(field?.value).toEqual({ kind: 'bytes', bytes: content });
      }),
    );
  });

  test('any tree survives being written out', () => {
    const { tree } = fc.letrec<{ tree: unknown[]; field: [string, unknown] }>((tie) => ({
      tree: fc.array(tie('field'), { maxLength: 4, depthIdentifier: 'tree' }),
      field: fc.tuple(
        fc.stringMatching(/^[a-z_]{1,8}$/),
        fc.oneof({ depthIdentifier: 'tree' }, fc.stringMatching(/^[0-9]{1,9}$/), tie('tree')),
      ),
    }));
    const write = (fields: unknown[]): string =>
      (fields as [string, unknown][])
        .map(([name, value]) =>
          typeof value === 'string'
            ? `${name}: ${value}`
            : `${name} { ${write(value as unknown[])} }`,
        )
        .join('\n');
    fc.assert(fc.property(tree, (fields) => expect(read(write(fields))).toEqual(fields)));
  });
});
