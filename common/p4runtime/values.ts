import { InputError } from '../errors';
import { allOnes, fitsWidth, prefixMask } from './bytestring';

/** A value as people write it: text, or a number that is exact. */
export type Value = string | number | bigint;

/**
 * Reads a `bit<width>` value: decimal, 0x…, 0b…, 0o…, an IPv4 address for 32 bits, a MAC address
 * for 48 bits or an IPv6 address for 128 bits.
 * @param what names the value in the error message.
 * @throws InputError when the text is none of these or needs more bits.
 */
export function parseValue(input: Value, width: number, what: string): bigint {
  const value = typeof input === 'string' ? parseText(input.trim(), width) : fromNumber(input);
  if (value === undefined) {
    throw new InputError(`${what}: wanted ${wanted(width)}, found '${String(input)}'`);
  }
  if (!fitsWidth(value, width)) {
    throw new InputError(`${what}: ${String(input)} does not fit in ${width} bits`);
  }
  return value;
}

/** Reads `value/length`, a prefix; bits behind it must be zero. @throws InputError */
export function parsePrefix(text: string, width: number, what: string): [bigint, number] {
  const [address = '', length = ''] = splitTwo(text, '/', what, 'value/prefix length');
  return checkedPrefix(address, Number(length), { width, what });
}

/** Checks a prefix given as two values. @throws InputError */
export function checkedPrefix(
  address: Value,
  length: number,
  field: { readonly width: number; readonly what: string },
): [bigint, number] {
  const { width, what } = field;
  const value = parseValue(address, width, what);
  if (!Number.isInteger(length) || length < 0 || length > width) {
    throw new InputError(`${what}: wanted a prefix length from 0 to ${width}, found ${length}`);
  }
  if ((value & ~prefixMask(length, width)) !== 0n) {
    throw new InputError(`${what}: ${String(address)}/${length} has bits behind its prefix`);
  }
  return [value, length];
}

/** Reads `value&&&mask`; bits outside the mask must be zero. @throws InputError */
export function parseMasked(text: string, width: number, what: string): [bigint, bigint] {
  const [value = '', mask = ''] = splitTwo(text, '&&&', what, 'value&&&mask');
  return [parseValue(value, width, what), parseValue(mask, width, what)];
}

/** Reads `low..high`, both included. @throws InputError */
export function parseRange(text: string, width: number, what: string): [bigint, bigint] {
  const [low = '', high = ''] = splitTwo(text, '..', what, 'low..high');
  return [parseValue(low, width, what), parseValue(high, width, what)];
}

/** Text of a value that {@link parseValue} reads back: addresses by their width, else decimal. */
export function formatValue(value: bigint, width: number): string {
  if (width === 32) return octets(value, 4).join('.');
  if (width === 48)
    return octets(value, 6)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(':');
  if (width === 128) return formatIpv6(value);
  return value.toString();
}

function splitTwo(text: string, mark: string, what: string, form: string): string[] {
  const parts = text.split(mark);
  if (parts.length !== 2) throw new InputError(`${what}: wanted ${form}, found '${text}'`);
  return parts;
}

function fromNumber(input: number | bigint): bigint | undefined {
  if (typeof input === 'bigint') return input;
  return Number.isSafeInteger(input) ? BigInt(input) : undefined;
}

function parseText(text: string, width: number): bigint | undefined {
  if (/^(\d+|0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/.test(text)) return BigInt(text);
  if (width === 32 && text.includes('.')) return parseIpv4(text);
  if (width === 48 && /[:-]/.test(text)) return parseMac(text);
  if (width === 128 && text.includes(':')) return parseIpv6(text);
  return undefined;
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined;
  return join(parts.map(Number), 255, 8n);
}

function parseMac(text: string): bigint | undefined {
  const parts = text.split(/[:-]/);
  if (parts.length !== 6 || !parts.every((part) => /^[\da-fA-F]{1,2}$/.test(part)))
    return undefined;
  return join(
    parts.map((part) => parseInt(part, 16)),
    255,
    8n,
  );
}

/** RFC 4291, section 2.2: eight groups, one run of zero groups as `::`, IPv4 in the last two. */
function parseIpv6(text: string): bigint | undefined {
  const sides = text.split('::');
  if (sides.length > 2 || (text.includes('.') && !/^[^.]*:[\d.]+$/.test(text))) return undefined;
  const [left, right] = [ipv6Groups(sides[0] ?? ''), ipv6Groups(sides[1] ?? '')];
  if (left === undefined || right === undefined) return undefined;
  const missing = 8 - left.length - right.length;
  if (sides.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return join([...left, ...new Array<number>(missing).fill(0), ...right], 0xffff, 16n);
}

function ipv6Groups(text: string): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  for (const part of text.split(':')) {
    const quad = part.includes('.') ? parseIpv4(part) : undefined;
    if (quad !== undefined) groups.push(Number(quad >> 16n), Number(quad & 0xffffn));
    else if (/^[\da-fA-F]{1,4}$/.test(part)) groups.push(parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function join(digits: readonly number[], largest: number, bits: bigint): bigint | undefined {
  if (digits.some((digit) => digit > largest)) return undefined;
  return digits.reduce((sum, digit) => (sum << bits) | BigInt(digit), 0n);
}

function octets(value: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    Number((value >> BigInt(8 * (count - 1 - i))) & 255n),
  );
}

function formatIpv6(value: bigint): string {
  const group = (i: number): string => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16);
  return Array.from({ length: 8 }, (_, i) => group(i)).join(':');
}

function wanted(width: number): string {
  const notations = `a number up to ${allOnes(width)}`;
  if (width === 32) return `${notations} or an IPv4 address`;
  if (width === 48) return `${notations} or a MAC address`;
  return width === 128 ? `${notations} or an IPv6 address` : notations;
}
