import * as fc from 'fast-check';
import { joinPaths, parseAssignment, parsePath, printPath } from '../../../../controller/gnmi/path';
import type { GnmiPath, PathElement } from '../../../../controller/gnmi/path';

const at = (...elements: readonly PathElement[]): GnmiPath => ({
  origin: '',
  target: '',
  elements,
});
const el = (name: string, keys: Readonly<Record<string, string>> = {}): PathElement => {
  return { name, keys };
};

describe('the text of a gNMI path', () => {
  test.each<[string, GnmiPath]>([
    ['/', at()],
    ['/interfaces', at(el('interfaces'))],
    ['/a/interface[name=eth0]/state', at(el('a'), el('interface', { name: 'eth0' }), el('state'))],
    ['/a[k=1/0/2]', at(el('a', { k: '1/0/2' }))],
    ['/a[k=x=y[z]', at(el('a', { k: 'x=y[z' }))],
    ['/a[k=x\\]y\\\\]', at(el('a', { k: 'x]y\\' }))],
    ['/a[k=]', at(el('a', { k: '' }))],
    ['/a[j=1][k=2]', at(el('a', { j: '1', k: '2' }))],
    ['/a\\/b/.../*', at(el('a/b'), el('...'), el('*'))],
    ['/oc-if:a', at(el('oc-if:a'))],
    ['openconfig:/a', { ...at(el('a')), origin: 'openconfig' }],
    ['s1@/a', { ...at(el('a')), target: 's1' }],
    ['s1@openconfig:/', { ...at(), origin: 'openconfig', target: 's1' }],
  ])('%s is read, and printed again', (text, path) => {
    expect(parsePath(text)).toEqual(path);
    expect(printPath(path)).toBe(text);
  });

  test('keys are printed by name', () => {
    expect(printPath(parsePath('/a[z=1][b=2]'))).toBe('/a[b=2][z=1]');
  });

  test.each([
    ['', "wanted '/' at offset 0, found the end"],
    ['a', "wanted a path that begins with '/', or a colon at offset 1, found the end"],
    ['/a/', 'wanted a name at offset 3, found the end'],
    ['/a//b', "wanted a name at offset 3, found '/'"],
    ['/a[', 'wanted the name of a key at offset 3, found the end'],
    ['/a[k', "wanted '=' at offset 4, found the end"],
    ['/a[k]', "wanted '=' at offset 4, found ']'"],
    ['/a[k=v', "wanted ']' at offset 6, found the end"],
    ['/a[k=v]b', "wanted '/', '[' or the end at offset 7, found 'b'"],
    ['/a[k=1][k=2]', "wanted key 'k' only once at offset 9, found '='"],
    ['/a]', "wanted '/', '[' or the end at offset 2, found ']'"],
    ['/a\\', 'wanted a character behind the backslash at offset 3, found the end'],
    [':/a', "wanted an origin before the colon at offset 1, found '/'"],
    ['@/a', "wanted a target before the @ at offset 1, found '/'"],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parsePath(text)).toThrow(`gNMI path '${text}': ${message}`);
  });

  test('whatever is printed is read as the same path', () => {
    const word = fc.string({ minLength: 1 });
    const keys = fc.dictionary(word, fc.string(), { maxKeys: 3, noNullPrototype: true });
    const path = fc.record({
      origin: fc.string(),
      target: fc.string(),
      elements: fc.array(fc.record({ name: word, keys })),
    });
    fc.assert(fc.property(path, (each) => expect(parsePath(printPath(each))).toEqual(each)));
  });

  test('any text is a path or one error that says where', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('/[]=\\@:ab')) });
    fc.assert(
      fc.property(text, (each) => {
        try {
          expect(parsePath(printPath(parsePath(each)))).toEqual(parsePath(each));
        } catch (error) {
          expect(String(error)).toMatch(
            /InputError: gNMI path '.*': wanted .* at offset \d+, found/s,
          );
        }
      }),
    );
  });
});

describe('an assignment', () => {
  test('the value begins behind the first equals sign outside of brackets', () => {
    expect(parseAssignment('/a[k=v]/b=x=y')).toEqual({
      path: at(el('a', { k: 'v' }), el('b')),
      value: 'x=y',
    });
    expect(parseAssignment('/=1')).toEqual({ path: at(), value: '1' });
  });

  test('without a value it is refused', () => {
    expect(() => parseAssignment('/a[k=v]')).toThrow("wanted '=' at offset 7, found the end");
  });
});

describe('a path below a prefix', () => {
  test('has the elements of both, and the origin and target of the prefix unless its own', () => {
    const joined = joinPaths(parsePath('s1@oc:/a'), parsePath('/b[k=1]'));
    expect(printPath(joined)).toBe('s1@oc:/a/b[k=1]');
    expect(printPath(joinPaths(parsePath('s1@oc:/'), parsePath('s2@x:/')))).toBe('s2@x:/');
  });
});
