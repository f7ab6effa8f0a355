import { Scoreboard } from '../../../../../host-agent/transport/recovery/scoreboard';

export const T = 1000;
export const SPAN = 1_000_000;
export const LENGTH = 1000;

/** Segments 0 to `count` - 1 of 1000 bytes, which leave at 0, 10, 20… */
export function sent(count: number): Scoreboard {
  const board = new Scoreboard(T, SPAN);
  for (let i = 0; i < count; i++) board.send(i * 10, i * LENGTH, LENGTH);
  return board;
}

export const block = (first: number, end: number) => ({ from: first * LENGTH, to: end * LENGTH });

/** All that is lost now, by number, as it is sent again. */
export function takeLost(board: Scoreboard, now: number): number[] {
  const numbers: number[] = [];
  while (board.hasLost) numbers.push(board.sendAgain(now).sequence / LENGTH);
  return numbers;
}
