import { canonicalText } from '../../../../emulator/study/cell';

describe('the canonical text of a cell', () => {
  test('does not depend on the order of keys', () => {
    expect(canonicalText({ b: [1, { d: 2, c: 3 }], a: 'x' })).toBe(
      canonicalText({ a: 'x', b: [1, { c: 3, d: 2 }] }),
    );
  });

  test('depends on the order of elements, and on the kind of values', () => {
    expect(canonicalText([1, 2])).not.toBe(canonicalText([2, 1]));
    expect(canonicalText({ a: 1 })).not.toBe(canonicalText({ a: '1' }));
  });

  test('is JSON, in which what is undefined is absent', () => {
    expect(canonicalText({ z: null, y: undefined, x: [undefined] })).toBe('{"x":[null],"z":null}');
  });
});
