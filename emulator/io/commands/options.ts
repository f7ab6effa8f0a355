import { InvalidArgumentError } from 'commander';

/** A non-negative whole number, for commander. */
export function wholeOption(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('must be a whole number, 0 or more.');
}

/** A non-negative decimal number, for commander. */
export function numberOption(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError('must be a number, 0 or more.');
}
