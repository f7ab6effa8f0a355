import { unreachable } from '../../../common/assert';
import { allOnes, decodeValue, encodeValue, wordsOf } from '../../../common/p4runtime/bytestring';
import type { Words } from '../../../common/p4runtime/bytestring';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { MatchFieldInfo, TableInfo } from '../../../common/p4runtime/p4info';
import type { NameIndex } from '../../../common/p4runtime/name-index';
import { formatValue } from '../../../common/p4runtime/values';
import type { KeyField } from '../../control/table-control';

/**
 * Reads the match of a table entry into a key, field by field in the order of the table
 * (P4Runtime 1.5.0, section "Match Format"). A field left out does not matter.
 * @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE naming table and field.
 */
export function decodeKey(table: TableInfo, match: readonly p4.FieldMatch[]): KeyField[] {
  return decodeFields(table.matchFields, match, () => `table '${table.name}'`);
}

/** As {@link decodeKey}, for the fields of a table or of a value set. @throws RpcError likewise. */
export function decodeFields(
  fields: NameIndex<MatchFieldInfo>,
  match: readonly p4.FieldMatch[],
  where: Words,
): KeyField[] {
  // PERF: keys have few fields; the first that is unknown or there twice ends the search.
  match.forEach(({ fieldId }, i) => {
    if (fields.byNumber(fieldId) === undefined)
      throw invalid(`${wordsOf(where)}: no match field ${fieldId}`);
    if (match.findIndex((each) => each.fieldId === fieldId) < i) {
      throw invalid(`${wordsOf(where)}: match field ${fieldId} is set twice`);
    }
  });
  return fields.all.map((field) => {
    const found = match.find(({ fieldId }) => fieldId === field.id);
    const what = (): string => `${wordsOf(where)}, field '${field.name}'`;
    return found === undefined ? dontCare(field, what) : decodeField(field, found, what);
  });
}

/** The match of a key, without the fields that do not matter. */
export function encodeKey(table: TableInfo, key: readonly KeyField[]): p4.FieldMatch[] {
  return encodeFields(table.matchFields, key);
}

/** As {@link encodeKey}, for the fields of a table or of a value set. */
export function encodeFields(
  fields: NameIndex<MatchFieldInfo>,
  key: readonly KeyField[],
): p4.FieldMatch[] {
  return fields.all.flatMap((info, i) => {
    const field = key[i];
    return field === undefined || isDontCare(field, info) ? [] : [encodeField(info, field)];
  });
}

/** The key as people read it: `hdr.ipv4.dst_addr = 10.0.1.0/24`. */
export function describeKey(table: TableInfo, key: readonly KeyField[]): string {
  const fields = table.matchFields.all.map((info, i) => {
    const field = key[i];
    return field === undefined ? info.name : `${info.name} = ${describeField(info, field)}`;
  });
  return fields.join(', ');
}

function dontCare(field: MatchFieldInfo, what: () => string): KeyField {
  switch (field.matchKind) {
    case 'exact':
      throw invalid(`${what()}: an exact field must be set`);
    case 'lpm':
      return { kind: 'lpm', value: 0n, prefixLength: 0 };
    case 'ternary':
    case 'optional':
      return { kind: 'ternary', value: 0n, mask: 0n };
    case 'range':
      return { kind: 'range', low: 0n, high: allOnes(field.width) };
    default:
      return unreachable(field.matchKind);
  }
}

function isDontCare(field: KeyField, info: MatchFieldInfo): boolean {
  switch (field.kind) {
    case 'exact':
      return false;
    case 'lpm':
      return field.prefixLength === 0;
    case 'ternary':
      return field.mask === 0n;
    case 'range':
      return field.low === 0n && field.high === allOnes(info.width);
    default:
      return unreachable(field);
  }
}

function decodeField(info: MatchFieldInfo, match: p4.FieldMatch, what: () => string): KeyField {
  const value = (bytes: Uint8Array): bigint => decodeValue(bytes, info.width, what);
  const wanted = info.matchKind;
  if (wanted === 'exact' && match.hasExact) {
    return { kind: 'exact', value: value(match.exact.value) };
  }
  if (wanted === 'optional' && match.hasOptional) {
    return { kind: 'ternary', value: value(match.optional.value), mask: allOnes(info.width) };
  }
  if (wanted === 'lpm' && match.hasLpm) return decodeLpm(info, match.lpm, what);
  if (wanted === 'ternary' && match.hasTernary) {
    return checkedTernary(value(match.ternary.value), value(match.ternary.mask), what);
  }
  if (wanted === 'range' && match.hasRange) {
    return checkedRange(value(match.range.low), value(match.range.high), info, what);
  }
  throw invalid(`${what()}: wanted a match of kind ${wanted}, found another`);
}

function decodeLpm(info: MatchFieldInfo, lpm: p4.FieldMatchLPM, what: () => string): KeyField {
  const value = decodeValue(lpm.value, info.width, what);
  const length = lpm.prefixLen;
  if (length < 1 || length > info.width) {
    const reason = length === 0 ? '; leave the field out to match everything' : '';
    throw invalid(`${what()}: prefix length ${length} is not in 1..${info.width}${reason}`);
  }
  if (BigInt.asUintN(info.width - length, value) !== 0n) {
    const text = formatValue(value, info.width);
    throw invalid(`${what()}: ${text}/${length} has bits behind its prefix`);
  }
  return { kind: 'lpm', value, prefixLength: length };
}

function checkedTernary(value: bigint, mask: bigint, what: () => string): KeyField {
  if (mask === 0n) throw invalid(`${what()}: mask 0; leave the field out to match everything`);
  if ((value & ~mask) !== 0n) throw invalid(`${what()}: the value has bits outside its mask`);
  return { kind: 'ternary', value, mask };
}

function checkedRange(
  low: bigint,
  high: bigint,
  info: MatchFieldInfo,
  what: () => string,
): KeyField {
  if (low > high) throw invalid(`${what()}: the range ${low}..${high} is empty`);
  if (low === 0n && high === allOnes(info.width)) {
    throw invalid(`${what()}: the full range; leave the field out to match everything`);
  }
  return { kind: 'range', low, high };
}

function encodeField(info: MatchFieldInfo, field: KeyField): p4.FieldMatch {
  const fieldId = info.id;
  switch (field.kind) {
    case 'exact': {
      const exact = new p4.FieldMatchExact({ value: encodeValue(field.value) });
      return new p4.FieldMatch({ fieldId, exact });
    }
    case 'lpm': {
      const { value, prefixLength } = field;
      const lpm = new p4.FieldMatchLPM({ value: encodeValue(value), prefixLen: prefixLength });
      return new p4.FieldMatch({ fieldId, lpm });
    }
    case 'ternary':
      return encodeTernary(info, field);
    case 'range': {
      const [low, high] = [encodeValue(field.low), encodeValue(field.high)];
      return new p4.FieldMatch({ fieldId, range: new p4.FieldMatchRange({ low, high }) });
    }
    default:
      return unreachable(field);
  }
}

function encodeTernary(
  info: MatchFieldInfo,
  field: KeyField & { readonly kind: 'ternary' },
): p4.FieldMatch {
  const value = encodeValue(field.value);
  if (info.matchKind === 'optional') {
    const optional = new p4.FieldMatchOptional({ value });
    return new p4.FieldMatch({ fieldId: info.id, optional });
  }
  const ternary = new p4.FieldMatchTernary({ value, mask: encodeValue(field.mask) });
  return new p4.FieldMatch({ fieldId: info.id, ternary });
}

function describeField(info: MatchFieldInfo, field: KeyField): string {
  const text = (value: bigint): string => formatValue(value, info.width);
  if (isDontCare(field, info)) return 'any';
  switch (field.kind) {
    case 'exact':
      return text(field.value);
    case 'lpm':
      return `${text(field.value)}/${field.prefixLength}`;
    case 'ternary':
      return `${text(field.value)}&&&0x${field.mask.toString(16)}`;
    case 'range':
      return `${text(field.low)}..${text(field.high)}`;
    default:
      return unreachable(field);
  }
}

function invalid(message: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', message);
}
