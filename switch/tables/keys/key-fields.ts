import { unreachable } from '../../../common/assert';
import { StateError } from '../../control/table-control';
import type { KeyField, MatchKind } from '../../control/table-control';

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

/** Whether keys say the same about each field. */
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
  switch (field.kind) {
    case 'exact':
      checkValue(where, field.value, spec.width);
      return;
    case 'lpm':
      checkPrefix(where, field, spec.width);
      return;
    case 'ternary':
      checkMasked(where, field, spec);
      return;
    case 'range':
      checkRange(where, field, spec.width);
      return;
    default:
      return unreachable(field);
  }
}

function checkValue(where: () => string, value: bigint, width: number): void {
  if (BigInt.asUintN(width, value) === value) return;
  invalid(`${where()}: wanted an unsigned number of ${width} bits, found ${value.toString()}`);
}

function checkPrefix(
  where: () => string,
  field: { value: bigint; prefixLength: number },
  width: number,
): void {
  checkValue(where, field.value, width);
  const length = field.prefixLength;
  if (!Number.isInteger(length) || length < 0 || length > width) {
    invalid(`${where()}: wanted a prefix length from 0 to ${width}, found ${length}`);
  }
  if (BigInt.asUintN(width - length, field.value) !== 0n) {
    invalid(`${where()}: the value has bits set behind its prefix of ${length} bits`);
  }
}

function checkMasked(
  where: () => string,
  field: { value: bigint; mask: bigint },
  spec: KeySpec,
): void {
  checkValue(where, field.value, spec.width);
  checkValue(where, field.mask, spec.width);
  if ((field.value & ~field.mask) !== 0n)
    invalid(`${where()}: the value has bits outside its mask`);
}

function checkRange(
  where: () => string,
  field: { low: bigint; high: bigint },
  width: number,
): void {
  checkValue(where, field.low, width);
  checkValue(where, field.high, width);
  if (field.low > field.high) invalid(`${where()}: the range ends before it begins`);
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
