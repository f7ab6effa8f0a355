import { NameIndex } from '../../../../common/p4runtime/name-index';

const index = new NameIndex('table', [
  { id: 1, name: 'ingress.route.table', alias: 'route.table' },
  { id: 2, name: 'ingress.acl.table', alias: 'acl.table' },
  { id: 3, name: 'ingress.seed', alias: 'seed' },
  { id: 4, name: 'table', alias: 'table' },
]);

describe('names of P4Info objects', () => {
  test.each([
    ['ingress.route.table', 1],
    ['route.table', 1],
    ['acl.table', 2],
    ['seed', 3],
    ['table', 4],
  ])('%s is found by full name, alias or suffix', (name, id) => {
    expect(index.get(name).id).toBe(id);
  });

  test('an unknown name is answered with what there is', () => {
    expect(() => index.get('eed')).toThrow(
      "no table 'eed'; the program has: ingress.route.table, ingress.acl.table, ingress.seed, table",
    );
    expect(() => new NameIndex('counter', []).get('x')).toThrow(
      "no counter 'x'; the program has: none",
    );
  });

  test('a suffix of several names is ambiguous', () => {
    const two = new NameIndex('action', [
      { id: 1, name: 'a.drop', alias: 'a.drop' },
      { id: 2, name: 'b.drop', alias: 'b.drop' },
    ]);
    expect(() => two.get('drop')).toThrow("'drop' may be any of the actions a.drop, b.drop");
  });

  test('objects are found by number', () => {
    expect(index.byNumber(2)?.name).toBe('ingress.acl.table');
    expect(index.byNumber(9)).toBeUndefined();
  });
});
