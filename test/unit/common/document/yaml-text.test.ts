import { InputError } from '../../../../common/errors';
import { readYaml } from '../../../../common/document/yaml-text';

/** Ten parts, and lines each of which repeats the line before ten times. */
function bomb(lines: number): string {
  const names = Array.from({ length: lines }, (_, i) => `p${i}`);
  const tenTimes = (text: string): string =>
    `[${Array.from({ length: 10 }, () => text).join(', ')}]`;
  return names
    .map((name, i) => `${name}: &${name} ${tenTimes(i === 0 ? 'x' : `*${names[i - 1] ?? ''}`)}\n`)
    .join('');
}

function refusal(text: string): string {
  try {
    readYaml(text, 'bomb.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  return 'accepted';
}

describe('text of YAML', () => {
  test('may repeat parts by aliases', () => {
    const { value } = readYaml('rate: &r 10\nlinks: [{ rate: *r }, { rate: *r }]\n', 'links.yaml');
    expect(value).toEqual({ rate: 10, links: [{ rate: 10 }, { rate: 10 }] });
  });

  test('has zeros without a sign', () => {
    const { value } = readYaml('a: -0\nb: [-0.0, { c: -000 }]\n', 'zeros.yaml');
    expect(value).toStrictEqual({ a: 0, b: [0, { c: 0 }] });
  });

  test('may have brackets and dashes in its words', () => {
    const words = `a: ${'[{'.repeat(80)}`.replace('a: ', 'a: x');
    const text = `${words}\nb: "${'['.repeat(200)}"\nc: ${'-'.repeat(300)}\n`;
    expect(readYaml(text, 'words.yaml').value).toMatchObject({ b: '['.repeat(200) });
  });

  test('is refused with its line in one sentence, without what stands there', () => {
    const message = refusal('a: 1\nb: [1, 2\nc: }');
    expect(message).toMatch(/^bomb\.yaml:[23]: [A-Z][^\n]*$/);
    expect(message).not.toMatch(/line \d|c: }/);
  });

  test('is no capture or program', () => {
    expect(refusal('\u0000\u0001: {\n\u0002')).toBe('bomb.yaml:2: is no text: wanted YAML or JSON');
  });

  test('may have parts as keys, which is no reason to warn beside what refuses them', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { value } = readYaml('? [a, b]\n: c\n', 'keys.yaml');
    expect(Object.values(value as object)).toEqual(['c']);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('row 14: whose aliases stand for more than a memory holds is refused with its line', () => {
    expect(refusal(bomb(9))).toBe(
      'bomb.yaml:2: aliases repeat more than 100 parts: write fewer of them, or the parts',
    );
  });

  test.each([
    [2, 'a: 1\nb: *c\n', '*c stands for nothing: wanted &c before it'],
    [2, 'b: [1,\n  *c, &c 2]\n', '*c stands for nothing: wanted &c before it'],
    [1, 'a: &a\u0000 1\n? [&a\u0000b c]\n: *d\n', 'Anchor must not contain whitespace'],
    [2, 'a: 1\n? {&a\u00a0b c: 1}\n: 0\n', 'Anchor must not contain whitespace'],
  ])(
    'with a name of a part that means nothing is refused with line %d: %j',
    (line, text, sentence) => {
      expect(refusal(text).startsWith(`bomb.yaml:${line}: ${sentence}`)).toBe(true);
    },
  );

  test.each([
    ['brackets', (n: number) => '['.repeat(n) + ']'.repeat(n)],
    ['dashes of a line', (n: number) => `${'- '.repeat(n)}a`],
    ['dashes behind spaces', (n: number) => `a:\n${' '.repeat(16)}${'- '.repeat(n - 2)}b`],
  ])('may have a hundred levels of %s, and no more', (_, text) => {
    expect(refusal(text(100))).toBe('accepted');
    expect(refusal(text(102))).toMatch(/^bomb\.yaml: wanted parts within parts to a depth of 100/);
  });

  test.each([
    ['an alias within its own anchor', 'a: &a\n  b: *a\n'],
    ['two hundred brackets', `a: ${'['.repeat(200)}${']'.repeat(200)}\n`],
    ['a page of brackets', '['.repeat(200_000)],
    ['a page of dashes', '- '.repeat(100_000)],
    ['a line far to the right', `a:\n${' '.repeat(100_000)}b: c\n`],
  ])('with %s is refused in one sentence', (_, text) => {
    expect(refusal(text)).toMatch(/^bomb\.yaml:?\d*: .*$/);
  });
});

test.each([
  ['YAML', Array.from({ length: 20_000 }, (_, i) => `key${i}: ${i}`).join('\n')],
  [
    'JSON',
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]))),
  ],
])(
  'attack 15: a map of 20,000 keys in %s is read without comparing each with all',
  (_name, text) => {
    const cpu = process.cpuUsage();
    expect(Object.keys(readYaml(text, 'a.yaml').value as object)).toHaveLength(20_000);
    // Comparing all pairs takes ten times as long.
    expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(8);
  },
);

test('attack 15: a document of 100 MB is refused at once, with what it may have', () => {
  expect(() => readYaml('a: 1\n'.repeat(20_000_000), 'a.yaml')).toThrow(
    'a.yaml: has 100000000 characters, and a document has at most 4000000',
  );
});

test.each(['a: 1\nb: 2\na: 3', '{"a": 1,\n"b": 2,\n"a": 3}'])(
  'a key that a map has already is refused: %j',
  (text) => {
    expect(() => readYaml(text, 'a.yaml')).toThrow('a.yaml:3: Map keys must be unique: a');
  },
);
