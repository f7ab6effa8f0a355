import fc from 'fast-check';
import { PrefixTrie } from '../../../../../switch/tables/keys/prefix-trie';
import type { Prefix } from '../../../../../switch/tables/keys/prefix-trie';

const maskOf = (length: number): number => (length === 0 ? 0 : (-1 << (32 - length)) >>> 0);
const covers = ({ bits, length }: Prefix, address: number): boolean =>
  (address & maskOf(length)) >>> 0 === bits;
const prefix = (bits: number, length: number): Prefix => ({
  bits: (bits & maskOf(length)) >>> 0,
  length,
});

/** The trie, and a list that says what it should hold. */
class Pair {
  readonly trie = new PrefixTrie();
  readonly #kept = new Map<number, Prefix>();

  insert(id: number, added: Prefix): void {
    const same = [...this.#kept.values()].some(
      ({ bits, length }) => bits === added.bits && length === added.length,
    );
    if (same || this.#kept.has(id)) return;
    this.#kept.set(id, added);
    this.trie.insert(added, id);
  }

  remove(id: number): void {
    const gone = this.#kept.get(id);
    if (gone === undefined) return;
    this.#kept.delete(id);
    const shorter = [...this.#kept].filter(
      ([, each]) => each.length < gone.length && covers(each, gone.bits),
    );
    this.trie.remove(gone, id, longest(shorter));
  }

  find(address: number): number {
    return longest([...this.#kept].filter(([, each]) => covers(each, address)));
  }

  get ids(): readonly number[] {
    return [...this.#kept.keys()];
  }
}

function longest(found: readonly (readonly [number, Prefix])[]): number {
  let best: readonly [number, Prefix] | undefined;
  for (const each of found) if (best === undefined || each[1].length > best[1].length) best = each;
  return best?.[0] ?? 0;
}

/** Few distinct bytes, so that prefixes contain each other. */
const address = fc
  .array(fc.constantFrom(0, 1, 2, 127, 128, 255), { minLength: 4, maxLength: 4 })
  .map((bytes) => bytes.reduce<number>((sum, byte) => sum * 256 + byte, 0));
const step = fc.oneof(
  fc.record({ id: fc.integer({ min: 1, max: 40 }), address, length: fc.nat({ max: 32 }) }),
  fc.record({ remove: fc.integer({ min: 1, max: 40 }) }),
);

describe('a prefix trie', () => {
  test('finds the longest prefix after any insertions and removals', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.array(address), (steps, addresses) => {
        const pair = new Pair();
        for (const each of steps) {
          if ('remove' in each) pair.remove(each.remove);
          else pair.insert(each.id, prefix(each.address, each.length));
        }
        for (const each of addresses) expect(pair.trie.find(each)).toBe(pair.find(each));
      }),
    );
  });

  test.each([
    [0x0a00_0001, 3],
    [0x0a00_0002, 2],
    [0x0a01_0000, 1],
    [0xffff_ffff, 0],
  ])('prefers the longer of nested prefixes, at %p', (at, wanted) => {
    const trie = new PrefixTrie();
    trie.insert(prefix(0x0a00_0001, 32), 3);
    trie.insert(prefix(0x0a00_0000, 8), 1);
    trie.insert(prefix(0x0a00_0000, 16), 2);
    expect(trie.find(at)).toBe(wanted);
  });

  test('covers everything with a prefix of length 0', () => {
    const trie = new PrefixTrie();
    trie.insert(prefix(0, 0), 7);
    trie.insert(prefix(0xc0a8_0000, 17), 8);
    expect([0, 0xc0a8_7fff, 0xc0a8_8000, 0xffff_ffff].map((at) => trie.find(at))).toEqual([
      7, 8, 7, 7,
    ]);
  });

  test('gives memory back when prefixes come and go', () => {
    const trie = new PrefixTrie();
    for (let i = 0; i < 2000; i++) {
      const host = prefix(Math.imul(i, 0x9e37_79b1) >>> 0, 32);
      trie.insert(host, 1);
      expect(trie.find(host.bits)).toBe(1);
      trie.remove(host, 1, 0);
      expect(trie.find(host.bits)).toBe(0);
    }
    expect(trie.memory).toBeLessThanOrEqual(8 * 1024);
  });
});
