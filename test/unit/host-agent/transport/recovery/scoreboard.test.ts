import * as fc from 'fast-check';
import { REORDER_SEGMENTS_MAX } from '../../../../../host-agent/transport/recovery/loss-recovery';
import { Scoreboard } from '../../../../../host-agent/transport/recovery/scoreboard';
import { block, LENGTH, sent, SPAN, T, takeLost } from './sent-segments';

describe('a scoreboard', () => {
  it('counts in flight what has neither arrived nor is taken for lost', () => {
    const board = sent(5);
    expect(board.inflightBytes).toBe(5000);
    expect(board.acknowledge(1000, 1000)).toBe(true);
    expect(board.acknowledgeBlock(1020, block(2, 4))).toBe(true);
    expect(board.inflightBytes).toBe(2000);
    expect(board.arrivedUpTo).toBe(4000);
    expect(board.acknowledge(1030, 1000)).toBe(false);
    expect(board.acknowledgeBlock(1030, block(2, 4))).toBe(false);
    board.acknowledge(1040, 5000);
    expect([board.inflightBytes, board.deadline]).toEqual([0, Infinity]);
  });

  it('has room until the segments span what it allows, and again as they are acknowledged', () => {
    const board = new Scoreboard(T, 3 * LENGTH);
    const room = [0, 1, 2].map((i) => {
      board.send(i, i * LENGTH, LENGTH);
      return board.hasRoom;
    });
    expect(room).toEqual([true, true, false]);
    board.acknowledge(1000, LENGTH);
    expect(board.hasRoom).toBe(true);
  });

  it('takes what its receiver misses for lost at once, and of two copies the one in flight', () => {
    const board = sent(3);
    expect(board.lose(1000, true)).toBe(false);
    expect(board.lose(1000, false)).toBe(true);
    expect([board.inflightBytes, board.hasLost]).toEqual([2000, true]);
    expect(board.lose(1000, false)).toBe(false);
    expect(takeLost(board, 100)).toEqual([1]);
    expect(board.lose(1000, false)).toBe(false);
    expect(board.lose(1000, true)).toBe(true);
    expect(takeLost(board, 200)).toEqual([1]);
    board.acknowledge(1100, 1000);
    for (const gone of [0, 500, 3000]) expect(board.lose(gone, false)).toBe(false);
    expect(board.inflightBytes).toBe(2000);
  });

  it('holds what is not to be sent again yet, until it is released, arrives, or all is lost', () => {
    const board = sent(4);
    expect([0, 1, 2].map((i) => board.hold(50, i * LENGTH, false))).toEqual([true, true, true]);
    expect(board.hold(60, 0, true)).toBe(false);
    expect([board.inflightBytes, board.hasLost, board.hasHeld]).toEqual([1000, false, true]);
    expect(board.heldAt).toBe(60);
    expect([board.release(2000), board.release(2000), board.release(9000)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(takeLost(board, 100)).toEqual([2]);
    board.acknowledgeBlock(200, block(1, 2));
    expect(board.arrivedBytes).toBe(1000);
    board.loseAll(0);
    expect(board.hasHeld).toBe(false);
    expect(takeLost(board, 300)).toEqual([0, 2, 3]);
    board.acknowledge(400, 4000);
    expect([board.arrivedBytes, board.inflightBytes]).toEqual([4000, 0]);
  });

  it('takes nothing for lost before the reordering window has passed', () => {
    const board = sent(4);
    board.acknowledgeBlock(1030, block(1, 4));
    board.detectLosses(1030);
    expect(board.hasLost).toBe(false);
    // Segment 3 left at 30 and took 1000; segment 0 left at 0.
    expect(board.deadline).toBe(0 + 1000 + T);
    board.detectLosses(1999);
    expect(board.hasLost).toBe(false);
    board.detectLosses(2000);
    expect(takeLost(board, 2000)).toEqual([0]);
  });

  it('repeats what is missing, the first one first, and nothing else', () => {
    const board = sent(10);
    for (const [first, end] of [
      [1, 2],
      [3, 4],
      [5, 9],
    ] as const) {
      board.acknowledgeBlock(1090, block(first, end));
    }
    board.detectLosses(1090);
    board.detectLosses(2050);
    // Segment 9 has not been overtaken.
    expect(takeLost(board, 2050)).toEqual([0, 2, 4]);
    expect(board.inflightBytes).toBe(4000);
  });

  it('takes nothing for lost that was merely late, and waits longer from then on', () => {
    const board = sent(3);
    board.acknowledgeBlock(1020, block(1, 3));
    board.detectLosses(1020);
    board.detectLosses(2000);
    expect(board.hasLost).toBe(true);
    board.acknowledge(2010, 3000);
    expect([board.hasLost, board.inflightBytes, board.reorderingWindow]).toEqual([false, 0, 2 * T]);
  });

  it('notices that a repeated segment was lost again', () => {
    const board = sent(2);
    board.acknowledgeBlock(1010, block(1, 2));
    board.detectLosses(1010);
    board.detectLosses(2000);
    expect(takeLost(board, 2000)).toEqual([0]);
    board.send(2010, 2000, LENGTH);
    board.acknowledgeBlock(3010, block(2, 3));
    board.detectLosses(3010);
    board.detectLosses(4000);
    expect(takeLost(board, 4000)).toEqual([0]);
  });

  it('repeats after a timeout all that has not arrived', () => {
    const board = sent(5);
    board.acknowledgeBlock(1020, block(1, 3));
    board.loseAll(0);
    expect(board.inflightBytes).toBe(0);
    expect(takeLost(board, 9000)).toEqual([0, 3, 4]);
  });

  it('sends the first segment again if the receiver denies what it has said', () => {
    const board = sent(3);
    board.acknowledgeBlock(1000, block(0, 3));
    expect(board.hasLost).toBe(false);
    board.acknowledge(1010, 1000);
    expect(takeLost(board, 1010)).toEqual([1]);
  });

  it('marks no segment of which only a part lies in a block', () => {
    const board = sent(3);
    expect(board.acknowledgeBlock(1000, { from: 1001, to: 2999 })).toBe(false);
    expect(board.inflightBytes).toBe(3000);
  });

  it('has room for its span and its number of segments, and no more', () => {
    const board = new Scoreboard(T, 2500);
    board.send(0, 0, 1000);
    board.send(0, 1000, 1000);
    expect(board.hasRoom).toBe(true);
    board.send(0, 2000, 1000);
    expect(board.hasRoom).toBe(false);
    board.acknowledge(1, 1000);
    expect(board.hasRoom).toBe(true);
    const tiny = new Scoreboard(T, SPAN);
    let count = 0;
    while (tiny.hasRoom) tiny.send(0, count++, 1);
    expect(count).toBe(REORDER_SEGMENTS_MAX);
  });

  it('agrees with a list of all segments, whatever arrives in whatever order', () => {
    const step = fc.oneof(
      fc.constant({ kind: 'send' as const }),
      fc.record({
        kind: fc.constant('arrive' as const),
        which: fc.nat(),
        count: fc.integer({ min: 1, max: 5 }),
      }),
      fc.record({ kind: fc.constant('wait' as const), time: fc.integer({ min: 1, max: 3 * T }) }),
      fc.constant({ kind: 'timeout' as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const board = new Scoreboard(T, SPAN);
        const arrived: boolean[] = [];
        let now = 0;
        for (const each of steps) {
          if (each.kind === 'wait') now += each.time;
          else if (each.kind === 'timeout') board.loseAll(0);
          else if (each.kind === 'send') {
            const again = board.hasLost ? board.sendAgain(now).sequence / LENGTH : undefined;
            if (again !== undefined) expect(arrived[again]).toBe(false);
            else board.send(now, arrived.push(false) * LENGTH - LENGTH, LENGTH);
          } else if (arrived.length > 0) {
            const first = each.which % arrived.length;
            const end = Math.min(first + each.count, arrived.length);
            arrived.fill(true, first, end);
            const gap = arrived.indexOf(false);
            board.acknowledge(now, (gap < 0 ? arrived.length : gap) * LENGTH);
            if (gap >= 0 && gap < first) board.acknowledgeBlock(now, block(first, end));
          }
          board.detectLosses(now);
          const missing = arrived.filter((has) => !has).length * LENGTH;
          expect(board.inflightBytes).toBeGreaterThanOrEqual(0);
          expect(board.inflightBytes).toBeLessThanOrEqual(missing);
          if (!board.hasLost) expect(board.inflightBytes).toBe(missing);
        }
      }),
      { numRuns: 100 },
    );
  });
});
