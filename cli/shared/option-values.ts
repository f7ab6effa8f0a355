import { InvalidArgumentError } from 'commander';
import type { CsigDomain } from '../../common/wire/csig/csig-domain';
import { parseNumber, parseWhole } from '../../common/units/number-text';

/** Bounds of an option's value, both allowed. */
export interface Bounds {
  readonly from: number;
  readonly to?: number;
}

/** A reader of whole numbers within bounds, for commander. */
export const wholeWithin =
  ({ from, to = Number.MAX_SAFE_INTEGER }: Bounds) =>
  (text: string): number => {
    const value = parseWhole(text);
    if (value !== undefined && value >= from && value <= to) return value;
    const range = to === Number.MAX_SAFE_INTEGER ? `, ${from} or more` : ` from ${from} to ${to}`;
    throw new InvalidArgumentError(`must be a whole number${range}.`);
  };

/** A non-negative whole number, for commander. */
export const wholeOption = wholeWithin({ from: 0 });

/** A positive whole number, for commander. */
export const countOption = wholeWithin({ from: 1 });

/** A number of 16 bits, for commander. */
export const portOption = wholeWithin({ from: 0, to: 0xffff });

/** A non-negative number, for commander. */
export function numberOption(text: string): number {
  const value = parseNumber(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('must be a number, 0 or more.');
}

/**
 * Limits the values of `read` to the range from `min` to `max`, for commander. Every number has such ends:
 * beyond them timers fire at once, times lose their digits, and a slip of the pen asks for all memory.
 */
export function within(
  min: number,
  max: number,
  read: (text: string) => number,
): (text: string) => number {
  return (text) => {
    const value = read(text);
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be from ${min} to ${max}.`);
  };
}

/** 16 hexadecimal digits as two words, for commander. */
export function markerOption(text: string): [number, number] {
  const match = /^(?:0x)?([\da-f]{8})([\da-f]{8})$/i.exec(text);
  if (match === null) throw new InvalidArgumentError('must be 16 hexadecimal digits.');
  return [parseInt(match[1] ?? '', 16), parseInt(match[2] ?? '', 16)];
}

const CSIG_WINDOW_MAX = 2 ** 30;
const CSIG_STEP_MAX = 1_000_000;

/** Window and shortest delay of CSIG's buckets, both in ns, for commander. */
export function csigDomainOption(text: string): CsigDomain {
  const [windowNs = 0, delayStepNs = 0, ...more] = text.split(':').map((part) => parseWhole(part));
  const isWindow = windowNs >= 1 && windowNs <= CSIG_WINDOW_MAX && isPowerOfTwo(windowNs);
  if (isWindow && delayStepNs >= 1 && delayStepNs <= CSIG_STEP_MAX && more.length === 0) {
    return { windowNs, delayStepNs };
  }
  throw new InvalidArgumentError('must be a power of two and a number of ns, such as 2048:64.');
}

const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));

/** A number above 0, for commander. */
export function positiveOption(text: string): number {
  const value = parseNumber(text);
  if (value !== undefined && value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0.');
}

/** Ports of TCP, for commander. */
export function portsOption(text: string): number[] {
  const list = text.split(',').map((part) => parseWhole(part) ?? 0);
  if (list.every((port) => port > 0 && port <= 0xffff)) return list;
  throw new InvalidArgumentError('must be ports from 1 to 65535, parted by commas.');
}

/** Longest time that a timer can wait. */
const WAIT_MAX_SECONDS = 2_000_000;

/** A Unix time in seconds of the past or of the next three weeks, for commander. */
export function soonOption(text: string): number {
  const value = positiveOption(text);
  if (value - Date.now() / 1000 <= WAIT_MAX_SECONDS) return value;
  throw new InvalidArgumentError(
    `must be a Unix time within the next ${WAIT_MAX_SECONDS} seconds.`,
  );
}
