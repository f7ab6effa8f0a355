import { Board, boardMemory } from '../../../../emulator/workers/board';

const flags = { overflows: false, stops: false, sends: false };
const notice = { next: Infinity, finished: 0, lastFinish: -1, ...flags };

describe('the board of workers', () => {
  it('tells what all have written as if one had', () => {
    const memory = new SharedArrayBuffer(boardMemory(2));
    const [one, other] = [new Board(memory, 2), new Board(memory, 2)];
    one.write(0, { ...notice, next: 70, finished: 2, lastFinish: 50 });
    other.write(1, { ...notice, next: 60, finished: 1, overflows: true, sends: true });
    const raised = { overflows: true, stops: false, sends: true };
    const both = { next: 60, finished: 3, lastFinish: 50, ...raised };
    expect(one.read()).toEqual(both);
    one.write(0, { ...notice, stops: true });
    // Who is ahead has written again; who is behind reads what was there.
    expect(other.read()).toEqual(both);
    other.write(1, notice);
    expect(other.read()).toEqual({ ...notice, stops: true });
  });

  it('shows how far all are together', () => {
    const board = new Board(new SharedArrayBuffer(boardMemory(2)), 2);
    board.writeProgress(0, { packetHops: 5, deliveredBytes: 100, now: 30 });
    board.writeProgress(1, { packetHops: 7, deliveredBytes: 20, now: 20 });
    expect(board.readProgress()).toEqual({ packetHops: 12, deliveredBytes: 120, now: 20 });
  });
});
