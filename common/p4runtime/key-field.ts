import { unreachable } from '../assert';
import { allOnes } from './bytestring';
import { formatValue } from './values';

/** Match type of a key field (P4Runtime 1.5.0, section "Match Format"). */
export type MatchKind = 'exact' | 'lpm' | 'ternary' | 'range' | 'optional';

/** One key field of an entry. An optional field is `ternary`: mask 0 means "don't care". */
export type KeyField =
  | { readonly kind: 'exact'; readonly value: bigint }
  | { readonly kind: 'lpm'; readonly value: bigint; readonly prefixLength: number }
  | { readonly kind: 'ternary'; readonly value: bigint; readonly mask: bigint }
  | { readonly kind: 'range'; readonly low: bigint; readonly high: bigint };

/** The field that matches every value; undefined for `exact`, which has none. */
export function anyValue(kind: MatchKind, width: number): KeyField | undefined {
  switch (kind) {
    case 'exact':
      return undefined;
    case 'lpm':
      return { kind: 'lpm', value: 0n, prefixLength: 0 };
    case 'ternary':
    case 'optional':
      return { kind: 'ternary', value: 0n, mask: 0n };
    case 'range':
      return { kind: 'range', low: 0n, high: allOnes(width) };
    default:
      return unreachable(kind);
  }
}

/** True if the field matches every value of its width. */
export function isAnyValue(field: KeyField, width: number): boolean {
  switch (field.kind) {
    case 'exact':
      return false;
    case 'lpm':
      return field.prefixLength === 0;
    case 'ternary':
      return field.mask === 0n;
    case 'range':
      return field.low === 0n && field.high === allOnes(width);
    default:
      return unreachable(field);
  }
}

/** Says which rule a field breaks whose values fit its width; undefined if it breaks none. */
export function keyFieldFault(field: KeyField, width: number): string | undefined {
  switch (field.kind) {
    case 'exact':
      return undefined;
    case 'lpm': {
      const { value, prefixLength: length } = field;
      if (!Number.isInteger(length) || length < 0 || length > width) {
        return `wanted a prefix length from 0 to ${width}, found ${length}`;
      }
      // PERF: most routes of a controller are of hosts.
      if (length === width || BigInt.asUintN(width - length, value) === 0n) return undefined;
      return `${formatValue(value, width)}/${length} has bits behind its prefix`;
    }
    case 'ternary':
      if ((field.value & ~field.mask) === 0n) return undefined;
      return 'the value has bits outside its mask';
    case 'range':
      if (field.low <= field.high) return undefined;
      return `the range ${field.low}..${field.high} is empty`;
    default:
      return unreachable(field);
  }
}

/** The field as people read it: `10.0.1.0/24`, `1&&&0x3`, `1..1023`, one value, or `any`. */
export function describeKeyField(field: KeyField, width: number): string {
  const text = (value: bigint): string => formatValue(value, width);
  if (isAnyValue(field, width)) return 'any';
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
