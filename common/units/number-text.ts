/**
 * The one syntax of numbers in options and flags: decimal, with a fraction or an exponent if need be,
 * or hexadecimal after 0x; a decimal number may end in K, M, G or T for powers of a thousand. No sign:
 * no option takes negative numbers.
 *
 *     5000   2.5M   1e9   0x12b7
 */
const NUMBER = /^(?:(0x[\da-f]+)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)([KMGT]?))$/i;

const SCALES: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** The number that a text means; undefined for other text, and for what no number can hold. */
export function parseNumber(text: string): number | undefined {
  const [, hex, decimal, suffix = ''] = NUMBER.exec(text) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const value = Number(hex ?? decimal) * (SCALES[suffix.toUpperCase()] ?? NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** The same for whole numbers, which must be exact: at most 2^53 - 1. */
export function parseWhole(text: string): number | undefined {
  const value = parseNumber(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The same for whole numbers of any size, which have neither fraction, exponent nor suffix. */
export function parseWideWhole(text: string): bigint | undefined {
  return /^(?:0x[\da-f]+|\d+)$/i.test(text) ? BigInt(text) : undefined;
}
