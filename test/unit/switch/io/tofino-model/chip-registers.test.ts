import {
  plainSelectors,
  registerBinary,
} from '../../../../../switch/io/tofino-model/chip-registers';
import { MODEL_CHIPS } from '../../../../../switch/io/tofino-model/chips';

const { tofino, tofino2 } = MODEL_CHIPS;

describe('registers of a mirror session', () => {
  test('have port, length and both directions, at addresses of the model', () => {
    expect(tofino.mirrorSession(5, 9, 94)).toEqual([
      { address: 0x27a00a0, value: (9 << 4) | 8 },
      { address: 0x27a00b4, value: (94 << 16) | (0x3f << 8) | 3 },
      { address: 0x27a8000, value: 3 },
    ]);
  });

  test('are zero where the session ends', () => {
    const [port, control] = tofino.mirrorSession(5, undefined, 94);
    expect([port?.value, control?.value]).toEqual([0, 0]);
  });

  test('of Tofino 2 are words that its tables take over, and whole words with the FCS in slices', () => {
    const writes = tofino2.mirrorSession(5, 9, 90);
    expect(writes.slice(0, 5).map(({ value }) => value)).toEqual([0, 0, 9 | (1 << 14), 0, 0]);
    expect(writes.slice(4)).toEqual([
      { address: 0x4c8001c, value: 0 },
      { address: 0x4c82014, value: 0 },
      { address: 0x4c82414, value: 0 },
      ...[0, 1, 2, 3].map((slice) => ({
        address: 0x4c90014 + 0x800 * slice,
        value: (96 << 4) | 7,
      })),
    ]);
    const ended = tofino2.mirrorSession(5, undefined, 90);
    expect(ended.every(({ value }) => value === 0)).toBe(true);
  });

  test('are written as atoms of the assembler', () => {
    const binary = Buffer.from(registerBinary([{ address: 0x27a00a0, value: 0x98 }]));
    expect(binary.toString('hex')).toBe('00000052a0007a0298000000');
  });
});

describe('selectors of a program', () => {
  const write = (address: number, value: number): Uint8Array =>
    registerBinary([{ address, value }]);
  const head = Buffer.from('00000048080000000102030400', 'hex').subarray(0, 12);
  /** A block of memory of two words of 32 bits, which look like a write of a selector. */
  const block = Buffer.concat([
    Buffer.from('00000042', 'hex'),
    Buffer.from('308e190200000000', 'hex'),
    Buffer.from('2000000002000000', 'hex'),
    write(0x2190e30, 0x81).subarray(0, 8),
  ]);

  test('take hashes as they are once their control is written without its first bit', () => {
    const binary = Buffer.concat([
      head,
      write(0x2190e30, 0x81),
      block,
      write(0x2190e34, 0x81),
      write(0x2210830, 0x181),
      write(0x2210830 + 0x800, 0x81),
      write(0x27a00a0, 0x98),
    ]);
    expect(plainSelectors(binary, tofino.selectors)).toEqual([
      { address: 0x2190e30, value: 0x80 },
      { address: 0x2210830, value: 0x180 },
    ]);
  });

  test('lie elsewhere on Tofino 2', () => {
    const binary = Buffer.concat([head, write(0x4173c20, 0x81), write(0x4173e20, 0x81)]);
    expect(plainSelectors(binary, tofino2.selectors)).toEqual([
      { address: 0x4173c20, value: 0x80 },
    ]);
  });

  test('are none in a program without groups', () => {
    expect(plainSelectors(Buffer.concat([head, write(0x27a00a0, 0x98)]), tofino.selectors)).toEqual(
      [],
    );
  });
});
