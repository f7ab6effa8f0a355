import { ProgramAssertionError } from './executor';

/** Fills the `{}` of the format from left to right. */
export function formatMessage(format: string, values: readonly (number | bigint)[]): string {
  let next = 0;
  return format.replace(/\{\}/g, (braces) => values[next++]?.toString() ?? braces);
}

/** @throws ProgramAssertionError always. */
export function failAssertion(place: string): never {
  throw new ProgramAssertionError(`assertion of the program fails at ${place}`);
}
