import { InputError } from '../../../common/errors';
import { allOnes, prefixMask } from '../../../common/p4runtime/bytestring';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { anyValue, isAnyValue, keyFieldFault } from '../../../common/p4runtime/key-field';
import type { KeyField } from '../../../common/p4runtime/key-field';
import { decodeField, encodeKey } from '../../../common/p4runtime/match-codec';
import type { KeyOwner } from '../../../common/p4runtime/match-codec';
import type { MatchFieldInfo } from '../../../common/p4runtime/p4info';
import { formatValue, parseValue } from '../../../common/p4runtime/values';
import type { FieldMatch, Match } from '../../entities/match';
import type { Value } from '../../entities/value';
import { fromSwitch } from './wire-values';

/** A table or a value set by name. */
export interface NamedKeyOwner extends KeyOwner {
  readonly name: string;
  /** The word for it in messages; "table" unless given. */
  readonly kind?: string;
}

/** The message of a match. @throws InputError naming table and field. */
export const encodeMatch = (owner: NamedKeyOwner, match: Match): p4.FieldMatch[] =>
  encodeKey(owner, readKey(owner, match));

/** The match in full names and the values that a switch returns. @throws InputError likewise. */
export const canonicalMatch = (owner: NamedKeyOwner, match: Match): Match =>
  matchOf(readKey(owner, match).map((field, i) => [owner.matchFields.all[i], field]));

/** A match that a switch has sent, by field name. @throws InputError when P4Info lacks a field. */
export function decodeMatch(owner: NamedKeyOwner, match: readonly p4.FieldMatch[]): Match {
  return fromSwitch(() =>
    matchOf(
      match.map((message) => {
        const info = owner.matchFields.byNumber(message.fieldId);
        if (info !== undefined) return [info, decodeField(info, message, () => place(owner, info))];
        const what = `P4Info has no match field ${message.fieldId}`;
        throw new InputError(`from the switch: ${whatOf(owner)}: ${what}`);
      }),
    ),
  );
}

/** The key that a match means, in the order of the owner's fields. @throws InputError naming owner and field. */
export function readKey(owner: NamedKeyOwner, match: Match): KeyField[] {
  const { all } = owner.matchFields;
  const given = givenFields(owner, match);
  const key = new Array<KeyField>(all.length);
  for (let i = 0; i < all.length; i++) {
    key[i] = readGiven(owner, all[i] as MatchFieldInfo, given[i]);
  }
  return key;
}

/** The fields of a match, in the order of the owner's. @throws InputError for a field that there is not, or twice. */
function givenFields(
  owner: NamedKeyOwner,
  match: Match,
): readonly (FieldMatch | Value | undefined)[] {
  const { matchFields } = owner;
  const given = new Array<FieldMatch | Value | undefined>(matchFields.all.length);
  for (const name of Object.keys(match)) {
    const field = matchFields.find(name) ?? matchFields.get(name, whatOf(owner));
    const at = matchFields.all.indexOf(field);
    if (given[at] !== undefined) throw new InputError(`${place(owner, field)} is given twice`);
    given[at] = match[name];
  }
  return given;
}

function readGiven(
  owner: NamedKeyOwner,
  info: MatchFieldInfo,
  found: FieldMatch | Value | undefined,
): KeyField {
  const any = anyValue(info.matchKind, info.width);
  if (found === undefined && any !== undefined) return any;
  // PERF: nobody makes words for an error that there is not.
  const what = (): string => place(owner, info);
  if (found === undefined) throw new InputError(`${what()}: an exact field must be given`);
  if (any !== undefined && isStar(found)) return any;
  const match = typeof found === 'object' ? found : readText(info, found, what);
  return checked(readMatch(info, match, what), info.width, what);
}

const isStar = (found: FieldMatch | Value): boolean =>
  typeof found === 'string' && found.trim() === '*';

function readMatch(
  { width, matchKind }: MatchFieldInfo,
  match: FieldMatch,
  what: () => string,
): KeyField {
  if (!(matchKind in match)) {
    const found = Object.keys(match).join(', ');
    throw new InputError(`${what()}: wanted a match of kind ${matchKind}, found ${found}`);
  }
  if ('lpm' in match) {
    const [value, prefixLength] = match.lpm;
    return { kind: 'lpm', value: parseValue(value, width, what), prefixLength };
  }
  if ('exact' in match) return { kind: 'exact', value: parseValue(match.exact, width, what) };
  if ('optional' in match) {
    const value = parseValue(match.optional, width, what);
    return { kind: 'ternary', value, mask: allOnes(width) };
  }
  const [one, other] = 'ternary' in match ? match.ternary : match.range;
  const [first, second] = [parseValue(one, width, what), parseValue(other, width, what)];
  return 'ternary' in match
    ? { kind: 'ternary', value: first, mask: second }
    : { kind: 'range', low: first, high: second };
}

/** Reads `value/length`, `value&&&mask`, `low..high` or one value. @throws InputError */
function readText(
  { width, matchKind }: MatchFieldInfo,
  input: Value,
  what: () => string,
): FieldMatch {
  const text = typeof input === 'string' ? input.trim() : '';
  switch (matchKind) {
    case 'exact':
      return { exact: input };
    case 'optional':
      return { optional: input };
    case 'lpm':
      return { lpm: text.includes('/') ? readPrefix(text, what) : [input, width] };
    case 'range':
      return {
        range: text.includes('..') ? halves(text, '..', 'low..high', what) : [input, input],
      };
    case 'ternary': {
      if (text.includes('&&&')) return { ternary: halves(text, '&&&', 'value&&&mask', what) };
      if (!text.includes('/')) return { ternary: [input, allOnes(width)] };
      const [address, prefixLength] = readPrefix(text, what);
      const value = parseValue(address, width, what);
      checked({ kind: 'lpm', value, prefixLength }, width, what);
      return { ternary: [value, prefixMask(prefixLength, width)] };
    }
  }
}

function readPrefix(text: string, what: () => string): [string, number] {
  const [address, length] = halves(text, '/', 'value/prefix length', what);
  return [address, /^\d+$/.test(length.trim()) ? Number(length) : NaN];
}

function halves(text: string, mark: string, form: string, what: () => string): [string, string] {
  const [first = '', second = '', ...more] = text.split(mark);
  if (more.length === 0) return [first, second];
  throw new InputError(`${what()}: wanted ${form}, found '${text}'`);
}

function checked(field: KeyField, width: number, what: () => string): KeyField {
  const fault = keyFieldFault(field, width);
  if (fault === undefined) return field;
  throw new InputError(`${what()}: ${fault}`);
}

/** Fields by name, without those that match everything. */
function matchOf(fields: readonly (readonly [MatchFieldInfo | undefined, KeyField])[]): Match {
  const match: Record<string, FieldMatch> = {};
  for (const [info, field] of fields) {
    if (info !== undefined && !isAnyValue(field, info.width)) {
      match[info.name] = fieldMatch(info, field);
    }
  }
  return match;
}

function fieldMatch({ width, matchKind }: MatchFieldInfo, field: KeyField): FieldMatch {
  const text = (value: bigint): string => formatValue(value, width);
  switch (field.kind) {
    case 'exact':
      return { exact: text(field.value) };
    case 'lpm':
      return { lpm: [text(field.value), field.prefixLength] };
    case 'ternary':
      if (matchKind === 'optional') return { optional: text(field.value) };
      return { ternary: [text(field.value), text(field.mask)] };
    case 'range':
      return { range: [text(field.low), text(field.high)] };
  }
}

const whatOf = ({ kind = 'table', name }: NamedKeyOwner): string => `${kind} '${name}'`;

const place = (owner: NamedKeyOwner, field: MatchFieldInfo): string =>
  `${whatOf(owner)}, field '${field.name}'`;
