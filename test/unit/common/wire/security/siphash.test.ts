import fc from 'fast-check';
import { sipHash24, sipHashKeyHalves } from '../../../../../common/wire/security/siphash';
import { fromHex, toHex } from '../../../../support/hex';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i);

describe('SipHash-2-4', () => {
  /** Codes of the messages 00, 01, ... under the key 00 to 0f, as `openssl mac` gives them. */
  test.each([
    [0, '310e0edd47db6f72'],
    [1, 'fd67dc93c539f874'],
    [7, '37d1018bf50002ab'],
    [8, '6224939a79f5f593'],
    [9, 'b0e4a90bdf82009e'],
    [15, 'e545be4961ca29a1'],
    [16, 'db9bc2577fcc2a3f'],
    [48, '51a9cb9ecba312e6'],
    [63, '724506eb4c328a95'],
    [72, '2ec80d5163bae548'],
  ])('of %d bytes agrees with openssl', (length, expected) => {
    expect(toHex(sipHash24(KEY, counting(length)))).toBe(expected);
  });

  test('is that of the published vector, 0xa129ca6149be45e5 as a number', () => {
    const hash = sipHash24(KEY, counting(15));
    expect(new DataView(hash.buffer).getBigUint64(0, true)).toBe(0xa129ca6149be45e5n);
  });

  test('agrees with the definition on 64-bit numbers', () => {
    const bytes = fc.uint8Array({ maxLength: 80 });
    const key = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(key, bytes, (secret, message) => {
        const hash = sipHash24(secret, message);
        expect(new DataView(hash.buffer).getBigUint64(0, true)).toBe(reference(secret, message));
      }),
    );
  });

  test('reads bytes where they are in their buffer', () => {
    const whole = Uint8Array.from([9, 9, 9, ...counting(15), 9]);
    expect(sipHash24(KEY, whole.subarray(3, 18))).toEqual(sipHash24(KEY, counting(15)));
  });
});

test('the halves of a key have their least significant byte first', () => {
  const { low, high } = sipHashKeyHalves(fromHex('0001020304050607f8f9fafbfcfdfeff'));
  expect(low).toEqual({ high: 0x07060504, low: 0x03020100 });
  expect(high).toEqual({ high: 0xfffefdfc, low: 0xfbfaf9f8 });
});

/** The definition, word by word. */
function reference(key: Uint8Array, message: Uint8Array): bigint {
  const word = (bytes: Uint8Array, at: number): bigint =>
    Array.from(bytes.subarray(at, at + 8)).reduce(
      (sum, byte, i) => sum | (BigInt(byte) << BigInt(8 * i)),
      0n,
    );
  const fit = (value: bigint): bigint => BigInt.asUintN(64, value);
  const rotate = (value: bigint, by: bigint): bigint => fit(value << by) | (value >> (64n - by));
  const [low, high] = [word(key, 0), word(key, 8)];
  let v0 = low ^ 0x736f6d6570736575n;
  let v1 = high ^ 0x646f72616e646f6dn;
  let v2 = low ^ 0x6c7967656e657261n;
  let v3 = high ^ 0x7465646279746573n;
  const round = (): void => {
    v0 = fit(v0 + v1);
    v2 = fit(v2 + v3);
    v1 = rotate(v1, 13n) ^ v0;
    v3 = rotate(v3, 16n) ^ v2;
    v0 = rotate(v0, 32n);
    v2 = fit(v2 + v1);
    v0 = fit(v0 + v3);
    v1 = rotate(v1, 17n) ^ v2;
    v3 = rotate(v3, 21n) ^ v0;
    v2 = rotate(v2, 32n);
  };
  const padded = new Uint8Array(8 * (Math.floor(message.length / 8) + 1));
  padded.set(message);
  padded[padded.length - 1] = message.length & 0xff;
  for (let at = 0; at < padded.length; at += 8) {
    const m = word(padded, at);
    v3 ^= m;
    round();
    round();
    v0 ^= m;
  }
  v2 ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  return v0 ^ v1 ^ v2 ^ v3;
}
