import * as fc from 'fast-check';
import { SplittingMap } from '../../../../../switch/tables/keys/splitting-map';

type Step = readonly [change: 'set' | 'delete', key: number | bigint];

/** Keys of few and of many bits, numbers and bigints, some of which are equal. */
const key = fc.oneof(
  fc.nat(40),
  fc.nat(40).map(BigInt),
  fc.maxSafeNat(),
  fc.bigInt(0n, 2n ** 200n),
);
const step = fc.tuple(fc.constantFrom('set' as const, 'set' as const, 'delete' as const), key);

describe('a map that splits', () => {
  test('holds what a Map holds', () => {
    fc.assert(
      fc.property(fc.array<Step>(step, { maxLength: 200 }), (steps) => {
        const map = new SplittingMap<number | bigint, number>();
        const plain = new Map<number | bigint, number>();
        steps.forEach(([change, each], i) => {
          if (change === 'set') [map, plain].forEach((one) => void one.set(each, i));
          else [map, plain].forEach((one) => void one.delete(each));
        });
        expect(map.size).toBe(plain.size);
        for (const [, each] of steps) expect(map.get(each)).toBe(plain.get(each));
        expect([...map.values()].sort()).toEqual([...plain.values()].sort());
      }),
    );
  });

  test.each([
    ['one after the other', (i: number) => i],
    ['that differ in their high bits', (i: number) => i * 2 ** 30],
    ['of 128 bits', (i: number) => (BigInt(i) << 32n) + (1n << 127n)],
    ['scattered', (i: number) => Math.imul(i, 0x9e37_79b1) >>> 0],
  ])('finds each of 200,000 keys %s', (_, keyOf) => {
    const COUNT = 200_000;
    const map = new SplittingMap<number | bigint, number>();
    for (let i = 0; i < COUNT; i++) map.set(keyOf(i), i);
    for (let i = 0; i < COUNT; i += 3) map.delete(keyOf(i));
    let wrong = 0;
    for (let i = 0; i < COUNT; i++)
      if (map.get(keyOf(i)) !== (i % 3 === 0 ? undefined : i)) wrong += 1;
    expect([wrong, map.size]).toEqual([0, Math.floor((2 * COUNT) / 3)]);
    expect(new Set(map.values()).size).toBe(map.size);
    expect(map.get(keyOf(COUNT))).toBeUndefined();
  });

  test('moves few entries at a time, however many it has', () => {
    const moved: number[] = [];
    const set = Object.getOwnPropertyDescriptor(Map.prototype, 'set') as PropertyDescriptor;
    let sets = 0;
    const counting = function (this: unknown, ...entry: unknown[]): unknown {
      sets += 1;
      return (set.value as (...entry: unknown[]) => unknown).apply(this, entry);
    };
    Object.defineProperty(Map.prototype, 'set', { ...set, value: counting });
    try {
      const map = new SplittingMap<number, number>();
      for (let i = 0; i < 150_000; i++) {
        sets = 0;
        map.set(i, i);
        if (sets > 1) moved.push(sets);
      }
    } finally {
      Object.defineProperty(Map.prototype, 'set', set);
    }
    expect(moved.length).toBeGreaterThan(4);
    expect(Math.max(...moved)).toBeLessThan(5000);
  });
});
