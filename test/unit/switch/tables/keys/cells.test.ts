import fc from 'fast-check';
import { BitCells } from '../../../../../switch/tables/keys/bit-cells';
import { HashCells } from '../../../../../switch/tables/keys/hash-cells';

/** Hashes that meet in few cells, and such that do not. */
const hash = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map((n) => n * 64),
  fc.integer(),
);

describe('cells of values by hash', () => {
  test('are a map', () => {
    const change = fc.tuple(fc.constantFrom('add', 'add', 'delete'), hash);
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const cells = new HashCells<number>();
        const map = new Map<number, number>();
        changes.forEach(([what, key], i) => {
          if (what === 'delete') {
            cells.delete(key);
            map.delete(key);
          } else if (!map.has(key)) {
            cells.add(key, i);
            map.set(key, i);
          }
          for (const [, known] of changes) expect(cells.get(known)).toBe(map.get(known));
        });
        expect([...cells.values()].sort()).toEqual([...map.values()].sort());
      }),
    );
  });

  test('find what stands behind a cell that was left, and what has the hash of the last cell', () => {
    const cells = new HashCells<string>();
    cells.add(3, 'a');
    cells.add(7, 'b');
    cells.delete(3);
    expect([cells.get(3), cells.get(7), cells.get(11)]).toEqual([undefined, 'b', undefined]);
    cells.add(3, 'c');
    expect([cells.get(3), cells.get(7), [...cells.values()].sort()]).toEqual([
      'c',
      'b',
      ['b', 'c'],
    ]);
    cells.delete(9);
    expect([...cells.values()].sort()).toEqual(['b', 'c']);
  });

  test('find what has come again behind the cell that it left', () => {
    const cells = new HashCells<string>();
    for (let i = 0; i < 5; i++) cells.add(i, String(i));
    cells.delete(0);
    cells.add(0, 'again');
    expect([cells.get(0), cells.get(1), cells.get(5)]).toEqual(['again', '1', undefined]);
    cells.delete(0);
    expect(cells.get(0)).toBeUndefined();
  });

  test('values that come and go for long need no more room', () => {
    const cells = new HashCells<number>();
    for (let i = 0; i < 10_000; i++) {
      cells.add(i * 4, i);
      expect(cells.get(i * 4)).toBe(i);
      cells.delete(i * 4);
    }
    expect([...cells.values()]).toEqual([]);
  });
});

describe('cells of members by word', () => {
  test('are a map of sets', () => {
    const bit = fc.integer({ min: 0, max: 31 }).map((n) => 1 << n);
    const change = fc.tuple(fc.constantFrom('add', 'add', 'add', 'forget'), hash, bit);
    fc.assert(
      fc.property(fc.array(change, { maxLength: 100 }), (changes) => {
        const cells = new BitCells();
        const map = new Map<number, number>();
        for (const [what, key, member] of changes) {
          if (what === 'add') {
            cells.add(key | 0, member);
            map.set(key | 0, (map.get(key | 0) ?? 0) | member);
          } else {
            cells.forget(member);
            for (const [word, members] of map) {
              if ((members & ~member) === 0) map.delete(word);
              else map.set(word, members & ~member);
            }
          }
          for (const [, known] of changes)
            expect(cells.get(known | 0)).toBe(map.get(known | 0) ?? 0);
          expect(cells.size).toBe(map.size);
        }
      }),
    );
  });
});
