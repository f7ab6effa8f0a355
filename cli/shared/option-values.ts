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

const SCALES: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9 };

/** A positive number with a decimal suffix, such as 2.5G, for commander. */
export function scaledOption(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text);
  const value = Number(match?.[1]) * (SCALES[match?.[2]?.toUpperCase() ?? ''] ?? NaN);
  if (value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0, such as 5000, 2.5M or 10G.');
}

/** The same for whole numbers of bytes. */
export function bytesOption(text: string): number {
  const value = scaledOption(text);
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('must be a whole number of bytes, such as 5000 or 2.5M.');
}

/** A number above 0, for commander. */
export function positiveOption(text: string): number {
  const value = numberOption(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0.');
}

/** T in us, or that it is to be measured, for commander. */
export function baseRttOption(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0, or auto.');
}

/** A positive whole number, for commander. */
export function countOption(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number, 1 or more.');
}

/** Ports of TCP, for commander. */
export function portsOption(text: string): number[] {
  const list = text.split(',').map(Number);
  if (list.every((port) => Number.isInteger(port) && port > 0 && port <= 0xffff)) return list;
  throw new InvalidArgumentError('must be ports from 1 to 65535, parted by commas.');
}
