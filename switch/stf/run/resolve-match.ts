import { unreachable } from '../../../common/assert';
import { allOnes } from '../../../common/p4runtime/bytestring';
import { anyValue } from '../../../common/p4runtime/key-field';
import type { KeyField } from '../../../common/p4runtime/key-field';
import type { KeyOutline } from './outline';
import type { Unresolved } from './resolve-name';
import type { Literal, MatchValue } from '../text/statements';

/** Match of a key field that a statement does not name: exact 0, otherwise anything. */
export const defaultMatch = ({ matchKind, width }: KeyOutline): KeyField =>
  anyValue(matchKind, width) ?? { kind: 'exact', value: 0n };

/** Reads a value for a key field; a problem names the field. */
export function resolveMatch(field: KeyOutline, value: MatchValue): KeyField | Unresolved {
  const found = readMatch(field, value);
  if (found === undefined) {
    const problem = `wanted ${WANTED[field.matchKind]} for key '${field.name}', found ${show(value)}`;
    return { problem };
  }
  if (largest(found) <= allOnes(field.width)) return found;
  return { problem: `key '${field.name}' has ${field.width} bits, found ${show(value)}` };
}

const WANTED: Readonly<Record<KeyOutline['matchKind'], string>> = {
  exact: 'a number',
  lpm: "a number, VALUE/LENGTH, or digits that end in '*'",
  ternary: "a number, digits with '*', or VALUE&&&MASK",
  optional: "a number, digits with '*', or VALUE&&&MASK",
  range: 'a number or LOW..HIGH',
};

function readMatch({ matchKind, width }: KeyOutline, value: MatchValue): KeyField | undefined {
  switch (matchKind) {
    case 'exact':
      return isNumber(value) ? { kind: 'exact', value: value.value.value } : undefined;
    case 'lpm':
      return readLpm(value, width);
    case 'ternary':
    case 'optional':
      return readTernary(value, width);
    case 'range':
      return readRange(value);
    default:
      return unreachable(matchKind);
  }
}

const isNumber = (value: MatchValue): value is MatchValue & { readonly kind: 'literal' } =>
  value.kind === 'literal' && isWhole(value.value);

const isWhole = ({ text }: Literal): boolean => !text.includes('*');

/** The prefix is what lies above the `*` at the end, however many digits are written. */
function readLpm(value: MatchValue, width: number): KeyField | undefined {
  if (value.kind === 'prefix' && isWhole(value.value) && isWhole(value.length)) {
    return prefix(value.value.value, Number(value.length.value), width);
  }
  if (value.kind !== 'literal') return undefined;
  const { value: number, known, bits } = value.value;
  const open = known === 0n ? bits : trailingZeros(known);
  if (known >> BigInt(open) !== allOnes(bits - open)) return undefined;
  return prefix(number, Math.max(0, width - open), width);
}

function prefix(value: bigint, prefixLength: number, width: number): KeyField | undefined {
  if (prefixLength > width) return undefined;
  const mask = allOnes(width) ^ allOnes(width - prefixLength);
  return { kind: 'lpm', value: value > allOnes(width) ? value : value & mask, prefixLength };
}

function trailingZeros(value: bigint): number {
  let count = 0;
  while (((value >> BigInt(count)) & 1n) === 0n) count += 1;
  return count;
}

/** Only written digits are compared, as by bmv2's runner; a decimal number is compared whole. */
function readTernary(value: MatchValue, width: number): KeyField | undefined {
  const all = allOnes(width);
  if (value.kind === 'masked' && isWhole(value.value) && isWhole(value.mask)) {
    const mask = value.mask.value;
    return { kind: 'ternary', value: value.value.value & mask, mask };
  }
  if (value.kind !== 'literal') return undefined;
  const { value: number, known, radix } = value.value;
  return { kind: 'ternary', value: number, mask: radix === 10 ? all : known & all };
}

function readRange(value: MatchValue): KeyField | undefined {
  if (isNumber(value)) return { kind: 'range', low: value.value.value, high: value.value.value };
  if (value.kind !== 'range' || !isWhole(value.low) || !isWhole(value.high)) return undefined;
  const [low, high] = [value.low.value, value.high.value];
  return low <= high ? { kind: 'range', low, high } : undefined;
}

function largest(field: KeyField): bigint {
  switch (field.kind) {
    case 'exact':
    case 'lpm':
      return field.value;
    case 'ternary':
      return field.value | field.mask;
    case 'range':
      return field.high;
    default:
      return unreachable(field);
  }
}

function show(value: MatchValue): string {
  switch (value.kind) {
    case 'literal':
      return value.value.text;
    case 'prefix':
      return `${value.value.text}/${value.length.text}`;
    case 'masked':
      return `${value.value.text}&&&${value.mask.text}`;
    case 'range':
      return `${value.low.text}..${value.high.text}`;
    default:
      return unreachable(value);
  }
}
