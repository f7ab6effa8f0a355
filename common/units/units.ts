/**
 * Units of the whole project. One unit of time inside: **integer picoseconds in a number**, exact up
 * to 2^53 ps = 2.5 hours. A byte lasts 80 ps at 100 Gb/s and 20 ps at 400 Gb/s, so serialisation
 * times are exact where nanoseconds would round 1090 bytes from 87.2 to 87 ns and run links 0.23 %
 * fast. Wire units (ns, us) appear only in codecs and in P4 metadata.
 *
 * The types are flavoured rather than branded: arithmetic gives a plain number that may be used
 * again, but an instant cannot be passed where bytes are wanted.
 */
declare const unit: unique symbol;
interface Flavour<Name extends string> {
  readonly [unit]?: Name;
}

/** A point in time, in picoseconds since the clock's origin. */
export type Instant = number & Flavour<'instant-ps'>;
/**
 * An instant in the first cell of an array, for those who read it at once. PERF: an instant that is an argument or
 * a result of a call becomes an object.
 */
export type InstantCell = Float64Array;
/** A length of time, in picoseconds. */
export type Duration = number & Flavour<'duration-ps'>;
/** A rate in bits per second. */
export type BitsPerSecond = number & Flavour<'bits-per-second'>;
/** A number of bytes. */
export type Bytes = number & Flavour<'bytes'>;
/** A data-plane port number, as P4 programs see it. */
export type PortNumber = number & Flavour<'port'>;

/** The origin of virtual time. */
export const ORIGIN: Instant = 0;

export const PS_PER_NS = 1_000;
export const PS_PER_US = 1_000_000;
export const PS_PER_MS = 1_000_000_000;
export const PS_PER_SECOND = 1_000_000_000_000;

/** A length of time from ns, rounded to whole ps. */
export const nanoseconds = (n: number): Duration => Math.round(n * PS_PER_NS);
/** A length of time from us, rounded to whole ps. */
export const microseconds = (n: number): Duration => Math.round(n * PS_PER_US);
export const milliseconds = (n: number): Duration => Math.round(n * PS_PER_MS);
export const seconds = (n: number): Duration => Math.round(n * PS_PER_SECOND);
/** A rate from Gb/s. */
export const gigabitsPerSecond = (n: number): BitsPerSecond => n * 1e9;

/**
 * Time to put `bytes` on a link of `rate`, in ps, rounded up to a whole picosecond.
 * Exact for every rate that divides 8e12 (25, 40, 100, 200, 400 Gb/s and their decimal fractions);
 * `bytes * 8e12` stays below 2^53 for packets up to 1125 bytes, so the product is split.
 */
export function serialisationTime(bytes: Bytes, rate: BitsPerSecond): Duration {
  return Math.ceil(bytes * byteTime(rate));
}

/** Time that a byte takes on a link of `rate`, in ps, which need not be whole. */
export const byteTime = (rate: BitsPerSecond): Duration => (8 * PS_PER_SECOND) / rate;
