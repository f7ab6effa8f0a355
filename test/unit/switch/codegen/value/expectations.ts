import type { Value } from '../../../../../switch/codegen/value/value';
import type { Emitted } from './emitted';

/** The number that running emitted code gave, and whether it is as its value says. */
export function numberOf({ result }: Emitted, found: unknown): bigint | string {
  return 'kind' in result ? numberAs(result, found) : `${typeof found} ${String(found)}`;
}

function numberAs(value: Value, found: unknown): bigint | string {
  switch (value.kind) {
    case 'number': {
      if (typeof found !== 'number' || !Number.isSafeInteger(found))
        return `not whole: ${String(found)}`;
      const isInside = found >= value.low && found <= value.high;
      return isInside ? BigInt(found) : `${found} is not within ${value.low} to ${value.high}`;
    }
    case 'pair': {
      const words = found as readonly [number, number];
      if (!words.every((word) => word >>> 0 === word)) return `no words: ${words.join(' ')}`;
      const number = (BigInt(words[0]) << 32n) | BigInt(words[1]);
      return number < 1n << BigInt(value.width) ? number : `${number} has over ${value.width} bits`;
    }
    case 'bigint':
      return typeof found === 'bigint' ? found : `no bigint: ${String(found)}`;
  }
}

/** The low bits of a number; all of them where `bits` is Infinity. */
export const lowBits = (number: bigint | string, bits: number): bigint | string =>
  typeof number === 'string' || bits === Infinity ? number : BigInt.asUintN(bits, number);
