import { StateError } from '../control/table-control';
import { toBigint } from './bit-fields';
import { ConfigurableCrc } from './custom-crc';
import { hash } from './hash';
import { ZERO_KEY, toeplitz, toeplitzKey } from './toeplitz';
import type { CrcParameters, HashControl } from '../control/program-control';
import type { HashAlgorithm } from './hash';

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
