import { InputError } from '../../../common/errors';
import { parseWhole } from '../../../common/units/number-text';
import type { SplitFlags } from './split-flags';

/** What was given for a flag, each time that it was. */
export const values = (split: SplitFlags, name: string): string[] =>
  split.given.filter(({ flag }) => flag.name === name).map(({ value }) => value);

export const has = (split: SplitFlags, name: string): boolean => values(split, name).length > 0;

/** The last one counts. */
export const last = (split: SplitFlags, name: string): string | undefined =>
  values(split, name).at(-1);

/** What `read` makes of the text, where there is any. */
export function optional<T>(
  split: SplitFlags,
  name: string,
  read: (text: string) => T,
): T | undefined {
  const text = last(split, name);
  return text === undefined ? undefined : read(text);
}

/** Undefined for all but whole numbers up to `max`. */
export function wholeUpTo(text: string, max: number): number | undefined {
  const value = parseWhole(text);
  return value !== undefined && value <= max ? value : undefined;
}

/** @throws InputError naming the flag, what it takes and what was found. */
export function wholeNumber(name: string, text: string, max: number): number {
  const value = wholeUpTo(text, max);
  if (value !== undefined) return value;
  throw new InputError(`--${name} takes a whole number up to ${max}, and '${text}' was given`);
}
