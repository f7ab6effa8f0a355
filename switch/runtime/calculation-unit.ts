import { StateError } from '../control/table-control';
import { toBigint } from './bit-fields';
import { ConfigurableCrc } from './custom-crc';
import { hash } from './hash';
import type { CrcParameters, HashControl } from '../control/program-control';
import type { HashAlgorithm } from './hash';

/** Whole words of 32 bits, most significant byte first. */
const WORD_BYTES = 4;

/** bmv2's key until another is set: every hash is 0. */
const ZERO_KEY: readonly number[] = [0];

/** The words of a key, or undefined when its length is not a positive multiple of 4 bytes. */
function toeplitzKey(key: Uint8Array): readonly number[] | undefined {
  if (key.length === 0 || key.length % WORD_BYTES !== 0) return undefined;
  return words(key);
}

/**
 * The Toeplitz hash: each one bit of the input adds the 32 bits of the key that start at the bit's
 * position. Inputs longer than the key use it again from the start.
 */
function toeplitz(key: readonly number[], bytes: Uint8Array): number {
  let result = 0;
  words(bytes).forEach((word, i) => {
    const left = key[i % key.length] ?? 0;
    const right = key[(i + 1) % key.length] ?? 0;
    for (let bit = 0; bit < 32; bit++) {
      if (((word >>> (31 - bit)) & 1) === 0) continue;
      result ^= bit === 0 ? left : (left << bit) | (right >>> (32 - bit));
    }
  });
  return result >>> 0;
}

/** The last word is filled up with zeros. */
function words(bytes: Uint8Array): number[] {
  const result = new Array<number>(Math.ceil(bytes.length / WORD_BYTES)).fill(0);
  bytes.forEach((byte, i) => {
    const word = Math.floor(i / WORD_BYTES);
    result[word] = ((result[word] ?? 0) | (byte << (24 - 8 * (i % WORD_BYTES)))) >>> 0;
  });
  return result;
}

/** A hash of one calculation or selector, with the settings and the state that it keeps. */
export interface CalculationUnit extends HashControl {
  readonly name: string;
  readonly algorithm: HashAlgorithm;
  /** The hash of a byte string, as an unsigned integer of up to 64 bits. */
  compute(bytes: Uint8Array): bigint;
}

export function createCalculation(name: string, algorithm: HashAlgorithm): CalculationUnit {
  switch (algorithm) {
    case 'crc8_custom':
    case 'crc16_custom':
    case 'crc32_custom':
    case 'crc64_custom':
      return new CustomCrcUnit(name, new ConfigurableCrc(algorithm));
    case 'toeplitz':
      return new ToeplitzUnit(name);
    case 'round_robin':
      return new Unit(name, algorithm, counter());
    case 'round_robin_consistent':
      return new Unit(name, algorithm, consistentCounter());
    case 'crc16':
    case 'crc32':
    case 'crcCCITT':
    case 'csum16':
    case 'xor16':
    case 'xor32':
    case 'identity':
    case 'xxh64':
    case 'hash_ex':
      return new Unit(name, algorithm, (bytes) => hash(algorithm, bytes));
  }
}

class Unit implements CalculationUnit {
  constructor(
    readonly name: string,
    readonly algorithm: HashAlgorithm,
    readonly compute: (bytes: Uint8Array) => bigint,
  ) {}

  setCrcParameters({ polynomial }: CrcParameters): void {
    this.#refuse(`wanted a custom CRC for the polynomial 0x${polynomial.toString(16)}`);
  }

  setToeplitzKey(key: Uint8Array): void {
    this.#refuse(`wanted a Toeplitz hash for a key of ${key.length} bytes`);
  }

  #refuse(wanted: string): never {
    throw new StateError('invalid', `'${this.name}': ${wanted}, found ${this.algorithm}`);
  }
}

class CustomCrcUnit extends Unit {
  readonly #crc: ConfigurableCrc;

  constructor(name: string, crc: ConfigurableCrc) {
    super(name, crc.algorithm, (bytes) => crc.compute(bytes));
    this.#crc = crc;
  }

  override setCrcParameters(parameters: CrcParameters): void {
    this.#crc.configure(parameters);
  }
}

class ToeplitzUnit extends Unit {
  #key = ZERO_KEY;

  constructor(name: string) {
    super(name, 'toeplitz', (bytes) => toBigint(toeplitz(this.#key, bytes)));
  }

  override setToeplitzKey(key: Uint8Array): void {
    const words = toeplitzKey(key);
    if (words === undefined) {
      const wanted = `'${this.name}' wants a key of whole 32-bit words`;
      throw new StateError('invalid', `${wanted}, found ${key.length} bytes`);
    }
    this.#key = words;
  }
}

/** 0, 1, 2, … whatever the input is. */
function counter(): () => bigint {
  let next = 0n;
  return () => next++;
}

/** 0, 1, 2, … in the order in which inputs are first seen; equal inputs give equal results. */
function consistentCounter(): (bytes: Uint8Array) => bigint {
  const seen = new Map<string, bigint>();
  return (bytes) => {
    const key = bytes.join();
    const known = seen.get(key);
    if (known !== undefined) return known;
    const index = BigInt(seen.size);
    seen.set(key, index);
    return index;
  };
}
