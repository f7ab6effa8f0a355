import { InputError } from '../../common/errors';
import { allOnes, encodeValue } from '../../common/p4runtime/bytestring';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { MatchFieldInfo, TableInfo } from '../../common/p4runtime/p4info';
import { checkedPrefix, formatValue, parseValue } from '../../common/p4runtime/values';
import type { FieldMatch } from '../intent/entities';
import { wireValue } from './wire-value';

type Match = Readonly<Record<string, FieldMatch>>;

/**
 * The match of a table entry. Fields that match everything are left out, as the specification wants
 * it, however they are written. @throws InputError naming table and field.
 */
export function encodeMatch(table: TableInfo, match: Match): p4.FieldMatch[] {
  for (const name of Object.keys(match)) {
    if (table.matchFields.all.some((each) => each.name === name)) continue;
    const names = table.matchFields.all.map((each) => each.name).join(', ') || 'none';
    throw new InputError(`table '${table.name}': no match field '${name}'; it has: ${names}`);
  }
  return table.matchFields.all.flatMap((field) => {
    const what = `table '${table.name}', field '${field.name}'`;
    const found = match[field.name];
    if (found !== undefined) return encodeField(field, found, what) ?? [];
    if (field.matchKind === 'exact') throw new InputError(`${what}: an exact field must be given`);
    return [];
  });
}

/** A match that a switch has sent, by field name. @throws InputError when P4Info lacks a field. */
export function decodeMatch(table: TableInfo, match: readonly p4.FieldMatch[]): Match {
  const fields = match.map((message) => {
    const field = table.matchFields.byNumber(message.fieldId);
    if (field !== undefined) return [field.name, decodeField(field, message)];
    throw new InputError(`table '${table.name}': P4Info has no match field ${message.fieldId}`);
  });
  return Object.fromEntries(fields) as Record<string, FieldMatch>;
}

function encodeField(
  field: MatchFieldInfo,
  match: FieldMatch,
  what: string,
): p4.FieldMatch | undefined {
  const { id: fieldId, width, matchKind } = field;
  const bytes = (value: string | number | bigint): Uint8Array =>
    encodeValue(parseValue(value, width, what));
  if ('exact' in match && matchKind === 'exact') {
    const exact = new p4.FieldMatchExact({ value: bytes(match.exact) });
    return new p4.FieldMatch({ fieldId, exact });
  }
  if ('optional' in match && matchKind === 'optional') {
    const optional = new p4.FieldMatchOptional({ value: bytes(match.optional) });
    return new p4.FieldMatch({ fieldId, optional });
  }
  if ('lpm' in match && matchKind === 'lpm') return encodeLpm(field, match.lpm, what);
  if ('ternary' in match && matchKind === 'ternary')
    return encodeTernary(field, match.ternary, what);
  if ('range' in match && matchKind === 'range') return encodeRange(field, match.range, what);
  const found = Object.keys(match).join(', ');
  throw new InputError(`${what}: wanted a match of kind ${matchKind}, found ${found}`);
}

type ValueOf<Kind extends string> = Extract<FieldMatch, Readonly<Record<Kind, unknown>>>;

function encodeLpm(
  { id: fieldId, width }: MatchFieldInfo,
  [address, length]: ValueOf<'lpm'>['lpm'],
  what: string,
): p4.FieldMatch | undefined {
  const [value, prefixLen] = checkedPrefix(address, length, { width, what });
  if (prefixLen === 0) return undefined;
  const lpm = new p4.FieldMatchLPM({ value: encodeValue(value), prefixLen });
  return new p4.FieldMatch({ fieldId, lpm });
}

function encodeTernary(
  { id: fieldId, width }: MatchFieldInfo,
  match: ValueOf<'ternary'>['ternary'],
  what: string,
): p4.FieldMatch | undefined {
  const [value, mask] = match.map((each) => parseValue(each, width, what)) as [bigint, bigint];
  if ((value & ~mask) !== 0n) throw new InputError(`${what}: the value has bits outside its mask`);
  if (mask === 0n) return undefined;
  const ternary = new p4.FieldMatchTernary({ value: encodeValue(value), mask: encodeValue(mask) });
  return new p4.FieldMatch({ fieldId, ternary });
}

function encodeRange(
  { id: fieldId, width }: MatchFieldInfo,
  match: ValueOf<'range'>['range'],
  what: string,
): p4.FieldMatch | undefined {
  const [low, high] = match.map((each) => parseValue(each, width, what)) as [bigint, bigint];
  if (low > high) throw new InputError(`${what}: the range ${low}..${high} is empty`);
  if (low === 0n && high === allOnes(width)) return undefined;
  const range = new p4.FieldMatchRange({ low: encodeValue(low), high: encodeValue(high) });
  return new p4.FieldMatch({ fieldId, range });
}

function decodeField({ name, width }: MatchFieldInfo, message: p4.FieldMatch): FieldMatch {
  const text = (bytes: Uint8Array): string =>
    formatValue(wireValue(bytes, width, `field '${name}'`), width);
  if (message.hasExact) return { exact: text(message.exact.value) };
  if (message.hasLpm) return { lpm: [text(message.lpm.value), message.lpm.prefixLen] };
  if (message.hasTernary) {
    return { ternary: [text(message.ternary.value), text(message.ternary.mask)] };
  }
  if (message.hasRange) return { range: [text(message.range.low), text(message.range.high)] };
  if (message.hasOptional) return { optional: text(message.optional.value) };
  throw new InputError(`field '${name}': the switch has sent no match that P4Runtime 1.5 defines`);
}
