import { parseStf } from '../../../../../switch/stf/text/parse-stf';
import { defaultMatch, resolveMatch } from '../../../../../switch/stf/run/resolve-match';
import type { MatchValue } from '../../../../../switch/stf/text/statements';
import type { MatchKind } from '../../../../../common/p4runtime/key-field';

const field = (matchKind: MatchKind, width: number) => ({ name: 'k', matchKind, width });

function value(text: string): MatchValue {
  const command = parseStf(`add t k:${text} a()`, 'a.stf').statements[0]?.command;
  const match = command?.kind === 'add' ? command.matches[0]?.value : undefined;
  if (match === undefined) throw new Error(`no match in ${text}`);
  return match;
}

const exact = (number: bigint) => ({ kind: 'exact', value: number });
const lpm = (number: bigint, prefixLength: number) => ({
  kind: 'lpm',
  value: number,
  prefixLength,
});
const ternary = (number: bigint, mask: bigint) => ({ kind: 'ternary', value: number, mask });
const range = (low: bigint, high: bigint) => ({ kind: 'range', low, high });

describe('a match', () => {
  test.each([
    ['exact', 8, '0xAB', exact(0xabn)],
    ['exact', 8, '255', exact(255n)],
    ['exact', 128, '0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF', exact((1n << 128n) - 1n)],
    ['lpm', 32, '0x0A0000**', lpm(0x0a000000n, 24)],
    ['lpm', 32, '0x0A000001', lpm(0x0a000001n, 32)],
    ['lpm', 32, '10', lpm(10n, 32)],
    ['lpm', 32, '0x********', lpm(0n, 0)],
    ['lpm', 32, '0x0A0000FF/24', lpm(0x0a000000n, 24)],
    ['lpm', 32, '0/0', lpm(0n, 0)],
    ['lpm', 9, '0b1********', lpm(0x100n, 1)],
    ['ternary', 16, '0x12**', ternary(0x1200n, 0xff00n)],
    ['ternary', 16, '0x**34', ternary(0x34n, 0xffn)],
    ['ternary', 16, '0x5', ternary(5n, 0xfn)],
    ['ternary', 16, '5', ternary(5n, 0xffffn)],
    ['ternary', 9, '0x0**', ternary(0n, 0x100n)],
    ['ternary', 16, '0xFFFF&&&0x0FF0', ternary(0xff0n, 0xff0n)],
    ['optional', 16, '7', ternary(7n, 0xffffn)],
    ['range', 16, '5', range(5n, 5n)],
    ['range', 16, '5..0x10', range(5n, 16n)],
  ] as const)('%s on %i bits reads %s', (kind, width, text, expected) => {
    expect(resolveMatch(field(kind, width), value(text))).toEqual(expected);
  });

  test.each([
    ['exact', 8, '0x1*', "wanted a number for key 'k', found 0x1*"],
    ['exact', 8, '1/4', "wanted a number for key 'k', found 1/4"],
    ['exact', 8, '256', "key 'k' has 8 bits, found 256"],
    [
      'lpm',
      8,
      '0x*1',
      "wanted a number, VALUE/LENGTH, or digits that end in '*' for key 'k', found 0x*1",
    ],
    [
      'lpm',
      8,
      '1/9',
      "wanted a number, VALUE/LENGTH, or digits that end in '*' for key 'k', found 1/9",
    ],
    ['lpm', 8, '0x1FF', "key 'k' has 8 bits, found 0x1FF"],
    [
      'ternary',
      8,
      '1..2',
      "wanted a number, digits with '*', or VALUE&&&MASK for key 'k', found 1..2",
    ],
    ['ternary', 8, '0x1FF', "key 'k' has 8 bits, found 0x1FF"],
    ['ternary', 8, '1&&&0x1FF', "key 'k' has 8 bits, found 1&&&0x1FF"],
    ['range', 8, '5..4', "wanted a number or LOW..HIGH for key 'k', found 5..4"],
    ['range', 8, '0x1*', "wanted a number or LOW..HIGH for key 'k', found 0x1*"],
    ['range', 8, '1..256', "key 'k' has 8 bits, found 1..256"],
  ] as const)('%s on %i bits refuses %s', (kind, width, text, problem) => {
    expect(resolveMatch(field(kind, width), value(text))).toEqual({ problem });
  });

  test.each([
    ['exact', exact(0n)],
    ['lpm', lpm(0n, 0)],
    ['ternary', ternary(0n, 0n)],
    ['optional', ternary(0n, 0n)],
    ['range', range(0n, 255n)],
  ] as const)('of kind %s that is not named', (kind, expected) => {
    expect(defaultMatch(field(kind, 8))).toEqual(expected);
  });
});
