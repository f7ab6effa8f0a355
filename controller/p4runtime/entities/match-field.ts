import { InputError } from '../../../common/errors';
import { allOnes, encodeValue, prefixMask } from '../../../common/p4runtime/bytestring';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { NameIndex } from '../../../common/p4runtime/name-index';
import type { MatchFieldInfo } from '../../../common/p4runtime/p4info';
import {
  checkedPrefix,
  formatValue,
  parseMasked,
  parsePrefix,
  parseRange,
  parseValue,
} from '../../../common/p4runtime/values';
import type { FieldMatch, Match } from '../../entities/match';
import type { Value } from '../../entities/value';
import { wireValue } from './wire-values';

/** What has a key: a table or a value set. */
export interface KeyOwner {
  readonly name: string;
  readonly matchFields: NameIndex<MatchFieldInfo>;
  /** The word for it in messages; "table" unless given. */
  readonly kind?: string;
}

/**
 * The match of a table entry. Fields that match everything are left out, as the specification wants
 * it, however they are written. @throws InputError naming table and field.
 */
export function encodeMatch(owner: KeyOwner, match: Match): p4.FieldMatch[] {
  const given = givenFields(owner, match);
  const messages: p4.FieldMatch[] = [];
  for (const field of owner.matchFields.all) {
    const found = given.get(field);
    if (found === undefined) {
      if (field.matchKind !== 'exact') continue;
      throw new InputError(`${place(owner, field)}: an exact field must be given`);
    }
    const what = place(owner, field);
    const full = typeof found === 'object' ? found : readMatch(field, found, what);
    const message = full && encodeField(field, full, what);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

function givenFields(
  owner: KeyOwner,
  match: Match,
): ReadonlyMap<MatchFieldInfo, FieldMatch | Value> {
  const given = new Map<MatchFieldInfo, FieldMatch | Value>();
  for (const [name, found] of Object.entries(match)) {
    const field = fieldOf(owner, name);
    if (given.has(field)) throw new InputError(`${place(owner, field)} is given twice`);
    given.set(field, found);
  }
  return given;
}

/** A match that a switch has sent, by field name. @throws InputError when P4Info lacks a field. */
export function decodeMatch(owner: KeyOwner, match: readonly p4.FieldMatch[]): Match {
  const fields: Record<string, FieldMatch> = {};
  for (const message of match) {
    const field = owner.matchFields.byNumber(message.fieldId);
    if (field === undefined) {
      const what = `P4Info has no match field ${message.fieldId}`;
      throw new InputError(`from the switch: ${whatOf(owner)}: ${what}`);
    }
    fields[field.name] = decodeField(field, message, owner);
  }
  return fields;
}

/**
 * Reads what a field matches from text or a number: `value/length`, `value&&&mask`, `low..high`,
 * one value, or `*` for anything.
 * @returns undefined when the field matches anything.
 * @throws InputError beginning with `what`.
 */
function readMatch(
  { width, matchKind }: MatchFieldInfo,
  input: Value,
  what: string,
): FieldMatch | undefined {
  const text = typeof input === 'string' ? input.trim() : '';
  if (text === '*' && matchKind !== 'exact') return undefined;
  switch (matchKind) {
    case 'exact':
      return { exact: input };
    case 'optional':
      return { optional: input };
    case 'lpm':
      return { lpm: text.includes('/') ? parsePrefix(text, width, what) : [input, width] };
    case 'range':
      return { range: text.includes('..') ? parseRange(text, width, what) : [input, input] };
    case 'ternary':
      if (text.includes('&&&')) return { ternary: parseMasked(text, width, what) };
      if (!text.includes('/')) return { ternary: [input, allOnes(width)] };
      return { ternary: maskOfPrefix(parsePrefix(text, width, what), width) };
  }
}

const maskOfPrefix = ([value, length]: [bigint, number], width: number): [bigint, bigint] => [
  value,
  prefixMask(length, width),
];

function fieldOf(owner: KeyOwner, name: string): MatchFieldInfo {
  const found = owner.matchFields.candidates(name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const names = (found.length > 1 ? found : owner.matchFields.all).map((each) => each.name);
  const list = names.join(', ') || 'none';
  throw new InputError(
    found.length > 1
      ? `${whatOf(owner)}: '${name}' may be any of the match fields ${list}`
      : `${whatOf(owner)}: no match field '${name}'; it has: ${list}`,
  );
}

const whatOf = ({ kind = 'table', name }: KeyOwner): string => `${kind} '${name}'`;

const place = (owner: KeyOwner, field: MatchFieldInfo): string =>
  `${whatOf(owner)}, field '${field.name}'`;

function encodeField(
  field: MatchFieldInfo,
  match: FieldMatch,
  what: string,
): p4.FieldMatch | undefined {
  const { id: fieldId, width, matchKind } = field;
  if ('exact' in match && matchKind === 'exact') {
    const exact = new p4.FieldMatchExact({ value: bytesOf(match.exact, width, what) });
    return new p4.FieldMatch({ fieldId, exact });
  }
  if ('optional' in match && matchKind === 'optional') {
    const optional = new p4.FieldMatchOptional({ value: bytesOf(match.optional, width, what) });
    return new p4.FieldMatch({ fieldId, optional });
  }
  if ('lpm' in match && matchKind === 'lpm') return encodeLpm(field, match.lpm, what);
  if ('ternary' in match && matchKind === 'ternary')
    return encodeTernary(field, match.ternary, what);
  if ('range' in match && matchKind === 'range') return encodeRange(field, match.range, what);
  const found = Object.keys(match).join(', ');
  throw new InputError(`${what}: wanted a match of kind ${matchKind}, found ${found}`);
}

const bytesOf = (value: Value, width: number, what: string): Uint8Array =>
  encodeValue(parseValue(value, width, what));

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

function decodeField(field: MatchFieldInfo, message: p4.FieldMatch, owner: KeyOwner): FieldMatch {
  const { width } = field;
  const text = (bytes: Uint8Array): string =>
    formatValue(wireValue(bytes, width, place(owner, field)), width);
  if (message.hasExact) return { exact: text(message.exact.value) };
  if (message.hasLpm) return { lpm: [text(message.lpm.value), message.lpm.prefixLen] };
  if (message.hasTernary) {
    return { ternary: [text(message.ternary.value), text(message.ternary.mask)] };
  }
  if (message.hasRange) return { range: [text(message.range.low), text(message.range.high)] };
  if (message.hasOptional) return { optional: text(message.optional.value) };
  const what = 'the switch has sent no match that P4Runtime 1.5 defines';
  throw new InputError(`${place(owner, field)}: ${what}`);
}
