import { PacketPool } from '../../../../switch/executor/packet-pool';
import type { Packet } from '../../../../common/packet/packet';

function packet(pool: PacketPool, stored: number, length: number): Packet {
  pool.take(stored);
  return pool.taken(length, { id: 7 });
}

describe('a pool of packets', () => {
  test('uses the memory of a packet that came back for the next of as many stored bytes', () => {
    const pool = new PacketPool();
    const first = packet(pool, 74, 1074);
    expect(first).toMatchObject({ length: 1074, id: 7, tail: undefined });
    expect(first.bytes).toHaveLength(74);
    expect(pool.isLast(first.bytes)).toBe(true);
    expect(pool.isLast(first.bytes.slice())).toBe(false);
    pool.give(first);
    expect(pool.take(106)).toHaveLength(106);
    expect(pool.take(74)).toBe(first.bytes);
    const tail = Uint8Array.of(1, 2);
    expect(pool.taken(80, { tail })).toMatchObject({ length: 80, id: undefined, tail });
  });

  test('says where the bytes lie that were taken last', () => {
    const pool = new PacketPool();
    const early = packet(pool, 10, 10);
    packet(pool, 20, 20);
    pool.give(early);
    const bytes = pool.take(10);
    pool.view.setUint16(pool.start + 8, 0xabcd);
    expect([...bytes.subarray(8)]).toEqual([0xab, 0xcd]);
  });

  test('hands out no packet twice, and leaves foreign and very long ones alone', () => {
    const pool = new PacketPool();
    pool.give({ bytes: new Uint8Array(30), length: 30 });
    const [a, b] = [packet(pool, 30, 30), packet(pool, 30, 30)];
    expect(a.bytes).not.toBe(b.bytes);
    const long = packet(pool, 9000, 9000);
    pool.give(long);
    expect(pool.take(9000)).not.toBe(long.bytes);
  });
});
