import { ByteSlab } from '../../../../../host-agent/transport/frames/byte-slab';

describe('a slab of bytes', () => {
  it('gives every caller zeroed bytes of its own, across blocks', () => {
    const slab = new ByteSlab();
    const arrays = Array.from({ length: 5000 }, (_, i) => {
      const bytes = slab.take(74);
      expect(bytes.every((byte) => byte === 0)).toBe(true);
      return bytes.fill(i & 0xff);
    });
    expect(arrays.every((bytes, i) => bytes.every((byte) => byte === (i & 0xff)))).toBe(true);
  });

  it('holds the longest frame that IPv4 allows', () => {
    const slab = new ByteSlab();
    slab.take(1);
    expect(slab.take(0xffff + 14)).toHaveLength(65_549);
    expect(() => slab.take(1 << 18)).toThrow('no frame is longer than a block');
  });

  it('gives a whole block at once, and no byte more', () => {
    const slab = new ByteSlab();
    expect(slab.take(1 << 17)).toHaveLength(131_072);
    expect(() => slab.take((1 << 17) + 1)).toThrow('Internal error');
  });
});
