import * as fc from 'fast-check';
import { conditionOf, matches } from '../../../../switch/tables/keys/conditions';
import { PriorityIndex } from '../../../../switch/tables/priority-index';
import type { KeyField } from '../../../../common/p4runtime/key-field';
import type { InstalledEntry } from '../../../../switch/tables/match-index';

/** A list that finds what the index must find: the first entry in order of priority and of arrival. */
class LinearIndex {
  private readonly entries: InstalledEntry[] = [];

  constructor(private readonly widths: readonly number[]) {}

  add(entry: InstalledEntry): void {
    const behind = this.entries.findIndex(({ priority }) => priority < entry.priority);
    this.entries.splice(behind < 0 ? this.entries.length : behind, 0, entry);
  }

  remove(entry: InstalledEntry): void {
    this.entries.splice(this.entries.indexOf(entry), 1);
  }

  find(values: readonly bigint[]): InstalledEntry | undefined {
    return this.entries.find(({ key }) => {
      const conditions = key.map((field, i) => conditionOf(field, this.widths[i] ?? 0));
      return matches(conditions, values);
    });
  }
}

/** Few different bits, at both ends of the field, so that entries overlap and lookups hit. */
const bits = (width: number): fc.Arbitrary<bigint> =>
  fc.tuple(fc.bigInt(0n, 7n), fc.bigInt(0n, 3n)).map(([low, high]) => {
    return BigInt.asUintN(width, low | (high << BigInt(width - 2)));
  });

function field(width: number): fc.Arbitrary<KeyField> {
  const value = bits(width);
  const prefixLength = fc.constantFrom(0, 1, 2, width - 1, width);
  return fc.oneof(
    value.map((each): KeyField => ({ kind: 'exact', value: each })),
    fc
      .tuple(value, value)
      .map(([v, mask]): KeyField => ({ kind: 'ternary', value: v & mask, mask })),
    fc.tuple(value, prefixLength).map(([v, length]): KeyField => {
      const free = BigInt(width - length);
      return { kind: 'lpm', value: (v >> free) << free, prefixLength: length };
    }),
    fc.tuple(value, value).map(([a, b]): KeyField => {
      return a < b ? { kind: 'range', low: a, high: b } : { kind: 'range', low: b, high: a };
    }),
  );
}

const entryOf = (key: KeyField[], priority: number): InstalledEntry =>
  ({ key, priority }) as unknown as InstalledEntry;

describe.each([[[8, 16]], [[48, 8, 32]], [[128, 9]]])('entries of widths %j', (widths) => {
  test('are found as in a list, whatever comes and goes', () => {
    const key = fc.tuple(...widths.map(field));
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ key, priority: fc.integer({ min: 1, max: 5 }) }) },
      { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
    );
    const probes = fc.array(fc.tuple(...widths.map(bits)), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), probes, (steps, values) => {
        const [index, list] = [new PriorityIndex(widths), new LinearIndex(widths)];
        const present: InstalledEntry[] = [];
        for (const each of steps) {
          if ('key' in each) {
            const entry = entryOf(each.key, each.priority);
            present.push(entry);
            index.add(entry);
            list.add(entry);
          } else if (present.length > 0) {
            const [gone] = present.splice(each.remove % present.length, 1);
            if (gone === undefined) continue;
            index.remove(gone);
            list.remove(gone);
          }
        }
        for (const probe of values) {
          expect(index.find(probe)).toBe(list.find(probe));
          if (Math.max(...widths) > 52) continue;
          const numbers = Float64Array.from(probe.map(Number));
          expect(index.findNumbers(numbers)).toBe(list.find(probe));
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('entries of more masks than a group has places', () => {
  const widths = [32, 16, 8] as const;
  /** Most masks are alone, so that tuples come and go; values are few, so that keys hit. */
  const masked = (width: number): fc.Arbitrary<KeyField> =>
    fc
      .tuple(fc.constantFrom(0n, 1n, 5n, -1n), fc.bigInt(0n, 2n ** BigInt(width) - 1n))
      .map(([value, mask]): KeyField => ({ kind: 'ternary', value: value & mask, mask }));
  const key = fc.tuple(...widths.map(masked));
  const priority = fc.integer({ min: 1, max: 9 });
  const entries = fc.array(fc.record({ key, priority }), { minLength: 40, maxLength: 140 });
  const probe = fc.tuple(
    ...widths.map((width) => fc.constantFrom(0n, 1n, 5n, 2n ** BigInt(width) - 1n)),
  );

  test('are found as in a list, while most of them go', () => {
    fc.assert(
      fc.property(entries, fc.array(probe, { minLength: 20, maxLength: 20 }), (all, probes) => {
        const [index, list] = [new PriorityIndex(widths), new LinearIndex(widths)];
        const installed = all.map((each) => entryOf(each.key, each.priority));
        const compare = (): void => {
          for (const each of probes) {
            const wanted = list.find(each);
            expect(index.find(each)).toBe(wanted);
            expect(index.findNumbers(Float64Array.from(each.map(Number)))).toBe(wanted);
          }
        };
        for (const each of installed) [index, list].forEach((one) => one.add(each));
        compare();
        installed.forEach((each, i) => {
          if (i % 7 !== 0) [index, list].forEach((one) => one.remove(each));
          if (i % 29 === 0) compare();
        });
        compare();
        installed.forEach((each, i) => {
          if (i % 7 !== 0) [index, list].forEach((one) => one.add(each));
        });
        compare();
      }),
      { numRuns: 60 },
    );
  });

  test('of one mask may all go and come again', () => {
    const one = (value: number): InstalledEntry =>
      entryOf([{ kind: 'ternary', value: BigInt(value), mask: 0xffffn }], 1 + (value % 3));
    const index = new PriorityIndex([16]);
    const many = Array.from({ length: 3000 }, (_, i) => one(i));
    for (const keep of [0, 1, 2]) {
      many.forEach((each) => index.add(each));
      many.forEach((each, i) => i % 3 === keep || index.remove(each));
      many.forEach((each, i) =>
        expect(index.find([BigInt(i)])).toBe(i % 3 === keep ? each : undefined),
      );
      many.forEach((each, i) => i % 3 === keep && index.remove(each));
      expect(index.find([7n])).toBeUndefined();
    }
  });
});

describe('the best of several entries wins', () => {
  const ternary = (value: number, mask: number): KeyField => ({
    kind: 'ternary',
    value: BigInt(value),
    mask: BigInt(mask),
  });

  test.each(['first', 'last'])('after most entries of its mask have gone (it came %s)', (place) => {
    const index = new PriorityIndex([8]);
    const wide = entryOf([ternary(0, 0xf0)], 3);
    const exact = Array.from({ length: 9 }, (_, i) => entryOf([ternary(i, 0xff)], i === 1 ? 5 : 9));
    if (place === 'last') index.add(wide);
    exact.forEach((each) => index.add(each));
    if (place === 'first') index.add(wide);
    exact.forEach((each, i) => i === 1 || i === 2 || index.remove(each));
    expect(index.find([1n])).toBe(exact[1]);
    expect(index.find([2n])).toBe(exact[2]);
    expect(index.find([3n])).toBe(wide);
    expect(index.findNumbers(Float64Array.of(1))).toBe(exact[1]);
  });

  test.each([
    [5, 3, 9],
    [9, 3, 5],
    [3, 5, 9],
    [3, 9, 5],
  ])('whichever group of 32 masks it is in: %i, %i, %i', (...priorities) => {
    const index = new PriorityIndex([32]);
    const entries = priorities.flatMap((priority, group) =>
      Array.from({ length: 32 }, (_, i) => entryOf([ternary(0, 32 * group + i + 1)], priority)),
    );
    entries.forEach((each) => index.add(each));
    const best = entries.find(({ priority }) => priority === 9);
    expect(index.find([0n])).toBe(best);
    entries.filter((each) => each.priority === 9).forEach((each) => index.remove(each));
    expect(index.find([0n])?.priority).toBe(5);
  });

  test('where masks of several fields have the same digits', () => {
    const index = new PriorityIndex([8, 8]);
    const [one, other] = [
      entryOf([ternary(1, 1), ternary(23, 23)], 1),
      entryOf([ternary(12, 12), ternary(3, 3)], 2),
    ];
    index.add(one);
    index.add(other);
    expect(index.find([1n, 23n])).toBe(one);
    expect(index.find([12n, 3n])).toBe(other);
    expect(index.find([13n, 3n])).toBe(other);
    expect(index.find([2n, 3n])).toBeUndefined();
  });
});
