import { fromHex, toHex } from '../../../support/hex';
import { BitString } from '../../../../switch/runtime/bit-string';

const text = (bits: BitString): string => toHex(bits.view());

describe('a bit string', () => {
  test('packs values without gaps and pads the last byte with zeros', () => {
    const bits = new BitString();
    bits.append(0b101n, 3);
    bits.append(0x1234n, 16);
    // 101 0001 0010 0011 0100 and five zeros: 1010 0010 0100 0110 1000 0000
    expect(text(bits)).toBe('a24680');
    expect(bits.length).toBe(19);
  });

  test('appends bytes behind the padding, and zeros behind them', () => {
    const bits = new BitString();
    bits.append(1n, 1);
    bits.appendBytes(fromHex('abcd'), 2);
    expect(text(bits)).toBe('80abcd0000');
    expect(bits.length).toBe(40);
  });

  test('starts again without traces of what was there', () => {
    const bits = new BitString();
    bits.append(-1n, 64);
    bits.clear();
    expect(bits.length).toBe(0);
    bits.append(0n, 12);
    expect(text(bits)).toBe('0000');
  });

  test('grows beyond any length', () => {
    const bits = new BitString();
    for (let i = 0; i < 300; i++) bits.append(0xabn, 8);
    bits.appendBytes(new Uint8Array(1000).fill(1));
    expect(bits.view()).toHaveLength(1300);
    expect(text(bits)).toBe('ab'.repeat(300) + '01'.repeat(1000));
  });

  test('pads only once', () => {
    const bits = new BitString();
    bits.append(1n, 4);
    bits.pad();
    bits.pad();
    expect(text(bits)).toBe('10');
    expect(bits.length).toBe(8);
  });
});
