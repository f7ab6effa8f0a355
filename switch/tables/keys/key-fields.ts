import { unreachable } from '../../../common/assert';
import { StateError } from '../../control/table-control';
import { fitsWidth } from '../../../common/p4runtime/bytestring';
import { keyFieldFault } from '../../../common/p4runtime/key-field';
import type { KeyField, MatchKind } from '../../../common/p4runtime/key-field';

/** One key field of a table, as far as entries depend on it. */
export interface KeySpec {
  readonly name: string;
  readonly matchKind: MatchKind;
  readonly width: number;
}

/**
 * Checks the key of an entry against the table: number of fields, kinds, ranges, and no bits
 * outside a mask or behind a prefix.
 * @throws StateError 'invalid' naming table, field and what was wanted.
 */
export function checkKey(table: string, spec: readonly KeySpec[], key: readonly KeyField[]): void {
  if (key.length !== spec.length) {
    invalid(`table '${table}': wanted ${spec.length} key fields, found ${key.length}`);
  }
  for (let i = 0; i < spec.length; i++) {
    const [part, field] = [spec[i] as KeySpec, key[i]];
    const fault = field && fieldFault(part, field);
    if (fault !== undefined) invalid(`table '${table}', key field '${part.name}': ${fault}`);
  }
}

/** Text that is equal exactly for keys that match the same packets at the same priority. */
export function keyIdentity(key: readonly KeyField[], priority: number): string {
  return `${priority}:${key.map(fieldIdentity).join(',')}`;
}

/** True if the keys are equal field by field. */
export function sameKey(one: readonly KeyField[], other: readonly KeyField[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) {
    if (!sameField(one[i] as KeyField, other[i])) return false;
  }
  return true;
}

function sameField(one: KeyField, other: KeyField | undefined): boolean {
  switch (one.kind) {
    case 'exact':
      return other?.kind === 'exact' && one.value === other.value;
    case 'lpm':
      return (
        other?.kind === 'lpm' &&
        one.value === other.value &&
        one.prefixLength === other.prefixLength
      );
    case 'ternary':
      return other?.kind === 'ternary' && one.value === other.value && one.mask === other.mask;
    case 'range':
      return other?.kind === 'range' && one.low === other.low && one.high === other.high;
    default:
      return unreachable(one);
  }
}

function invalid(message: string): never {
  throw new StateError('invalid', message);
}

function fieldFault(spec: KeySpec, field: KeyField): string | undefined {
  const wanted = spec.matchKind === 'optional' ? 'ternary' : spec.matchKind;
  if (field.kind !== wanted) return `wanted kind ${wanted}, found ${field.kind}`;
  const wide = wideValue(spec.width, field);
  if (wide === undefined) return keyFieldFault(field, spec.width);
  return `wanted an unsigned number of ${spec.width} bits, found ${wide}`;
}

/** The first value that has more bits than the field. */
function wideValue(width: number, field: KeyField): bigint | undefined {
  switch (field.kind) {
    case 'exact':
    case 'lpm':
      return fitsWidth(field.value, width) ? undefined : field.value;
    case 'ternary':
      if (!fitsWidth(field.value, width)) return field.value;
      return fitsWidth(field.mask, width) ? undefined : field.mask;
    case 'range':
      if (!fitsWidth(field.low, width)) return field.low;
      return fitsWidth(field.high, width) ? undefined : field.high;
    default:
      return unreachable(field);
  }
}

function fieldIdentity(field: KeyField): string {
  switch (field.kind) {
    case 'exact':
      return field.value.toString();
    case 'lpm':
      return `${field.value.toString()}/${field.prefixLength}`;
    case 'ternary':
      return `${field.value.toString()}&${field.mask.toString()}`;
    case 'range':
      return `${field.low.toString()}..${field.high.toString()}`;
    default:
      return unreachable(field);
  }
}
