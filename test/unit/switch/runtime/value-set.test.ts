import { ValueSet } from '../../../../switch/runtime/value-set';

const made = (): ValueSet => new ValueSet('vs', 2, [8, 16]);

describe('a value set', () => {
  test('is empty at first', () => {
    expect(made().has([0n, 0n])).toBe(false);
    expect([...made().members()]).toEqual([]);
  });

  test('splits a concatenated value into its parts', () => {
    const set = made();
    set.add(0x12_3456n);
    expect(set.has([0x12n, 0x3456n])).toBe(true);
    expect(set.has([0x12n, 0x3457n])).toBe(false);
    set.remove(0x12_3456n);
    expect(set.has([0x12n, 0x3456n])).toBe(false);
  });

  test.each([
    [{ kind: 'exact', value: 5n } as const, 5n, 6n],
    [{ kind: 'ternary', value: 0x10n, mask: 0xf0n } as const, 0x1fn, 0x20n],
    [{ kind: 'lpm', value: 0x80n, prefixLength: 1 } as const, 0xffn, 0x7fn],
    [{ kind: 'range', low: 3n, high: 9n } as const, 9n, 10n],
  ])('matches %j', (field, inside, outside) => {
    const set = made();
    set.setMembers([[field, { kind: 'ternary', value: 0n, mask: 0n }]]);
    expect(set.has([inside, 7n])).toBe(true);
    expect(set.has([outside, 7n])).toBe(false);
  });

  test('refuses values twice, too many of them, and those that are not there', () => {
    const set = made();
    set.add(1n);
    expect(() => set.add(1n)).toThrow("value set 'vs' has the value 1");
    set.add(2n);
    expect(() => set.add(3n)).toThrow('holds 2 members');
    expect(() => set.remove(3n)).toThrow('has no value 3');
    expect([...set.members()]).toHaveLength(2);
    set.clear();
    expect([...set.members()]).toEqual([]);
  });

  test('refuses members with other parts', () => {
    expect(() => made().setMembers([[{ kind: 'exact', value: 1n }]])).toThrow(
      "value set 'vs': wanted 2 parts, found 1",
    );
  });
});
