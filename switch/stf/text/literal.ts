import type { Literal } from './statements';

const FORM = /^(?:(0[xX])([\da-fA-F*]+)|(0[bB])([01*]+)|(0[oO])([0-7*]+)|(\d+))$/;

/** Reads a number: decimal, `0x…`, `0b…` or `0o…`, the latter with `*` for digits left open. */
export function parseLiteral(text: string): Literal | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, hex, hexDigits, binary, binaryDigits, octal, octalDigits] = match;
  if (hex !== undefined) return digits(text, hexDigits ?? '', 16);
  if (binary !== undefined) return digits(text, binaryDigits ?? '', 2);
  if (octal !== undefined) return digits(text, octalDigits ?? '', 8);
  const value = BigInt(text);
  const bits = value.toString(2).length;
  return { text, value, known: ones(bits), bits, radix: 10 };
}

/** The number whose lowest `bits` bits are ones. */
export const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

function digits(text: string, body: string, radix: 2 | 8 | 16): Literal {
  const prefix = radix === 16 ? '0x' : radix === 8 ? '0o' : '0b';
  const highest = (radix - 1).toString(radix);
  return {
    text,
    value: BigInt(prefix + body.replaceAll('*', '0')),
    known: BigInt(prefix + body.replace(/[^*]/g, highest).replaceAll('*', '0')),
    bits: body.length * Math.log2(radix),
    radix,
  };
}
