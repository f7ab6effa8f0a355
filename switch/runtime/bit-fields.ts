/**
 * Unsigned integers at any bit position of a byte string, most significant bit first.
 *
 * PERF: a packet has about fifty fields, so numbers serve up to 48 bits and a scratch word serves
 * aligned 64-bit counters; only wider or odd fields are assembled byte by byte in bigint.
 */

/** Widths that numbers serve. */
const NUMBER_BITS = 48;
const POWERS_OF_TWO = Array.from({ length: 54 }, (_, i) => 2 ** i);
const SMALL = Array.from({ length: 1024 }, (_, i) => BigInt(i));

/** A non-negative integer below 2^53 as bigint, without allocation when it is small. */
export function toBigint(value: number): bigint {
  return value < 1024 ? (SMALL[value] ?? BigInt(value)) : BigInt(value);
}

const scratchWord = new BigUint64Array(1);
const scratchBytes = new Uint8Array(scratchWord.buffer);
/** True on little-endian machines, where the first byte of a word is the least significant one. */
const FIRST_IS_LEAST = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * Reads `width` bits from `bitOffset` on. Bits behind the end of `bytes` read as 0; callers that
 * must not read there check the length before.
 */
export function readBits(bytes: Uint8Array, bitOffset: number, width: number): bigint {
  const first = bitOffset >> 3;
  const end = bitOffset + width;
  const span = ((end + 7) >> 3) - first;
  const tail = -end & 7;
  if (span <= 6) return toBigint(readNarrow(bytes, first, { span, tail, width }));
  if (width === 64 && tail === 0) return readWord(bytes, first);
  let value = 0n;
  for (let i = 0; i < span; i++) value = (value << 8n) | BigInt(bytes[first + i] ?? 0);
  return BigInt.asUintN(width, value >> BigInt(tail));
}

/** Reads up to 48 bits that lie in at most 6 bytes; `tail` bits of the last byte are not wanted. */
function readNarrow(
  bytes: Uint8Array,
  first: number,
  where: { span: number; tail: number; width: number },
): number {
  let value = 0;
  for (let i = 0; i < where.span; i++) value = value * 256 + (bytes[first + i] ?? 0);
  if (where.tail !== 0) value = Math.floor(value / (POWERS_OF_TWO[where.tail] ?? 1));
  return where.width === where.span * 8 ? value : value % (POWERS_OF_TWO[where.width] ?? 1);
}

function readWord(bytes: Uint8Array, first: number): bigint {
  for (let i = 0; i < 8; i++) scratchBytes[FIRST_IS_LEAST ? 7 - i : i] = bytes[first + i] ?? 0;
  return scratchWord[0] ?? 0n;
}

/** Range of bits that {@link writeBits} fills. */
interface BitRange {
  readonly bitOffset: number;
  readonly width: number;
}

/**
 * Writes the low `width` bits of `value` from `bitOffset` on into bytes that are still zero there.
 * Negative values are written in two's complement.
 */
export function writeBits(bytes: Uint8Array, range: BitRange, value: bigint): void {
  if (range.width <= NUMBER_BITS) {
    writeNumber(bytes, range, lowNumber(value, range.width));
  } else if (range.width === 64 && (range.bitOffset & 7) === 0) {
    writeWord(bytes, range.bitOffset >> 3, BigInt.asUintN(64, value));
  } else {
    writeWide(bytes, range, BigInt.asUintN(range.width, value));
  }
}

/** The low bits as a number. PERF: nearly every value fits already, so nothing is cut off first. */
function lowNumber(value: bigint, width: number): number {
  const number = Number(value);
  const fits = number >= 0 && number < (POWERS_OF_TWO[width] ?? 0);
  return fits ? number : Number(BigInt.asUintN(width, value));
}

/**
 * As {@link writeBits}, for numbers of at most 48 bits that fit their width. From the last byte to
 * the first, each step places the bits that the byte has room for.
 */
export function writeNumber(
  bytes: Uint8Array,
  { bitOffset, width }: BitRange,
  value: number,
): void {
  const end = bitOffset + width;
  let index = (end - 1) >> 3;
  let rest = value;
  const tail = -end & 7;
  if (tail !== 0) {
    const room = 8 - tail;
    bytes[index] = (bytes[index] ?? 0) | ((rest << tail) & 0xff);
    rest = Math.floor(rest / (POWERS_OF_TWO[room] ?? 1));
    index--;
  }
  for (const first = bitOffset >> 3; index >= first; index--) {
    bytes[index] = (bytes[index] ?? 0) | (rest & 0xff);
    rest = Math.floor(rest / 256);
  }
}

function writeWord(bytes: Uint8Array, first: number, value: bigint): void {
  scratchWord[0] = value;
  for (let i = 0; i < 8; i++) bytes[first + i] = scratchBytes[FIRST_IS_LEAST ? 7 - i : i] ?? 0;
}

/** In pieces of at most 32 bits, the least significant first. */
function writeWide(bytes: Uint8Array, { bitOffset, width }: BitRange, value: bigint): void {
  let rest = value;
  for (let end = bitOffset + width; end > bitOffset; end -= 32) {
    const piece = Math.min(32, end - bitOffset);
    const low = Number(BigInt.asUintN(32, rest));
    writeNumber(bytes, { bitOffset: end - piece, width: piece }, low);
    rest >>= 32n;
  }
}
