import { ReusedBytes } from '../../../../switch/v1model/pipeline';

describe('reused bytes', () => {
  test('have the length that was asked for', () => {
    const memory = new ReusedBytes();
    for (const length of [0, 1, 64, 1500, 16_384, 16_385, 70_000]) {
      expect(memory.take(length)).toHaveLength(length);
    }
  });

  test('are the memory of the packet before', () => {
    const memory = new ReusedBytes();
    const first = memory.take(4);
    memory.take(3).set([7, 8, 9]);
    expect([...first.subarray(0, 3)]).toEqual([7, 8, 9]);
  });

  test('make one view of each length', () => {
    const memory = new ReusedBytes();
    expect(memory.take(90)).toBe(memory.take(90));
  });

  test.each([4, 20_000, 5])('lie where the memory of %i bytes says', (length) => {
    const memory = new ReusedBytes();
    memory.take(30_000);
    const bytes = memory.take(length);
    memory.view.setUint8(memory.start + length - 1, 0xab);
    expect([bytes.length, bytes[length - 1]]).toEqual([length, 0xab]);
  });

  test('keep nothing of packets that are too long', () => {
    const memory = new ReusedBytes();
    memory.take(20_000).fill(1);
    expect(memory.take(20_000).every((byte) => byte === 0)).toBe(true);
  });
});
