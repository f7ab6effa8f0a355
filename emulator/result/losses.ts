import type { Result } from './result';

/** Packets that switches dropped, whatever the reason. */
export const droppedBySwitches = ({ counters }: Pick<Result, 'counters'>): number =>
  Object.values(counters.drops).reduce((sum, count) => sum + count, 0);

/** Packets that links lost: by their loss rate, or on the way when they failed. */
export const lostOnLinks = ({ links }: Pick<Result, 'links'>): number =>
  links.reduce((sum, { lostPackets }) => sum + lostPackets, 0);
