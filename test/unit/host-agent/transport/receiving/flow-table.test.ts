import { ORIGIN, seconds } from '../../../../../common/units/units';
import type { Instant } from '../../../../../common/units/units';
import {
  FLOWS_MAX,
  FLOWS_PER_SOURCE_MAX,
  FlowTable,
} from '../../../../../host-agent/transport/receiving/flow-table';
import { heapInUse } from '../../../../support/heap-in-use';
import type { IncomingFlow } from '../../../../../host-agent/transport/receiving/incoming-flow';

const at = (s: number): Instant => ORIGIN + seconds(s);
const flow = (heardAt = 0, isFinished = false): IncomingFlow =>
  ({ heardAt, isFinished }) as unknown as IncomingFlow;

/** A table in which each of two senders has as many flows as it may have. */
function full(isFinished: (i: number) => boolean): FlowTable {
  const table = new FlowTable();
  for (let i = 0; i < FLOWS_MAX; i++) {
    const source = 1 + Math.floor(i / FLOWS_PER_SOURCE_MAX);
    const isTaken = table.set(source, i % FLOWS_PER_SOURCE_MAX, flow(0, isFinished(i)));
    if (!isTaken) throw new Error(`there is no room for flow ${i}`);
  }
  return table;
}

describe('the flows that a host receives', () => {
  test('are found by sender and id, whichever was asked for before', () => {
    const table = new FlowTable();
    const [a, b, c] = [flow(), flow(), flow()];
    table.set(1, 5, a);
    table.set(2, 5, b);
    table.set(1, 5 + 32, c);
    for (let i = 0; i < 2; i++) {
      expect([table.get(1, 5), table.get(2, 5), table.get(1, 37)]).toEqual([a, b, c]);
      expect(table.get(1, 5)).toBe(a);
      expect([table.get(2, 37), table.get(1, 6)]).toEqual([undefined, undefined]);
    }
    expect(table.size).toBe(3);
  });

  test('give their place to a later flow of the same id', () => {
    const table = new FlowTable();
    const [old, next] = [flow(), flow()];
    table.set(0xffff_ffff, 0xffff, old);
    expect(table.get(0xffff_ffff, 0xffff)).toBe(old);
    expect(table.set(0xffff_ffff, 0xffff, next)).toBe(true);
    expect(table.get(0xffff_ffff, 0xffff)).toBe(next);
    expect(table.size).toBe(1);
  });

  test('are at most 16,384 of one sender, and 32,768 of all', () => {
    const table = full(() => false);
    expect(table.size).toBe(FLOWS_MAX);
    expect(table.set(1, 60_000, flow())).toBe(false);
    expect(table.set(3, 1, flow())).toBe(false);
    expect(table.get(3, 1)).toBeUndefined();
    // One that is there already needs no more room.
    expect(table.set(2, 7, flow())).toBe(true);
    expect(table.size).toBe(FLOWS_MAX);
  });

  test('one that has finished makes room, if it is among the oldest 64', () => {
    const table = full((i) => i === 63 || i === 65);
    const asked = table.get(1, 63);
    expect(asked).toBeDefined();
    expect(table.set(3, 1, flow())).toBe(true);
    expect([table.size, table.get(1, 63)]).toEqual([FLOWS_MAX, undefined]);
    // The other one is the 65th of those that are left.
    expect(table.set(3, 2, flow())).toBe(false);
    // The sender of the forgotten one has room for one more, as soon as there is any.
    table.expire(at(61));
    expect(table.get(1, 65)).toBeUndefined();
    expect([table.set(1, 60_000, flow()), table.set(1, 60_001, flow())]).toEqual([true, false]);
  });

  test('are forgotten a minute after their end, or after an hour of silence', () => {
    const table = new FlowTable();
    table.set(1, 1, flow(at(1), true));
    table.set(1, 2, flow(at(1), false));
    const has = () => [table.get(1, 1) !== undefined, table.get(1, 2) !== undefined];
    expect(has()).toEqual([true, true]);
    table.expire(at(61));
    expect(has()).toEqual([true, true]);
    table.expire(at(61) + 1);
    expect(has()).toEqual([false, true]);
    table.expire(at(3601));
    expect(has()).toEqual([false, true]);
    table.expire(at(3601) + 1);
    expect([...has(), table.size]).toEqual([false, false, 0]);
  });

  test('leave nothing behind of all the senders that were there', () => {
    const table = new FlowTable();
    const idle = heapInUse();
    for (let round = 0; round < 16; round++) {
      for (let i = 0; i < FLOWS_MAX; i++) table.set(round * FLOWS_MAX + i, 1, flow(0, true));
      table.expire(at(61));
    }
    // An entry for each sender would take 40 bytes and more.
    expect(heapInUse() - idle).toBeLessThan(8e6);
    expect(table.size).toBe(0);
  });

  test('leave their senders room when they are forgotten', () => {
    const table = new FlowTable();
    for (let id = 0; id < FLOWS_PER_SOURCE_MAX; id++) table.set(1, id, flow(0, id < 2));
    expect(table.set(1, 60_000, flow())).toBe(false);
    table.expire(at(61));
    expect([0, 1, 2].map((i) => table.set(1, 60_000 + i, flow()))).toEqual([true, true, false]);
  });
});
