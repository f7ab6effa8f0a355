import { unreachable } from '../../../common/assert';
import { StateError } from '../../control/table-control';
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
  spec.forEach((part, i) => {
    const field = key[i];
    const where = (): string => `table '${table}', key field '${part.name}'`;
    if (field !== undefined) checkField(where, part, field);
  });
}

/** Text that is equal exactly for keys that match the same packets at the same priority. */
export function keyIdentity(key: readonly KeyField[], priority: number): string {
  return `${priority}:${key.map(fieldIdentity).join(',')}`;
}

/** True if the keys are equal field by field. */
export function sameKey(one: readonly KeyField[], other: readonly KeyField[]): boolean {
  return one.length === other.length && one.every((field, i) => sameField(field, other[i]));
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

function checkField(where: () => string, spec: KeySpec, field: KeyField): void {
  const wanted = spec.matchKind === 'optional' ? 'ternary' : spec.matchKind;
  if (field.kind !== wanted) invalid(`${where()}: wanted kind ${wanted}, found ${field.kind}`);
  for (const value of valuesOf(field)) {
    if (BigInt.asUintN(spec.width, value) === value) continue;
    invalid(`${where()}: wanted an unsigned number of ${spec.width} bits, found ${value}`);
  }
  const fault = keyFieldFault(field, spec.width);
  if (fault !== undefined) invalid(`${where()}: ${fault}`);
}

function valuesOf(field: KeyField): readonly bigint[] {
  switch (field.kind) {
    case 'exact':
    case 'lpm':
      return [field.value];
    case 'ternary':
      return [field.value, field.mask];
    case 'range':
      return [field.low, field.high];
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
