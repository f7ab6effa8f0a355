import { resolveKeyField, resolveName } from '../../../../../switch/stf/run/resolve-name';

const named = (...names: string[]) => names.map((name) => ({ name }));
const key = (...names: string[]) =>
  names.map((name) => ({ name, matchKind: 'exact' as const, width: 8 }));

describe('the name of an object', () => {
  test('is first of all exact, then the only ending', () => {
    const all = named('ingress.t', 't', 'egress.table1');
    expect(resolveName(all, 't', 'table')).toEqual({ name: 't' });
    expect(resolveName(all, 'ingress.t', 'table')).toEqual({ name: 'ingress.t' });
    expect(resolveName(all, 'able1', 'table')).toEqual({ name: 'egress.table1' });
  });

  test('must be the ending of one object only', () => {
    expect(resolveName(named('a.t', 'b.t'), 't', 'table')).toEqual({
      problem: "wanted one table, found that 't' could be any of a.t, b.t",
    });
  });

  test('must be known', () => {
    expect(resolveName(named('a', 'b'), 'c', 'counter')).toEqual({
      problem: "wanted a counter, found 'c'; there are: a, b",
    });
    expect(resolveName([], 'c', 'meter')).toEqual({
      problem: "wanted a meter, found 'c'; there are: none",
    });
  });
});

describe('the name of a key field', () => {
  test.each([
    ['hdr.a.x', ['hdr.a.x', 'hdr.b.x'], 0],
    ['hdr.b.x', ['hdr.a.x', 'hdr.b.x'], 1],
    // The last one that fits counts, as in bmv2's runner.
    ['x', ['hdr.a.x', 'hdr.b.x'], 1],
    ['a.x', ['hdr.a.x', 'hdr.b.x'], 0],
    ['a', ['a$', 'b'], 0],
    ['hdr.a', ['hdr.a.$valid$'], 0],
    ['hdr.a.valid', ['hdr.x', 'hdr.a.$valid$'], 1],
    ['valid', ['hdr.x', 'hdr.a.$valid$'], 1],
    ['valid', ['$valid$'], 0],
    ['hdr.s$2.x', ['hdr.s[2].x'], 0],
    ['b', ['a.b$'], 0],
    ['y', ['hdr.x'], -1],
    ['dr.x', ['hdr.x'], -1],
  ])('%s among %j is number %i', (text, names, position) => {
    expect(resolveKeyField(key(...names), text)).toBe(position);
  });
});
