import fc from 'fast-check';

import { fromHex } from '../../../support/hex';
import { hash, ignoresTrailingZeros } from '../../../../switch/runtime/hash';
import { internetChecksum } from '../../../../common/wire/ip/checksum';
import type { HashName } from '../../../../switch/runtime/hash';

const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

const NAMES: readonly HashName[] = [
  'crc16',
  'crcCCITT',
  'crc32',
  'csum16',
  'xor16',
  'xor32',
  'identity',
];

describe('the check value of "123456789"', () => {
  test.each([
    ['crc16', 0xbb3dn],
    ['crcCCITT', 0x29b1n],
    ['crc32', 0xcbf43926n],
  ] as const)('%s', (name, value) => {
    expect(hash(name, ascii('123456789'))).toBe(value);
  });
});

describe('simple hashes', () => {
  test.each([
    ['xor16', '1234 00ff', 0x12cbn],
    ['xor16', '1234 ff', 0xed34n],
    ['xor32', '01020304 f0', 0xf1020304n],
    ['identity', '0102', 0x0102n],
    ['identity', '0102030405060708 ff', 0x0102030405060708n],
    ['identity', '', 0n],
    ['csum16', '', 0xffffn],
    ['csum16', 'ffff', 0n],
    ['csum16', '01', 0xfeffn],
  ] as const)('%s of %s', (name, text, value) => {
    expect(hash(name, fromHex(text))).toBe(value);
  });

  test('the Internet checksum of an IPv4 header', () => {
    // Header of a published RoCEv2 example with its checksum 1479 set to zero.
    const header = fromHex('4502003c12344000401100000a0000010a000002');
    expect(hash('csum16', header)).toBe(0x1479n);
  });
});

describe('the Internet checksum', () => {
  const even = fc
    .uint8Array({ maxLength: 40 })
    .map((bytes) => bytes.subarray(0, bytes.length & ~1));

  test('of data with its own checksum appended is zero', () => {
    fc.assert(
      fc.property(even, (bytes) => {
        const sum = internetChecksum(bytes);
        expect(internetChecksum(Uint8Array.from([...bytes, sum >> 8, sum & 0xff]))).toBe(0);
      }),
    );
  });

  test('does not depend on the order of words', () => {
    fc.assert(
      fc.property(even, (bytes) => {
        const words = Array.from({ length: bytes.length / 2 }, (_, i) => [
          ...bytes.subarray(2 * i, 2 * i + 2),
        ]);
        expect(internetChecksum(Uint8Array.from(words.reverse().flat()))).toBe(
          internetChecksum(bytes),
        );
      }),
    );
  });

  test('stays exact for the largest packet', () => {
    // 32767 words ffff and a byte ff00: every ffff counts as 0 in one's complement.
    expect(internetChecksum(new Uint8Array(65_535).fill(0xff))).toBe(0x00ff);
  });
});

describe('trailing zeros', () => {
  test.each(NAMES)('%s notices them or does not, as it says', (name) => {
    const bytes = fromHex('01020304');
    const longer = Uint8Array.from([...bytes, 0, 0, 0, 0]);
    expect(hash(name, bytes) === hash(name, longer)).toBe(ignoresTrailingZeros(name));
  });
});
