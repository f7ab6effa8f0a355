import {
  Code,
  Identifier,
  code,
  isIdentifier,
  joined,
  operand,
} from '../../../../../switch/codegen/text/code';
import { Names } from '../../../../../switch/codegen/text/names';
import { Writer } from '../../../../../switch/codegen/text/writer';

describe('code', () => {
  test('quotes every string that it is given', () => {
    const text = '"); drop(';
    expect(code`f(${text})`.text).toBe('f("\\"); drop(")');
  });

  test.each([
    [1, '1'],
    [-1, '-1'],
    [2n ** 64n, '18446744073709551616n'],
    [true, 'true'],
    [new Identifier('x'), 'x'],
  ])('renders %s as %s', (part, text) => {
    expect(code`${part}`.text).toBe(text);
  });

  test('keeps code in code as it is', () => {
    expect(code`${code`a + b`} * 2`.text).toBe('a + b * 2');
  });

  test('joins pieces', () => {
    expect(joined([code`a`, code`b`], ' | ').text).toBe('a | b');
    expect(joined([], ', ').text).toBe('');
  });

  test.each([
    ['a', 'a'],
    ['-1', '-1'],
    ['words[ttl]', 'words[ttl]'],
    ['words[total + 1]', 'words[total + 1]'],
    ['f(a)', 'f(a)'],
    ['(a + b)', '(a + b)'],
    ['a + b', '(a + b)'],
    ['(a) + (b)', '((a) + (b))'],
    ['!f(a)', '(!f(a))'],
  ])('%s as an operand is %s', (text, result) => {
    expect(operand(new Code(text)).text).toBe(result);
  });
});

describe('an identifier', () => {
  test.each(['x', '_', '$a', 'hdr_ipv4_ttl'])('may be %s', (text) => {
    expect(isIdentifier(text)).toBe(true);
  });

  test.each(['', '1a', 'a.b', 'a b', 'class', 'arguments'])('may not be %p', (text) => {
    expect(isIdentifier(text)).toBe(false);
    expect(() => new Identifier(text)).toThrow('identifier');
  });
});

describe('mangling', () => {
  test.each([
    ['hdr.ipv4.ttl', 'hdr_ipv4_ttl'],
    ['mpls[1].label', 'mpls_1_label'],
    ['scalars.metadata_t._l4_src_port0', 'scalars_metadata_t__l4_src_port0'],
    ['tmp$0', 'tmp_0'],
    ['f.$valid$', 'f_valid'],
    ['class', '_class'],
    ['0start', '_0start'],
  ])('%s becomes %s', (name, text) => {
    expect(new Names().unique(name).text).toBe(text);
    expect(isIdentifier(text)).toBe(true);
  });

  test('names that fall together get numbers', () => {
    const names = new Names(['taken']);
    const given = ['a.b', 'a_b', 'a[b]', 'taken'].map((name) => names.unique(name).text);
    expect(given).toEqual(['a_b', 'a_b_2', 'a_b_3', 'taken_2']);
    expect(['a_b_5', 'a.b', 'a.b'].map((name) => names.unique(name).text)).toEqual(
      ['a_b_5', 'a_b_4', 'a_b_6'], // the number that somebody's name has is passed over
    );
  });

  test('names of an inner block differ from those outside, not from those of its neighbours', () => {
    const outer = new Names();
    outer.unique('x');
    const inner = [new Names([], outer), new Names([], outer)];
    expect(inner.map((names) => names.unique('x').text)).toEqual(['x_2', 'x_2']);
  });
});

describe('the writer', () => {
  test('indents blocks and puts comments on one line', () => {
    const writer = new Writer();
    writer.comment('two\nlines */');
    writer.block(code`if (a)`, () => writer.line(code`b();`));
    expect(writer.text()).toBe('// two lines */\nif (a) {\n  b();\n}\n');
  });

  test('takes over the lines of another writer at its own depth', () => {
    const inner = new Writer();
    inner.line(code`b();`);
    inner.blank();
    const writer = new Writer();
    writer.block(code`if (a)`, () => writer.append(inner));
    expect(writer.text()).toBe('if (a) {\n  b();\n\n}\n');
  });

  test('knows which variables its lines mention', () => {
    const writer = new Writer();
    writer.line(code`packet.bytes = f(words[0]);`);
    const variables = writer.variables();
    const found = ['words', 'bytes', 'word', 'f', 'packet'].filter((name) => variables.has(name));
    expect(found).toEqual(['words', 'f', 'packet']);
  });
});
