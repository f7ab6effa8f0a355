import fc from 'fast-check';

import { createCalculation } from '../../../../switch/runtime/calculation-unit';
import { hash } from '../../../../switch/runtime/hash';
import { StateError } from '../../../../switch/control/table-control';
import { fromHex } from '../../../support/hex';
import type { HashAlgorithm } from '../../../../switch/runtime/hash';

const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const compute = (algorithm: HashAlgorithm, text: string): bigint =>
  createCalculation('c', algorithm).compute(ascii(text));

describe('a custom CRC', () => {
  const plain = { initialRemainder: 0n, finalXor: 0n };
  const reflected = { dataReflected: true, remainderReflected: true };

  test.each([
    ['crc8_custom', 0xf4n],
    ['crc16_custom', 0xbb3dn],
    ['crc32_custom', 0xcbf43926n],
  ] as const)('%s starts with the usual parameters', (algorithm, check) => {
    expect(compute(algorithm, '123456789')).toBe(check);
  });

  test('of 64 bits has the check value of its catalogue once it starts from ones', () => {
    const unit = createCalculation('c', 'crc64_custom');
    const ones = 0xffff_ffff_ffff_ffffn;
    unit.setCrcParameters({
      ...reflected,
      polynomial: 0x1bn,
      initialRemainder: ones,
      finalXor: ones,
    });
    expect(unit.compute(ascii('123456789'))).toBe(0xb90956c775a41001n);
  });

  test('becomes another one with other parameters', () => {
    const unit = createCalculation('c', 'crc16_custom');
    unit.setCrcParameters({
      polynomial: 0x1021n,
      initialRemainder: 0xffffn,
      finalXor: 0n,
      dataReflected: false,
      remainderReflected: false,
    });
    expect(unit.compute(ascii('123456789'))).toBe(0x29b1n);
  });

  test('cuts its parameters to its width', () => {
    const unit = createCalculation('c', 'crc8_custom');
    const parameters = { ...plain, dataReflected: false, remainderReflected: false };
    unit.setCrcParameters({ ...parameters, polynomial: 0x107n });
    expect(unit.compute(ascii('123456789'))).toBe(0xf4n);
  });

  test('agrees with the fixed one on any input', () => {
    const custom = createCalculation('c', 'crc32_custom');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(custom.compute(bytes)).toBe(hash('crc32', bytes));
      }),
    );
  });

  test('is not what another calculation is', () => {
    const parameters = { ...plain, ...reflected, polynomial: 7n };
    expect(() => createCalculation('sum', 'crc32').setCrcParameters(parameters)).toThrow(
      "'sum': wanted a custom CRC for the polynomial 0x7, found crc32",
    );
  });
});

describe('xxh64', () => {
  // Values of the reference implementation with seed 0; the last input has a stripe of 32 bytes.
  test.each([
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['abc', 0x44bc2cf5ad770999n],
    ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ])('of %j', (text, value) => {
    expect(compute('xxh64', text)).toBe(value);
  });
});

describe('hash_ex', () => {
  /** The same in unbounded arithmetic. */
  function reference(bytes: Uint8Array): bigint {
    const cut = (value: bigint): bigint => BigInt.asUintN(32, value);
    let value = 2166136261n;
    for (const byte of bytes) {
      value = cut((value ^ cut(BigInt.asIntN(8, BigInt(byte)))) * 16777619n);
    }
    value = cut(value + (value << 13n));
    value ^= value >> 7n;
    value = cut(value + (value << 3n));
    value ^= value >> 17n;
    return cut(value + (value << 5n));
  }

  test('takes bytes as signed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        expect(hash('hash_ex', bytes)).toBe(reference(bytes));
      }),
    );
  });
});

describe('toeplitz', () => {
  // The verification suite of receive side scaling: source and destination address and port.
  const KEY = fromHex(
    '6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa',
  );
  const INPUT = fromHex('420995bb a18e6450 0aea 06e6');

  test('is 0 until a key is set', () => {
    expect(createCalculation('t', 'toeplitz').compute(INPUT)).toBe(0n);
  });

  test('has the value of the verification suite', () => {
    const unit = createCalculation('t', 'toeplitz');
    unit.setToeplitzKey(KEY);
    expect(unit.compute(INPUT)).toBe(0x51ccc178n);
    expect(unit.compute(INPUT.subarray(0, 8))).toBe(0x323e8fc2n);
  });

  test('fills the last word up with zeros and uses a short key again', () => {
    const unit = createCalculation('t', 'toeplitz');
    unit.setToeplitzKey(fromHex('80000001'));
    // Bit 0 of the input takes the key as it is, also in the second word.
    expect(unit.compute(fromHex('80'))).toBe(0x80000001n);
    expect(unit.compute(fromHex('00000000 80'))).toBe(0x80000001n);
  });

  test.each([0, 3, 5])('refuses a key of %i bytes', (length) => {
    const unit = createCalculation('t', 'toeplitz');
    expect(() => unit.setToeplitzKey(new Uint8Array(length))).toThrow(StateError);
  });

  test('is not what another calculation is', () => {
    expect(() => createCalculation('sum', 'xxh64').setToeplitzKey(KEY)).toThrow('found xxh64');
  });
});

describe('round robin', () => {
  test('counts, whatever the input is, each calculation by itself', () => {
    const unit = createCalculation('r', 'round_robin');
    const other = createCalculation('s', 'round_robin');
    expect(['a', 'a', 'b'].map((text) => unit.compute(ascii(text)))).toEqual([0n, 1n, 2n]);
    expect(other.compute(ascii('a'))).toBe(0n);
  });

  test('that is consistent gives equal inputs equal results', () => {
    const unit = createCalculation('r', 'round_robin_consistent');
    const results = ['a', 'b', 'a', 'c', 'b'].map((text) => unit.compute(ascii(text)));
    expect(results).toEqual([0n, 1n, 0n, 2n, 1n]);
  });
});
