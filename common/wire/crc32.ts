/**
 * CRC-32 of Ethernet and zlib (polynomial 0x04C11DB7, reflected) as operations on its register. The
 * caller sets the register's first value, usually all ones, and inverts the last one.
 */
const POLYNOMIAL_REFLECTED = 0xedb88320;

/** The polynomial 1 in the reflected form, where the highest bit is the coefficient of x^0. */
const ONE = 0x8000_0000;

/** The register after `bytes` from `from` up to `to`. PERF: one look into a table per byte. */
export function crc32(register: number, bytes: Uint8Array, from: number, to: number): number {
  let state = register;
  for (let at = from; at < to; at++) {
    state = (state >>> 8) ^ (TABLE[(state ^ (bytes[at] as number)) & 0xff] as number);
  }
  return state >>> 0;
}

/**
 * The register after `count` bytes of zeros. Each multiplies the register by x^8 modulo the
 * polynomial, and powers of x follow from squares. PERF: 32 steps per bit of `count`.
 */
export function crc32OfZeros(register: number, count: number): number {
  let state = register;
  let rest = count;
  for (let k = 0; rest > 0; k++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) state = multiply(squareOfZeros(k), state);
  }
  return state >>> 0;
}

/** The product of two polynomials modulo that of the CRC. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let mask = ONE; mask !== 0; mask >>>= 1) {
    if ((a & mask) !== 0) product ^= shifted;
    shifted = (shifted & 1) !== 0 ? (shifted >>> 1) ^ POLYNOMIAL_REFLECTED : shifted >>> 1;
  }
  return product >>> 0;
}

/** x^(8 * 2^k): what 2^k bytes of zeros multiply the register by. */
function squareOfZeros(k: number): number {
  for (let last = SQUARES.length - 1; last < k; last++) {
    const square = SQUARES[last] as number;
    SQUARES.push(multiply(square, square));
  }
  return SQUARES[k] as number;
}

/** Powers x^(8 * 2^k), by k; grows when longer runs of zeros come. */
const SQUARES = [ONE >>> 8];

/**
 * Table of a CRC that takes the least significant bit first: the register after each byte.
 * @param polynomial with its bits in reverse order.
 */
export function reflectedTable(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let register = byte;
    for (let bit = 0; bit < 8; bit++) {
      register = (register & 1) !== 0 ? (register >>> 1) ^ polynomial : register >>> 1;
    }
    return register;
  });
}

const TABLE = reflectedTable(POLYNOMIAL_REFLECTED);
