import {
  arrayOf,
  PacketPool,
  startOf,
  storedLength,
} from '../../../../switch/executor/packet-pool';
import type { Packet } from '../../../../common/packet/packet';

function packet(pool: PacketPool, stored: number, length: number): Packet {
  return pool.named(pool.frame(pool.take(stored).fill(1), length), 7);
}

describe('a pool of packets', () => {
  test('uses the row that came back last, for however many bytes', () => {
    const pool = new PacketPool();
    const first = packet(pool, 74, 1074);
    expect(first).toMatchObject({ length: 1074, id: 7, tail: undefined });
    expect(first.bytes).toHaveLength(74);
    packet(pool, 10, 10);
    pool.give(first);
    const tail = Uint8Array.of(1, 2);
    pool.reserve(106);
    expect(pool.taken(80, { tail })).toBe(first);
    expect(first).toMatchObject({ length: 80, id: undefined, tail });
    expect(storedLength(first)).toBe(106);
  });

  test('has the packets on desks where they are read and written', () => {
    const pool = new PacketPool();
    const first = packet(pool, 74, 1074);
    packet(pool, 74, 74);
    const opened = pool.opened(first);
    const desk = opened.bytes;
    expect(opened).toEqual({ bytes: first.bytes, length: 1074, id: 7, tail: undefined });
    pool.take(74).fill(9);
    expect([opened.bytes[0], opened.bytes[73]]).toEqual([1, 1]);
    const second = pool.frame(pool.take(74), 80);
    expect([...second.bytes]).toEqual(new Array(74).fill(9));
    pool.reserve(1);
    expect(pool.opened(second).bytes).toBe(desk);
    const foreign = { bytes: new Uint8Array(3), length: 3 };
    expect(pool.opened(foreign)).toBe(foreign);
  });

  test('opens what was written last where it was written, unless it has changed since', () => {
    const pool = new PacketPool();
    const written = pool.take(74).fill(3);
    const first = pool.frame(written, 80);
    expect(pool.opened(first)).toEqual({ bytes: first.bytes, length: 80, id: undefined });
    expect(pool.opened(first).bytes).toBe(written);
    pool.rewriting(first).reserve(74);
    pool.view.setUint8(pool.start, 4);
    expect(pool.taken(80, first)).toBe(first);
    expect(pool.opened(first).bytes[0]).toBe(4);
  });

  test.each([
    ['of the same slab', 60, 10],
    ['of another slab', 60, 1100],
    ['too long for a row', 500, 10],
  ])('copies from a packet that is %s to the one that is written', (_, stored, others) => {
    const pool = new PacketPool();
    const bytes = pool.take(stored);
    bytes.forEach((__, i) => (bytes[i] = i));
    const first = pool.frame(bytes, stored);
    for (let i = 0; i < others; i++) packet(pool, 30, 30);
    const from = pool.opened(first).bytes;
    const into = pool.take(40).fill(0);
    pool.put({ bytes: from, at: 20, length: 3 }, into, 30);
    expect([...into.subarray(29, 34)]).toEqual([0, 20, 21, 22, 0]);
    pool.put({ bytes: Uint8Array.of(7, 8, 9), at: 1, length: 2 }, into, 0);
    expect([...into.subarray(0, 3)]).toEqual([8, 9, 0]);
    const long = pool.take(600).fill(0);
    pool.put({ bytes: from, at: 20, length: 3 }, long, 590);
    expect([...long.subarray(589, 594)]).toEqual([0, 20, 21, 22, 0]);
  });

  test('says where a packet lies, without a view', () => {
    const pool = new PacketPool();
    packet(pool, 74, 80);
    const second = pool.frame(pool.take(3).fill(5), 80);
    const at = startOf(second);
    expect([...arrayOf(second).subarray(at, at + 3)]).toEqual([5, 5, 5]);
    const foreign = { bytes: Uint8Array.of(6), length: 1 };
    expect([arrayOf(foreign), startOf(foreign)]).toEqual([foreign.bytes, 0]);
  });

  test('says where the bytes lie that were taken last', () => {
    const pool = new PacketPool();
    const early = packet(pool, 10, 10);
    packet(pool, 20, 20);
    pool.give(early);
    pool.reserve(10);
    pool.view.setUint16(pool.start + 8, 0xabcd);
    expect([...pool.reserved().subarray(8)]).toEqual([0xab, 0xcd]);
    expect([...pool.bytes.subarray(pool.start + 8, pool.start + 10)]).toEqual([0xab, 0xcd]);
  });

  test('writes a packet in the place of one that is done with, once', () => {
    const pool = new PacketPool();
    const first = packet(pool, 74, 74);
    pool.rewriting(first).reserve(106);
    expect(pool.taken(106, {})).toBe(first);
    pool.reserve(74);
    expect(pool.taken(74, {})).not.toBe(first);
    pool.rewriting(first).reserve(9000);
    expect(pool.taken(9000, {})).not.toBe(first);
    pool.rewriting({ bytes: new Uint8Array(3), length: 3 }).reserve(3);
    expect(pool.taken(3, {})).not.toBe(first);
  });

  test.each([10, 448, 449, 9000])(
    'keeps %i bytes of each packet apart from all others',
    (length) => {
      const pool = new PacketPool();
      const packets = Array.from({ length: 600 }, (_, i) => {
        return pool.named(pool.frame(pool.take(length).fill(i & 0xff), length), i);
      });
      for (const { bytes, id = 0 } of packets) {
        expect([bytes.length, bytes[0], bytes[length - 1]]).toEqual([length, id & 0xff, id & 0xff]);
      }
    },
  );

  test('hands out no packet twice, and leaves foreign and very long ones alone', () => {
    const pool = new PacketPool();
    pool.give({ bytes: new Uint8Array(30), length: 30 });
    const [a, b] = [packet(pool, 30, 30), packet(pool, 30, 30)];
    expect(a).not.toBe(b);
    pool.give(a);
    expect(() => pool.give(a)).toThrow('a packet is given back once');
    expect([packet(pool, 30, 30), packet(pool, 30, 30)]).not.toContain(b);
    const long = packet(pool, 9000, 9000);
    pool.give(long);
    expect(packet(pool, 9000, 9000)).not.toBe(long);
  });
});
