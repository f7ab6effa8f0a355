import {
  HPCC_FLAG_ACCUMULATED,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RATIO,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import { HeldRecords } from '../../../../../host-agent/transport/receiving/held-records';
import { toHex } from '../../../../support/hex';

const echo = (...bytes: number[]) => ({ flag: HPCC_FLAG_ECHO, bytes: Uint8Array.from(bytes) });

/** Takes these records; returns them as text. */
function taken(room: number, ...records: (readonly number[])[]): string | undefined {
  const held = new HeldRecords(room);
  for (const record of records) held.add(echo(...record));
  const all = held.take();
  return all && toHex(all.bytes);
}

describe('records of packets that wait for an acknowledgement', () => {
  it('are taken together, and once', () => {
    const held = new HeldRecords(100);
    held.add(echo(1, 1));
    held.add(echo(2, 2));
    expect(held.take()?.flag).toBe(HPCC_FLAG_ECHO | HPCC_FLAG_ACCUMULATED);
    expect(held.take()).toBeUndefined();
  });

  it('are one record where one packet brought any', () => {
    expect(taken(100, [7, 7])).toBe('0707');
  });

  it('are those of the latest path only', () => {
    expect(taken(100, [1, 1], [2, 2, 2], [3, 3, 3])).toBe('0303030202020002');
    expect(taken(100, [1, 1], [2, 2, 2])).toBe('020202');
  });

  it('are none where no packet brought any', () => {
    expect(new HeldRecords(100).take()).toBeUndefined();
  });

  it('are those of the latest kind only, even where both are of one length', () => {
    const held = new HeldRecords(100);
    held.add(echo(1, 1));
    held.add({ flag: HPCC_FLAG_RATIO, bytes: Uint8Array.of(2, 2) });
    expect(held.take()).toEqual({ flag: HPCC_FLAG_RATIO, bytes: Uint8Array.of(2, 2) });
  });

  it('are the latest ones where not all have room, at least one', () => {
    expect(taken(6, [1, 1], [2, 2], [3, 3])).toBe('030302020002');
    expect(taken(0, [1, 1], [2, 2])).toBe('0202');
  });

  it('do not change with the packets that brought them', () => {
    const held = new HeldRecords(100);
    const record = echo(5);
    held.add(record);
    record.bytes[0] = 6;
    expect(toHex(held.take()?.bytes ?? new Uint8Array(0))).toBe('05');
  });
});
