import { InputError } from '../../../common/errors';

const SIGNED_MAX = 2n ** 63n - 1n;
const UNSIGNED_MAX = 2n ** 64n - 1n;

/** The text of a count for an int64 field. @throws InputError for what is negative or too large. */
export function signed64(value: bigint, what: string): string {
  return checked(value, SIGNED_MAX, what);
}

/** The text of a number for a uint64 field. @throws InputError likewise. */
export function unsigned64(value: bigint, what: string): string {
  return checked(value, UNSIGNED_MAX, what);
}

function checked(value: bigint, max: bigint, what: string): string {
  if (value >= 0n && value <= max) return value.toString();
  throw new InputError(`${what}: wanted a number from 0 to ${max}, found ${value}`);
}
