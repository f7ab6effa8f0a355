import { unreachable } from '../assert';
import { allOnes, encodeValue, refuseValue, valueOf, wordsOf } from './bytestring';
import type { Words } from './bytestring';
import { RpcError } from './codes';
import * as p4 from './generated/p4/v1/p4runtime';
import { anyValue, describeKeyField, isAnyValue, keyFieldFault } from './key-field';
import type { KeyField, MatchKind } from './key-field';
import type { NameIndex } from './name-index';
import type { MatchFieldInfo } from './p4info';

/** Owner of a key: a table or a value set. */
export interface KeyOwner {
  readonly matchFields: NameIndex<MatchFieldInfo>;
}

/** The match of a key. Fields that match everything are left out, as the specification wants it. */
export function encodeKey({ matchFields }: KeyOwner, key: readonly KeyField[]): p4.FieldMatch[] {
  const messages: p4.FieldMatch[] = [];
  matchFields.all.forEach((info, i) => {
    const field = key[i];
    if (field !== undefined && !isAnyValue(field, info.width)) {
      messages.push(encodeField(info, field));
    }
  });
  return messages;
}

/**
 * Reads a match into a key, field by field in the order of its owner (P4Runtime 1.5.0, section
 * "Match Format"). A field left out matches everything.
 * @param where names the owner in messages.
 * @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE naming owner and field.
 */
export function decodeKey(
  { matchFields }: KeyOwner,
  match: readonly p4.FieldMatch[],
  where: Words,
): KeyField[] {
  // PERF: keys have few fields; the first that is unknown or there twice ends the search.
  for (let i = 0; i < match.length; i++) {
    const { fieldId } = match[i] as p4.FieldMatch;
    if (matchFields.byNumber(fieldId) === undefined) {
      throw invalid(`${wordsOf(where)}: no match field ${fieldId}`);
    }
    if (fieldOf(match, fieldId) !== match[i]) {
      throw invalid(`${wordsOf(where)}: match field ${fieldId} is set twice`);
    }
  }
  const infos = matchFields.all;
  const key = new Array<KeyField>(infos.length);
  for (let i = 0; i < infos.length; i++) {
    const info = infos[i] as MatchFieldInfo;
    key[i] = decodeKeyField(info, fieldOf(match, info.id), where);
  }
  return key;
}

/** The first field of a match with a number. */
function fieldOf(match: readonly p4.FieldMatch[], id: number): p4.FieldMatch | undefined {
  for (let i = 0; i < match.length; i++) {
    const each = match[i] as p4.FieldMatch;
    if (each.fieldId === id) return each;
  }
  return undefined;
}

function decodeKeyField(
  info: MatchFieldInfo,
  found: p4.FieldMatch | undefined,
  where: Words,
): KeyField {
  const { matchKind, width } = info;
  if (found === undefined) {
    const any = anyValue(matchKind, width);
    if (any === undefined) throw invalid(`${fieldWords(where, info)}: an exact field must be set`);
    return any;
  }
  const field = fittingField(info, found);
  if (field === undefined) return refuseField(info, found, fieldWords(where, info));
  const fault = wireFault(field, width) ?? keyFieldFault(field, width);
  if (fault !== undefined) throw invalid(`${fieldWords(where, info)}: ${fault}`);
  return field;
}

const fieldWords = (where: Words, { name }: MatchFieldInfo): string =>
  `${wordsOf(where)}, field '${name}'`;

/**
 * Reads one field of the kind that P4Info says, without the rules for its values.
 * @throws RpcError INVALID_ARGUMENT for another kind, OUT_OF_RANGE for values that are too wide.
 */
export function decodeField(info: MatchFieldInfo, match: p4.FieldMatch, what: Words): KeyField {
  return fittingField(info, match) ?? refuseField(info, match, what);
}

/** The field of {@link decodeField}; undefined where that throws. */
function fittingField(
  { matchKind, width }: MatchFieldInfo,
  match: p4.FieldMatch,
): KeyField | undefined {
  switch (matchKind) {
    case 'exact': {
      const value = match.hasExact ? valueOf(match.exact.value, width) : undefined;
      return value === undefined ? undefined : { kind: 'exact', value };
    }
    case 'optional': {
      const value = match.hasOptional ? valueOf(match.optional.value, width) : undefined;
      return value === undefined ? undefined : { kind: 'ternary', value, mask: allOnes(width) };
    }
    case 'lpm': {
      if (!match.hasLpm) return undefined;
      const value = valueOf(match.lpm.value, width);
      const prefixLength = match.lpm.prefixLen;
      return value === undefined ? undefined : { kind: 'lpm', value, prefixLength };
    }
    case 'ternary': {
      if (!match.hasTernary) return undefined;
      const [value, mask] = [
        valueOf(match.ternary.value, width),
        valueOf(match.ternary.mask, width),
      ];
      return value === undefined || mask === undefined
        ? undefined
        : { kind: 'ternary', value, mask };
    }
    case 'range': {
      if (!match.hasRange) return undefined;
      const [low, high] = [valueOf(match.range.low, width), valueOf(match.range.high, width)];
      return low === undefined || high === undefined ? undefined : { kind: 'range', low, high };
    }
    default:
      return unreachable(matchKind);
  }
}

function refuseField(
  { matchKind, width }: MatchFieldInfo,
  match: p4.FieldMatch,
  what: Words,
): never {
  for (const bytes of bytesOf(match, matchKind)) {
    if (valueOf(bytes, width) === undefined) refuseValue(bytes, width, what);
  }
  throw invalid(`${wordsOf(what)}: wanted a match of kind ${matchKind}, found another`);
}

/** The values of a match of a kind, in the order in which they are read; none for another kind. */
function bytesOf(match: p4.FieldMatch, kind: MatchKind): readonly Uint8Array[] {
  if (kind === 'exact' && match.hasExact) return [match.exact.value];
  if (kind === 'optional' && match.hasOptional) return [match.optional.value];
  if (kind === 'lpm' && match.hasLpm) return [match.lpm.value];
  if (kind === 'ternary' && match.hasTernary) return [match.ternary.value, match.ternary.mask];
  if (kind === 'range' && match.hasRange) return [match.range.low, match.range.high];
  return [];
}

/** The key as people read it: `hdr.ipv4.dst_addr = 10.0.1.0/24`. */
export function describeKey({ matchFields }: KeyOwner, key: readonly KeyField[]): string {
  const fields = matchFields.all.map(({ name, width }, i) => {
    const field = key[i];
    return field === undefined ? name : `${name} = ${describeKeyField(field, width)}`;
  });
  return fields.join(', ');
}

/** The rule that a field breaks on the wire, if any: one that matches everything is left out. */
export function wireFault(field: KeyField, width: number): string | undefined {
  const instead = 'leave the field out to match everything';
  if (field.kind === 'lpm') {
    const { prefixLength: length } = field;
    if (length >= 1 && length <= width) return undefined;
    return `prefix length ${length} is not in 1..${width}${length === 0 ? `; ${instead}` : ''}`;
  }
  if (!isAnyValue(field, width)) return undefined;
  return `${field.kind === 'range' ? 'the full range' : 'mask 0'}; ${instead}`;
}

function encodeField({ id: fieldId, matchKind }: MatchFieldInfo, field: KeyField): p4.FieldMatch {
  switch (field.kind) {
    case 'exact': {
      const exact = new p4.FieldMatchExact({ value: encodeValue(field.value) });
      return new p4.FieldMatch({ fieldId, exact });
    }
    case 'lpm': {
      const { value, prefixLength: prefixLen } = field;
      const lpm = new p4.FieldMatchLPM({ value: encodeValue(value), prefixLen });
      return new p4.FieldMatch({ fieldId, lpm });
    }
    case 'ternary': {
      const value = encodeValue(field.value);
      if (matchKind === 'optional') {
        return new p4.FieldMatch({ fieldId, optional: new p4.FieldMatchOptional({ value }) });
      }
      const ternary = new p4.FieldMatchTernary({ value, mask: encodeValue(field.mask) });
      return new p4.FieldMatch({ fieldId, ternary });
    }
    case 'range': {
      const [low, high] = [encodeValue(field.low), encodeValue(field.high)];
      return new p4.FieldMatch({ fieldId, range: new p4.FieldMatchRange({ low, high }) });
    }
    default:
      return unreachable(field);
  }
}

function invalid(message: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', message);
}
