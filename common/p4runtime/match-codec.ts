import { unreachable } from '../assert';
import { allOnes, decodeValue, encodeValue, wordsOf } from './bytestring';
import type { Words } from './bytestring';
import { RpcError } from './codes';
import * as p4 from './generated/p4/v1/p4runtime';
import { anyValue, describeKeyField, isAnyValue, keyFieldFault } from './key-field';
import type { KeyField } from './key-field';
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
  match.forEach(({ fieldId }, i) => {
    if (matchFields.byNumber(fieldId) === undefined) {
      throw invalid(`${wordsOf(where)}: no match field ${fieldId}`);
    }
    if (match.findIndex((each) => each.fieldId === fieldId) < i) {
      throw invalid(`${wordsOf(where)}: match field ${fieldId} is set twice`);
    }
  });
  return matchFields.all.map((info) => {
    const { matchKind, width } = info;
    const found = match.find(({ fieldId }) => fieldId === info.id);
    const what = (): string => `${wordsOf(where)}, field '${info.name}'`;
    const field = found === undefined ? anyValue(matchKind, width) : decodeField(info, found, what);
    if (field === undefined) throw invalid(`${what()}: an exact field must be set`);
    const fault = found && (wireFault(field, width) ?? keyFieldFault(field, width));
    if (fault !== undefined) throw invalid(`${what()}: ${fault}`);
    return field;
  });
}

/**
 * Reads one field of the kind that P4Info says, without the rules for its values.
 * @throws RpcError INVALID_ARGUMENT for another kind, OUT_OF_RANGE for values that are too wide.
 */
export function decodeField(info: MatchFieldInfo, match: p4.FieldMatch, what: Words): KeyField {
  const { matchKind, width } = info;
  const value = (bytes: Uint8Array): bigint => decodeValue(bytes, width, what);
  if (matchKind === 'exact' && match.hasExact) {
    return { kind: 'exact', value: value(match.exact.value) };
  }
  if (matchKind === 'optional' && match.hasOptional) {
    return { kind: 'ternary', value: value(match.optional.value), mask: allOnes(width) };
  }
  if (matchKind === 'lpm' && match.hasLpm) {
    return { kind: 'lpm', value: value(match.lpm.value), prefixLength: match.lpm.prefixLen };
  }
  if (matchKind === 'ternary' && match.hasTernary) {
    const { ternary } = match;
    return { kind: 'ternary', value: value(ternary.value), mask: value(ternary.mask) };
  }
  if (matchKind === 'range' && match.hasRange) {
    return { kind: 'range', low: value(match.range.low), high: value(match.range.high) };
  }
  throw invalid(`${wordsOf(what)}: wanted a match of kind ${matchKind}, found another`);
}

/** The key as people read it: `hdr.ipv4.dst_addr = 10.0.1.0/24`. */
export function describeKey({ matchFields }: KeyOwner, key: readonly KeyField[]): string {
  const fields = matchFields.all.map(({ name, width }, i) => {
    const field = key[i];
    return field === undefined ? name : `${name} = ${describeKeyField(field, width)}`;
  });
  return fields.join(', ');
}

/** A field that matches everything has one form on the wire: it is left out. */
function wireFault(field: KeyField, width: number): string | undefined {
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
