import fc from 'fast-check';
import { TupleGroup } from '../../../../../switch/tables/keys/tuple-group';
import type { GroupedTuple } from '../../../../../switch/tables/keys/tuple-group';

interface Member {
  readonly tuple: GroupedTuple;
  readonly bit: number;
  noted: Int32Array[];
}

const tupleOf = (...masks: readonly [slot: number, mask: number][]): GroupedTuple => ({
  masks: masks.map(([slot, mask]) => ({ slot, mask })),
  priorityMax: 0,
});

/** For each word that it looks at, some entry of the member wants it so. */
const mayHold = ({ tuple, noted }: Member, words: Int32Array): boolean =>
  tuple.masks.every(({ slot, mask }) =>
    noted.some((entry) => ((entry[slot] ?? 0) & mask) === ((words[slot] ?? 0) & mask)),
  );

const bitsOf = (members: readonly Member[]): number =>
  members.reduce((bits, { bit }) => bits | bit, 0);

const word = fc.constantFrom(0, 1, 2, 3, -1, 0x7000_0001);
const words = fc.tuple(word, word).map((two) => Int32Array.from(two));
const mask = fc.constantFrom(1, 2, 3, -1, 0xf000_0000 | 0);
const masks = fc.uniqueArray(fc.tuple(fc.constantFrom(0, 1), mask), {
  minLength: 1,
  maxLength: 2,
  selector: ([slot]) => slot,
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), masks }),
  fc.record({ kind: fc.constant('note' as const), which: fc.nat(8), words }),
  fc.record({ kind: fc.constant('note' as const), which: fc.nat(8), words }),
  fc.record({ kind: fc.constantFrom('forget' as const, 'remove' as const), which: fc.nat(8) }),
);

describe('a group of tuples', () => {
  test('crosses out those members that hold no entry for a key', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.array(words), (steps, keys) => {
        const group = new TupleGroup<GroupedTuple>();
        let members: Member[] = [];
        for (const each of steps) {
          const member = 'which' in each ? members[each.which % (members.length || 1)] : undefined;
          if (each.kind === 'add') {
            if (group.isFull) continue;
            const tuple = tupleOf(...each.masks);
            members.push({ tuple, bit: group.add(tuple), noted: [] });
          } else if (member === undefined) continue;
          else if (each.kind === 'note') {
            member.noted.push(each.words);
            group.note(member.bit, each.words);
          } else {
            member.noted = [];
            if (each.kind === 'forget') group.forget(member.bit);
            else {
              group.remove(member.bit);
              members = members.filter((other) => other !== member);
            }
          }
          expect(group.isEmpty).toBe(members.length === 0);
          for (const key of keys) {
            const wanted =
              members.length > 1 ? members.filter((one) => mayHold(one, key)) : members;
            expect(group.candidates(key)).toBe(bitsOf(wanted));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('holds 32, each at a place of its own, and takes another where one has gone', () => {
    const group = new TupleGroup<GroupedTuple>();
    const tuples = Array.from({ length: 32 }, (_, i) => tupleOf([0, i + 1]));
    const bits = tuples.map((tuple) => {
      expect(group.isFull).toBe(false);
      return group.add(tuple);
    });
    expect(group.isFull).toBe(true);
    expect(new Set(bits).size).toBe(32);
    const place = (bit: number): number => 31 - Math.clz32(bit);
    bits.forEach((bit, i) => expect(group.tuples[place(bit)]).toBe(tuples[i]));
    for (const bit of [bits[0] ?? 0, bits[7] ?? 0]) {
      group.remove(bit);
      expect([group.isFull, group.tuples[place(bit)]]).toEqual([false, undefined]);
      expect(group.add(tupleOf([1, 1]))).toBe(bit);
      expect(group.isFull).toBe(true);
    }
  });

  test('begins with no priority, below that of every entry', () => {
    const group = new TupleGroup<GroupedTuple>();
    expect([
      group.priorityMax,
      group.tuples,
      group.isEmpty,
      group.candidates(new Int32Array(1)),
    ]).toEqual([-Infinity, [], true, 0]);
  });
});
