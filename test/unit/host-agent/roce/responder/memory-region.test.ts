import { grantMemory } from '../../../../../host-agent/roce/responder/memory-region';
import type { MemoryRegion } from '../../../../../host-agent/roce/responder/memory-region';

const REGION: MemoryRegion = {
  key: 7,
  base: 0x1_0000_1000,
  length: 100,
  access: { write: true, read: false },
};
const reth = (low: number, dmaLength: number, remoteKey = 7) => ({
  virtualAddress: { high: 1, low },
  remoteKey,
  dmaLength,
});

describe('memory for peers', () => {
  test.each([
    [0x1000, 100, { offset: 0, length: 100 }],
    [0x1000, 1, { offset: 0, length: 1 }],
    [0x1063, 1, { offset: 99, length: 1 }],
    [0x1000, 101, undefined],
    [0x1064, 1, undefined],
    [0x0fff, 1, undefined],
    [0x1063, 2, undefined],
  ])('from address %d on, %d bytes: %j', (low, length, granted) => {
    expect(grantMemory(REGION, reth(low, length), 'write')).toEqual(granted);
  });

  test('is not for those with another key, or another access', () => {
    expect(grantMemory(REGION, reth(0x1000, 1, 8), 'write')).toBeUndefined();
    expect(grantMemory(REGION, reth(0x1000, 1), 'read')).toBeUndefined();
  });

  test('is not asked for by an operation without bytes, whatever its key and address', () => {
    const nothing = reth(0xffff_ffff, 0, 9);
    expect(grantMemory(REGION, nothing, 'read')).toEqual({ offset: 0, length: 0 });
  });

  test('ends below addresses that wrap', () => {
    const all = { ...REGION, base: 0, length: Number.MAX_SAFE_INTEGER };
    const highest = { virtualAddress: { high: 0xffff_ffff, low: 0xffff_ffff }, remoteKey: 7 };
    expect(grantMemory(all, { ...highest, dmaLength: 16 }, 'write')).toBeUndefined();
  });
});
