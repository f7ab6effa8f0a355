import { checkKey, keyIdentity, sameKey } from '../../../../../switch/tables/keys/key-fields';
import type { KeyField, MatchKind } from '../../../../../common/p4runtime/key-field';
import { refused } from '../../support/refused';

const exact = (value: bigint): KeyField => ({ kind: 'exact', value });
const lpm = (value: bigint, prefixLength: number): KeyField => ({
  kind: 'lpm',
  value,
  prefixLength,
});
const ternary = (value: bigint, mask: bigint): KeyField => ({ kind: 'ternary', value, mask });
const range = (low: bigint, high: bigint): KeyField => ({ kind: 'range', low, high });

/** No two of them match the same packets in the same way. */
const FIELDS: readonly KeyField[] = [
  exact(1n),
  exact(2n),
  lpm(1n, 8),
  lpm(1n, 7),
  lpm(2n, 8),
  ternary(1n, 1n),
  ternary(1n, 3n),
  ternary(2n, 3n),
  range(1n, 1n),
  range(1n, 2n),
  range(2n, 2n),
];

describe('keys of entries', () => {
  test('are the same, and are called the same, when every field says the same', () => {
    FIELDS.forEach((one, i) => {
      FIELDS.forEach((other, j) => {
        expect(sameKey([one], [{ ...other }])).toBe(i === j);
        expect(sameKey([exact(9n), one], [exact(9n), other])).toBe(i === j);
        expect(sameKey([one, exact(9n)], [other, exact(8n)])).toBe(false);
        expect(keyIdentity([one], 5) === keyIdentity([other], 5)).toBe(i === j);
      });
      expect(keyIdentity([one], 5)).not.toBe(keyIdentity([one], 6));
      expect(sameKey([one], [])).toBe(false);
      expect(sameKey([], [one])).toBe(false);
      expect(sameKey([one], [one, one])).toBe(false);
    });
    expect(sameKey([], [])).toBe(true);
  });

  test('are called by their priority and fields', () => {
    const key = [exact(1n), lpm(2n, 3), ternary(4n, 5n), range(6n, 7n)];
    expect(keyIdentity(key, 8)).toBe('8:1,2/3,4&5,6..7');
    // Values do not run into each other.
    expect(keyIdentity([exact(1n), exact(23n)], 0)).not.toBe(
      keyIdentity([exact(12n), exact(3n)], 0),
    );
  });
});

describe('a key is refused with table, field and what was wanted', () => {
  const WHERE = "table 't', key field 'f'";
  const wrong: readonly (readonly [MatchKind, KeyField, string])[] = [
    ['exact', ternary(1n, 1n), `${WHERE}: wanted kind exact, found ternary`],
    ['optional', exact(1n), `${WHERE}: wanted kind ternary, found exact`],
    ['exact', exact(256n), `${WHERE}: wanted an unsigned number of 8 bits, found 256`],
    ['exact', exact(-1n), `${WHERE}: wanted an unsigned number of 8 bits, found -1`],
    ['lpm', lpm(256n, 8), `${WHERE}: wanted an unsigned number of 8 bits, found 256`],
    ['lpm', lpm(0n, -1), `${WHERE}: wanted a prefix length from 0 to 8, found -1`],
    ['lpm', lpm(0n, 9), `${WHERE}: wanted a prefix length from 0 to 8, found 9`],
    ['lpm', lpm(0n, 1.5), `${WHERE}: wanted a prefix length from 0 to 8, found 1.5`],
    ['lpm', lpm(1n, 7), `${WHERE}: 1/7 has bits behind its prefix`],
    ['ternary', ternary(256n, 256n), `${WHERE}: wanted an unsigned number of 8 bits, found 256`],
    ['ternary', ternary(0n, 256n), `${WHERE}: wanted an unsigned number of 8 bits, found 256`],
    ['ternary', ternary(2n, 1n), `${WHERE}: the value has bits outside its mask`],
    ['range', range(256n, 1n), `${WHERE}: wanted an unsigned number of 8 bits, found 256`],
    ['range', range(1n, 256n), `${WHERE}: wanted an unsigned number of 8 bits, found 256`],
    ['range', range(2n, 1n), `${WHERE}: the range 2..1 is empty`],
  ];
  test.each(wrong)('%s: %j', (matchKind, field, message) => {
    const spec = { name: 'f', matchKind, width: 8 };
    refused('invalid', message, () => checkKey('t', [spec], [field]));
  });

  test('when it has too few or too many fields', () => {
    const spec = { name: 'f', matchKind: 'exact', width: 8 } as const;
    refused('invalid', "table 't': wanted 1 key fields, found 2", () =>
      checkKey('t', [spec], [exact(1n), exact(1n)]),
    );
    refused('invalid', "table 't': wanted 1 key fields, found 0", () => checkKey('t', [spec], []));
  });

  test('and taken at the ends of what is allowed', () => {
    const kinds = [
      ['exact', exact(255n)],
      ['lpm', lpm(255n, 8)],
      ['lpm', lpm(0n, 0)],
      ['ternary', ternary(255n, 255n)],
      ['optional', ternary(0n, 0n)],
      ['range', range(255n, 255n)],
    ] as const;
    for (const [matchKind, field] of kinds) {
      expect(() => checkKey('t', [{ name: 'f', matchKind, width: 8 }], [field])).not.toThrow();
    }
  });
});
