import {
  mirrorSession,
  registerBinary,
} from '../../../../../switch/io/tofino-model/chip-registers';

describe('registers of a mirror session', () => {
  test('have port, length and both directions, at addresses of the model', () => {
    expect(mirrorSession(5, 9, 94)).toEqual([
      { address: 0x27a00a0, value: (9 << 4) | 8 },
      { address: 0x27a00b4, value: (94 << 16) | (0x3f << 8) | 3 },
      { address: 0x27a8000, value: 3 },
    ]);
  });

  test('are zero where the session ends', () => {
    const [port, control] = mirrorSession(5, undefined, 94);
    expect([port?.value, control?.value]).toEqual([0, 0]);
  });

  test('are written as atoms of the assembler', () => {
    const binary = Buffer.from(registerBinary([{ address: 0x27a00a0, value: 0x98 }]));
    expect(binary.toString('hex')).toBe('00000052a0007a0298000000');
  });
});
