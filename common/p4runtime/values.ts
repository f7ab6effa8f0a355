import { InputError } from '../errors';
import { longOf } from '../protobuf/long';
import { allOnes, fitsWidth, wordsOf } from './bytestring';
import type { Words } from './bytestring';

/** A value as people write it: text, or a number that is exact. */
export type Value = string | number | bigint;

/**
 * Reads a `bit<width>` value: decimal, 0x…, 0b…, 0o…, an IPv4 address for 32 bits, a MAC address
 * for 48 bits or an IPv6 address for 128 bits.
 * @param what names the value in the error message.
 * @throws InputError when the text is none of these or needs more bits.
 */
export function parseValue(input: Value, width: number, what: Words): bigint {
  const value = typeof input === 'string' ? parseText(input.trim(), width) : fromNumber(input);
  if (value === undefined) {
    throw new InputError(`${wordsOf(what)}: wanted ${wanted(width)}, found '${String(input)}'`);
  }
  if (!fitsWidth(value, width)) {
    throw new InputError(`${wordsOf(what)}: ${String(input)} does not fit in ${width} bits`);
  }
  return value;
}

/** Reads an integer of either sign: decimal, 0x…, 0b…, 0o…; undefined for anything else. */
export function parseInteger(input: Value): bigint | undefined {
  if (typeof input !== 'string') return fromNumber(input);
  const [, sign, digits = ''] = /^(-?)(.+)$/.exec(input.trim()) ?? [];
  if (!INTEGER.test(digits)) return undefined;
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}

/** Text of a value that {@link parseValue} reads back: addresses by their width, else decimal. */
export function formatValue(value: bigint, width: number): string {
  if (width === 32) return octets(Number(value), 4).join('.');
  if (width === 48)
    return octets(Number(value), 6)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(':');
  if (width === 128) return formatIpv6(value);
  return value.toString();
}

function fromNumber(input: number | bigint): bigint | undefined {
  if (typeof input === 'bigint') return input;
  return Number.isSafeInteger(input) ? BigInt(input) : undefined;
}

const INTEGER = /^(\d+|0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/;

function parseText(text: string, width: number): bigint | undefined {
  if (width === 32 && text.includes('.')) return parseIpv4(text);
  if (width === 48 && text.length > 10 && text.charCodeAt(2) === COLON) return parseMac(text);
  if (INTEGER.test(text)) return BigInt(text);
  if (width === 48 && /[:-]/.test(text)) return parseMac(text);
  if (width === 128 && text.includes(':')) return parseIpv6(text);
  return undefined;
}

/** PERF: character by character, a fifth of the time that an expression takes; controllers load a million routes. */
function parseIpv4(text: string): bigint | undefined {
  let [address, byte, digits, dots] = [0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= DIGIT_0 && code <= DIGIT_9) {
      byte = byte * 10 + code - DIGIT_0;
      digits += 1;
      if (digits > 3 || byte > 255) return undefined;
    } else {
      if (code !== DOT || digits === 0) return undefined;
      address = address * 256 + byte;
      dots += 1;
      byte = digits = 0;
    }
  }
  return dots === 3 && digits > 0 ? longOf(0, address * 256 + byte) : undefined;
}

const [DIGIT_0, DIGIT_9, DOT] = [48, 57, 46];

/** Six bytes of one or two hexadecimal digits. PERF: likewise. */
function parseMac(text: string): bigint | undefined {
  let [high, low, byte, digits, bytes] = [0, 0, 0, 0, 0];
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : COLON;
    if (code === COLON || code === HYPHEN) {
      if (digits === 0) return undefined;
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | byte;
      bytes += 1;
      byte = digits = 0;
    } else {
      const digit = hexDigit(code);
      if (digit === undefined || digits === 2) return undefined;
      byte = byte * 16 + digit;
      digits += 1;
    }
  }
  return bytes === 6 ? longOf(high, low) : undefined;
}

function hexDigit(code: number): number | undefined {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  const letter = code | LOWER_CASE;
  return letter >= LETTER_A && letter <= LETTER_F ? letter - LETTER_A + 10 : undefined;
}

const [LOWER_CASE, LETTER_A, LETTER_F] = [32, 97, 102];
const [COLON, HYPHEN] = [58, 45];

/** RFC 4291, section 2.2: eight groups, one run of zero groups as `::`, IPv4 in the last two. */
function parseIpv6(text: string): bigint | undefined {
  const sides = text.split('::');
  if (sides.length > 2 || (text.includes('.') && !/^[^.]*:[\d.]+$/.test(text))) return undefined;
  const [left, right] = [ipv6Groups(sides[0] ?? ''), ipv6Groups(sides[1] ?? '')];
  if (left === undefined || right === undefined) return undefined;
  const missing = 8 - left.length - right.length;
  if (sides.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return join([...left, ...new Array<number>(missing).fill(0), ...right]);
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

/** The number that eight groups of 16 bits make. */
function join(groups: readonly number[]): bigint {
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
}

/** The last `count` bytes of a number of at most 53 bits. */
function octets(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor(value / 256 ** (count - 1 - i)) % 256);
}

/** RFC 5952: lower case, no leading zeros, the longest run of zero groups as `::`. */
function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => (value >> BigInt(112 - 16 * i)) & 0xffffn);
  const text = groups.map((each) => each.toString(16));
  const run = longestZeros(groups);
  if (run.length < 2) return text.join(':');
  return `${text.slice(0, run.start).join(':')}::${text.slice(run.start + run.length).join(':')}`;
}

/** The first of the longest runs of zeros. */
function longestZeros(groups: readonly bigint[]): { readonly start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  groups.forEach((group, i) => {
    length = group === 0n ? length + 1 : 0;
    if (length > longest.length) longest = { start: i + 1 - length, length };
  });
  return longest;
}

function wanted(width: number): string {
  const notations = `a number up to ${allOnes(width)}`;
  if (width === 32) return `${notations} or an IPv4 address`;
  if (width === 48) return `${notations} or a MAC address`;
  return width === 128 ? `${notations} or an IPv6 address` : notations;
}
