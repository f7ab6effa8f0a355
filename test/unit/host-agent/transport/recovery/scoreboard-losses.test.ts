import { Scoreboard } from '../../../../../host-agent/transport/recovery/scoreboard';
import { block, LENGTH, sent, SPAN, T, takeLost } from './sent-segments';

/** Segments that a scoreboard has room for at first. */
const RING = 64;

/** A scoreboard that has gone once round its ring: everything was acknowledged. */
function wrapped(span = SPAN): Scoreboard {
  const board = new Scoreboard(T, span);
  for (let i = 0; i < RING; i++) {
    board.send(i, i * LENGTH, LENGTH);
    if (i === 0) board.acknowledgeBlock(i, block(0, 1));
    expect(board.acknowledge(i, (i + 1) * LENGTH)).toBe(true);
  }
  return board;
}

describe('the losses that a scoreboard finds', () => {
  it('are due when the first of them is, the one that left first', () => {
    const board = sent(4);
    board.acknowledgeBlock(1030, block(2, 4));
    board.detectLosses(1030);
    expect(board.deadline).toBe(2000);
    board.detectLosses(2000);
    expect([takeLost(board, 2000), board.deadline]).toEqual([[0], 2010]);
  });

  it('are due at the time that was named, also if a later packet took longer or shorter', () => {
    for (const rtt of [500, 1500]) {
      const board = sent(4);
      board.acknowledgeBlock(1020, block(1, 3));
      board.detectLosses(1020);
      expect(board.deadline).toBe(2000);
      board.acknowledgeBlock(30 + rtt, block(1, 4));
      board.detectLosses(30 + rtt);
      expect([board.hasLost, board.deadline]).toEqual([false, 2000]);
    }
  });

  it('are due later by as long as the host did not run, for what was in flight', () => {
    const board = sent(4);
    board.acknowledgeBlock(1030, block(2, 4));
    board.detectLosses(1030);
    board.handleStandstill(50_000);
    expect(board.deadline).toBe(52_000);
    // One that leaves afterwards overtakes the others at once; they count as sent just before.
    board.send(51_030, 4 * LENGTH, LENGTH);
    board.acknowledgeBlock(51_530, block(4, 5));
    board.detectLosses(51_530);
    expect(board.hasLost).toBe(false);
    board.detectLosses(52_000);
    expect(takeLost(board, 52_000)).toEqual([0, 1]);
  });

  it('are never what nothing has overtaken, however long it takes', () => {
    const board = sent(3);
    board.acknowledgeBlock(1010, block(1, 2));
    board.detectLosses(1010);
    board.detectLosses(9000);
    expect(takeLost(board, 9000)).toEqual([0]);
    board.detectLosses(99_000);
    expect([board.hasLost, board.deadline]).toEqual([false, Infinity]);
  });

  it('include one behind a first segment that was sent again since', () => {
    const board = sent(3);
    board.acknowledgeBlock(1020, block(2, 3));
    board.detectLosses(1020);
    board.detectLosses(2010);
    expect(board.sendAgain(2010).sequence).toBe(0);
    board.send(2015, 3 * LENGTH, LENGTH);
    expect(board.sendAgain(2020).sequence).toBe(LENGTH);
    board.send(3000, 4 * LENGTH, LENGTH);
    board.acknowledgeBlock(3015, block(2, 4));
    board.detectLosses(3015);
    board.detectLosses(4010);
    expect(takeLost(board, 4010)).toEqual([0]);
    board.acknowledgeBlock(4100, block(2, 5));
    board.detectLosses(4100);
    // Segment 1 left at 2020; segment 4, which left later, took 1100.
    expect(board.deadline).toBe(2020 + 1100 + T);
  });

  it('include one behind such a segment where nothing else has arrived beyond it', () => {
    const board = sent(4);
    board.acknowledgeBlock(1010, block(1, 2));
    board.detectLosses(1010);
    board.detectLosses(2000);
    expect(takeLost(board, 2000)).toEqual([0]);
    board.send(2005, 4 * LENGTH, LENGTH);
    board.acknowledge(3000, 2 * LENGTH);
    board.detectLosses(3000);
    expect([board.sendAgain(3000).sequence, board.sendAgain(3010).sequence]).toEqual([2000, 3000]);
    board.acknowledge(4000, 3 * LENGTH);
    board.detectLosses(4000);
    // Segment 4 left at 2005; segment 2, which left again later, took 1000.
    expect(board.deadline).toBe(2005 + 1000 + T);
  });

  it('are sent again from the first one on, also if later ones were lost before it', () => {
    const board = sent(4);
    board.acknowledgeBlock(1010, block(1, 2));
    board.detectLosses(1010);
    board.detectLosses(2000);
    expect(takeLost(board, 2000)).toEqual([0]);
    board.loseAll(0);
    expect(takeLost(board, 9000)).toEqual([0, 2, 3]);
  });

  it('are none of those that were acknowledged in the meantime', () => {
    const board = sent(4);
    board.loseAll(0);
    board.acknowledge(9000, LENGTH);
    expect(takeLost(board, 9000)).toEqual([1, 2, 3]);
  });

  it('cannot be sent again when there are none', () => {
    const message = 'a segment is sent again only when one is lost';
    expect(() => sent(2).sendAgain(0)).toThrow(message);
  });
});

describe('the reordering that a scoreboard knows', () => {
  it('is wider once a segment came too soon to be the copy that was sent again', () => {
    const board = sent(2);
    board.acknowledgeBlock(1010, block(1, 2));
    board.detectLosses(1010);
    board.detectLosses(2000);
    takeLost(board, 2000);
    board.acknowledge(2100, 2 * LENGTH);
    expect(board.reorderingWindow).toBe(2 * T);
  });

  it('is not wider when the copy comes as late as any other', () => {
    const board = sent(2);
    board.acknowledgeBlock(1010, block(1, 2));
    board.detectLosses(1010);
    board.detectLosses(2000);
    takeLost(board, 2000);
    board.acknowledge(3000, 2 * LENGTH);
    expect(board.reorderingWindow).toBe(T);
  });

  it('is told in the T that is known', () => {
    const board = sent(1);
    board.onBaseRtt(3 * T);
    expect(board.reorderingWindow).toBe(3 * T);
  });
});

describe('how far segments have arrived', () => {
  it('is behind the last one of any acknowledgement, and never less than before', () => {
    const board = sent(6);
    board.acknowledge(1000, LENGTH);
    expect(board.arrivedUpTo).toBe(1000);
    board.acknowledgeBlock(1010, block(4, 5));
    board.acknowledgeBlock(1020, block(2, 3));
    expect(board.arrivedUpTo).toBe(5000);
    board.acknowledge(1030, 2 * LENGTH);
    expect(board.arrivedUpTo).toBe(5000);
  });

  it('is not what a block says in which no segment lies', () => {
    const board = sent(3);
    board.acknowledgeBlock(1000, { from: 1001, to: 2999 });
    expect(board.arrivedUpTo).toBe(0);
  });
});

describe('a scoreboard that has gone round its ring', () => {
  it('is as empty as at first', () => {
    const board = wrapped(3 * LENGTH);
    board.detectLosses(99_000);
    expect([board.hasRoom, board.hasLost, board.inflightBytes]).toEqual([true, false, 0]);
    expect(board.deadline).toBe(Infinity);
  });

  it('looks at what is in flight only, not at what was before', () => {
    const board = wrapped();
    for (const i of [RING, RING + 1]) board.send(i, i * LENGTH, LENGTH);
    expect(board.acknowledgeBlock(2000, block(RING + 1, RING + 2))).toBe(true);
    expect(board.inflightBytes).toBe(LENGTH);
  });

  it('has room for as many segments as ever, however many there have been', () => {
    const board = new Scoreboard(T, SPAN);
    board.send(0, 0, LENGTH);
    for (let i = 1; i < 20_000; i++) {
      if (!board.hasRoom) throw new Error(`no room for segment ${i}`);
      board.send(i, i * LENGTH, LENGTH);
      board.acknowledge(i, i * LENGTH);
    }
    expect(board.inflightBytes).toBe(LENGTH);
  });

  it('keeps all segments when it grows in the middle of it', () => {
    const board = sent(40);
    board.acknowledge(1000, 30 * LENGTH);
    for (let i = 40; i < 100; i++) board.send(i * 10, i * LENGTH, LENGTH);
    expect(board.inflightBytes).toBe(70 * LENGTH);
    board.loseAll(0);
    expect(takeLost(board, 9000)).toEqual(Array.from({ length: 70 }, (_, i) => 30 + i));
  });

  it('expects nothing once all has arrived', () => {
    const board = sent(3);
    board.acknowledgeBlock(1020, block(1, 3));
    board.detectLosses(1020);
    expect(board.deadline).toBe(2000);
    board.acknowledge(1030, 3 * LENGTH);
    expect(board.deadline).toBe(Infinity);
  });
});
