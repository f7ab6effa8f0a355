import type { CrcParameters } from '../control/program-control';
import type { CustomCrc } from './hash';

/**
 * A cyclic redundancy check whose parameters can change, in the terms of the Rocksoft model.
 * Values are bigint because one of the widths is 64 bits.
 */
export class ConfigurableCrc {
  readonly #width: number;
  #parameters: CrcParameters;
  #table: readonly bigint[];

  constructor(readonly algorithm: CustomCrc) {
    const { width, parameters } = POLYNOMIALS[algorithm];
    this.#width = width;
    this.#parameters = parameters;
    this.#table = remainderTable(width, parameters.polynomial);
  }

  configure(parameters: CrcParameters): void {
    const cut = (value: bigint): bigint => BigInt.asUintN(this.#width, value);
    this.#parameters = {
      ...parameters,
      polynomial: cut(parameters.polynomial),
      initialRemainder: cut(parameters.initialRemainder),
      finalXor: cut(parameters.finalXor),
    };
    this.#table = remainderTable(this.#width, this.#parameters.polynomial);
  }

  compute(bytes: Uint8Array): bigint {
    const { initialRemainder, finalXor, dataReflected, remainderReflected } = this.#parameters;
    const drop = BigInt(this.#width - 8);
    let remainder = initialRemainder;
    for (const byte of bytes) {
      const data = dataReflected ? reflect(BigInt(byte), 8) : BigInt(byte);
      const entry = this.#table[Number(data ^ (remainder >> drop))] ?? 0n;
      remainder = BigInt.asUintN(this.#width, remainder << 8n) ^ entry;
    }
    return (remainderReflected ? reflect(remainder, this.#width) : remainder) ^ finalXor;
  }
}

/** Table of remainders by leading byte. */
function remainderTable(width: number, polynomial: bigint): bigint[] {
  const top = 1n << BigInt(width - 1);
  return Array.from({ length: 256 }, (_, byte) => {
    let remainder = BigInt(byte) << BigInt(width - 8);
    for (let bit = 0; bit < 8; bit++) {
      const carry = (remainder & top) !== 0n;
      remainder = BigInt.asUintN(width, remainder << 1n) ^ (carry ? polynomial : 0n);
    }
    return remainder;
  });
}

/** The bits in reverse order. */
function reflect(value: bigint, width: number): bigint {
  let result = 0n;
  for (let bit = 0; bit < width; bit++) {
    result = (result << 1n) | ((value >> BigInt(bit)) & 1n);
  }
  return result;
}

/** Defaults of bmv2's custom checksums, until the control plane changes them. */
const POLYNOMIALS: Readonly<
  Record<CustomCrc, { readonly width: number; readonly parameters: CrcParameters }>
> = {
  crc8_custom: { width: 8, parameters: standard(0x07n, 0n, false) },
  crc16_custom: { width: 16, parameters: standard(0x8005n, 0n, true) },
  crc32_custom: { width: 32, parameters: standard(0x04c11db7n, 0xffffffffn, true) },
  crc64_custom: { width: 64, parameters: standard(0x1bn, 0n, true) },
};

/** In all of them the initial remainder is also XORed at the end, and both reflections agree. */
function standard(polynomial: bigint, ends: bigint, reflected: boolean): CrcParameters {
  return {
    polynomial,
    initialRemainder: ends,
    finalXor: ends,
    dataReflected: reflected,
    remainderReflected: reflected,
  };
}
