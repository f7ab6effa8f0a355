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

/** A number of 16 bits, decimal or with 0x, for commander. */
export function portOption(text: string): number {
  const value = Number(text);
  if (/^(\d+|0x[\da-f]+)$/i.test(text) && value <= 0xffff) return value;
  throw new InvalidArgumentError('must be a whole number from 0 to 65535.');
}

/** 16 hexadecimal digits as two words, for commander. */
export function markerOption(text: string): [number, number] {
  const match = /^(?:0x)?([\da-f]{8})([\da-f]{8})$/i.exec(text);
  if (match === null) throw new InvalidArgumentError('must be 16 hexadecimal digits.');
  return [parseInt(match[1] ?? '', 16), parseInt(match[2] ?? '', 16)];
}
