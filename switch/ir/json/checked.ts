import type { z } from 'zod';

import { malformed } from './place';
import type { Place } from './place';

/** The value as `schema` describes it. @throws InputError with the JSON path of the first fault. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, place: Place): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  let at = place;
  for (const step of issue?.path ?? []) {
    at = at.child(typeof step === 'number' ? step : String(step));
  }
  return malformed(issue?.message ?? 'unknown fault', at);
}

/** A hexadecimal constant such as `0x0800` or `-0x1`. @throws InputError when it is none. */
export function parseHex(value: unknown, place: Place): bigint {
  if (typeof value !== 'string' || !/^-?(0x)?[0-9a-f]+$/i.test(value)) {
    return malformed(`wanted a hexadecimal number, found ${JSON.stringify(value)}`, place);
  }
  const negative = value.startsWith('-');
  const digits = value.replace(/^-?(0x)?/i, '');
  const magnitude = BigInt(`0x${digits}`);
  return negative ? -magnitude : magnitude;
}

/** The member of `map`, or the error that it is not declared. */
export function lookUp<T>(
  map: ReadonlyMap<string, T>,
  name: string,
  what: string,
  place: Place,
): T {
  const found = map.get(name);
  return found === undefined ? malformed(`${what} '${name}' is not declared`, place) : found;
}
