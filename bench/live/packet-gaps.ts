/** Longest gaps between two consecutive packets that a switch has forwarded, in ms. */
export interface PacketGaps {
  /** Where they arrive at the receiver. */
  readonly longestGapMs: number;
  /** Where they arrive at the switch: the sender's, or its machine's. */
  readonly longestGapSentMs: number;
  /**
   * The most that a gap at the receiver is longer than the one of the same two packets at the switch. Where packets
   * are missing, which ones is not known, and the switch answers for the whole gap.
   */
  readonly longestOwnGapMs: number;
}

/** Compares the times at which packets came to a switch and to the receiver behind it, in ms. */
export function gapsOf(sent: readonly number[], arrived: readonly number[]): PacketGaps {
  const gaps = (times: readonly number[]): number[] =>
    times.slice(1).map((at, i) => at - (times[i] as number));
  const [before, behind] = [gaps(sent), gaps(arrived)];
  const isWhole = before.length === behind.length;
  const longest = (all: readonly number[]): number =>
    Number(all.reduce((most, gap) => Math.max(most, gap), 0).toFixed(1));
  return {
    longestGapMs: longest(behind),
    longestGapSentMs: longest(before),
    longestOwnGapMs: longest(
      isWhole ? behind.map((gap, i) => gap - (before[i] as number)) : behind,
    ),
  };
}
