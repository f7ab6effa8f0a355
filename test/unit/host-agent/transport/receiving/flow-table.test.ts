import { ORIGIN, seconds } from '../../../../../common/units/units';
import type { Instant } from '../../../../../common/units/units';
import {
  FINISHED_MAX,
  FLOWS_MAX,
  FLOWS_PER_SOURCE_MAX,
  FlowTable,
} from '../../../../../host-agent/transport/receiving/flow-table';
import { heapInUse } from '../../../../support/heap-in-use';
import type { FinishedFlow } from '../../../../../host-agent/transport/receiving/finished-flow';
import type { IncomingFlow } from '../../../../../host-agent/transport/receiving/incoming-flow';

const TIME_WAIT = seconds(2);

const at = (s: number): Instant => ORIGIN + seconds(s);

interface TestFlow {
  heardAt: Instant;
  rest(): FinishedFlow;
}

const flow = (heardAt = 0): IncomingFlow =>
  ({
    heardAt,
    rest: () => ({ heardAt, bytes: 8 }) as FinishedFlow,
  }) satisfies TestFlow as unknown as IncomingFlow;

const newTable = (): FlowTable => new FlowTable(TIME_WAIT);

/** Begins a flow and receives the end of it. */
function finish(table: FlowTable, source: number, id: number, now: Instant = 0): FinishedFlow {
  if (!table.set(now, source, id, flow(now))) throw new Error(`there is no room for flow ${id}`);
  table.finish(now, source, id);
  const rest = table.finished(source, id);
  if (rest === undefined) throw new Error(`flow ${id} is not remembered`);
  return rest;
}

/** A table in which each of two senders has as many flows as it may have. */
function full(): FlowTable {
  const table = newTable();
  for (let i = 0; i < FLOWS_MAX; i++) {
    const source = 1 + Math.floor(i / FLOWS_PER_SOURCE_MAX);
    const isTaken = table.set(0, source, i % FLOWS_PER_SOURCE_MAX, flow());
    if (!isTaken) throw new Error(`there is no room for flow ${i}`);
  }
  return table;
}

describe('the flows that a host receives', () => {
  test('are found by sender and id, whichever was asked for before', () => {
    const table = newTable();
    const [a, b, c] = [flow(), flow(), flow()];
    table.set(0, 1, 5, a);
    table.set(0, 2, 5, b);
    table.set(0, 1, 5 + 32, c);
    for (let i = 0; i < 2; i++) {
      expect([table.get(1, 5), table.get(2, 5), table.get(1, 37)]).toEqual([a, b, c]);
      expect(table.get(1, 5)).toBe(a);
      expect([table.get(2, 37), table.get(1, 6)]).toEqual([undefined, undefined]);
    }
    expect(table.size).toBe(3);
  });

  test('give their place to a later flow of the same id', () => {
    const table = newTable();
    const [old, next] = [flow(), flow()];
    table.set(0, 0xffff_ffff, 0xff_ffff, old);
    expect(table.get(0xffff_ffff, 0xff_ffff)).toBe(old);
    expect(table.set(0, 0xffff_ffff, 0xff_ffff, next)).toBe(true);
    expect(table.get(0xffff_ffff, 0xff_ffff)).toBe(next);
    expect(table.size).toBe(1);
  });

  test('are at most 16,384 of one sender, and 32,768 of all', () => {
    const table = full();
    expect(table.size).toBe(FLOWS_MAX);
    expect(table.set(0, 1, 60_000, flow())).toBe(false);
    expect(table.set(0, 3, 1, flow())).toBe(false);
    expect(table.get(3, 1)).toBeUndefined();
    // One that is there already needs no more room.
    expect(table.set(0, 2, 7, flow())).toBe(true);
    expect(table.size).toBe(FLOWS_MAX);
  });

  test('make room when they finish, wherever they stand, and are remembered all the same', () => {
    const table = full();
    const last = table.get(1, 9000);
    table.finish(0, 1, 9000);
    expect(last).toBeDefined();
    expect([table.get(1, 9000), table.finished(1, 9000)?.bytes]).toEqual([undefined, 8]);
    expect([60_000, 60_001].map((id) => table.set(0, 1, id, flow()))).toEqual([true, false]);
    expect(table.finished(1, 9000)?.bytes).toBe(8);
  });

  test('are forgotten a while after their sender was heard last, or after an hour of silence', () => {
    const table = newTable();
    const ended = finish(table, 1, 1, at(1));
    table.set(at(1), 1, 2, flow(at(1)));
    const has = () => [table.finished(1, 1) !== undefined, table.get(1, 2) !== undefined];
    expect(has()).toEqual([true, true]);
    ended.heardAt = at(2);
    table.expire(at(4) - 1);
    expect(has()).toEqual([true, true]);
    table.expire(at(4));
    expect(has()).toEqual([false, true]);
    table.expire(at(3601));
    expect(has()).toEqual([false, true]);
    table.expire(at(3601) + 1);
    expect([...has(), table.size]).toEqual([false, false, 0]);
  });

  test('leave when others begin, though nobody looks for them', () => {
    const table = newTable();
    for (let id = 0; id < 1000; id++) finish(table, 1, id);
    expect(table.size).toBe(1000);
    table.set(at(2), 1, 5000, flow(at(2)));
    expect(table.size).toBe(1);
  });

  test('that have finished are so many, the latest', () => {
    const table = newTable();
    for (let id = 0; id < FINISHED_MAX + 10; id++) finish(table, 1, id);
    expect(table.size).toBe(FINISHED_MAX);
    expect([table.finished(1, 9), table.finished(1, 10)?.bytes]).toEqual([undefined, 8]);
  });

  test('that have finished are not forgotten in the place of a later one of the same id', () => {
    const table = newTable();
    finish(table, 1, 1);
    const next = flow(at(1));
    table.set(at(1), 1, 1, next);
    expect(table.finished(1, 1)).toBeUndefined();
    table.expire(at(2));
    expect(table.get(1, 1)).toBe(next);
    expect(table.size).toBe(1);
  });

  test('leave nothing behind of all the senders that were there', () => {
    const table = newTable();
    const idle = heapInUse();
    for (let round = 0; round < 16; round++) {
      for (let i = 0; i < FLOWS_MAX; i++) finish(table, round * FLOWS_MAX + i, 1);
      table.expire(at(2));
    }
    // An entry for each sender would take 40 bytes and more.
    expect(heapInUse() - idle).toBeLessThan(8e6);
    expect(table.size).toBe(0);
  });

  test('of silent senders leave them room when they are forgotten', () => {
    const table = newTable();
    for (let id = 0; id < FLOWS_PER_SOURCE_MAX; id++) {
      table.set(0, 1, id, flow(id < 2 ? 0 : at(1)));
    }
    expect(table.set(0, 1, 60_000, flow())).toBe(false);
    table.expire(at(3600) + 1);
    expect([0, 1, 2].map((i) => table.set(0, 1, 60_000 + i, flow()))).toEqual([true, true, false]);
  });
});
