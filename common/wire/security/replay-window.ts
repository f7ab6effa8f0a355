import { assert } from '../../assert';
import { word64Difference } from '../bytes';
import type { Word64 } from '../bytes';

export type ReplayVerdict = 'accepted' | 'replayed' | 'too-old';

/**
 * Anti-replay window of RFC 4303 appendix A: the highest sequence number accepted, and which of the
 * `width` numbers up to it have been seen. One per sender and key.
 */
export class ReplayWindow {
  private highest: Word64 = { high: 0, low: 0 };
  /** `seen[d]`: the number `d` below the highest was accepted. */
  private readonly seen: boolean[];

  /** @param width numbers that may arrive late; 1 accepts only what is newer than all before. */
  constructor(private readonly width = 64) {
    assert(Number.isInteger(width) && width >= 1, 'a replay window is 1 number wide or more');
    this.seen = new Array<boolean>(width).fill(false);
    // Numbers start at 1, so 0 counts as seen.
    this.seen[0] = true;
  }

  /** Judges the sequence of a message whose code is right, and remembers it if it is new. */
  accept(sequence: Word64): ReplayVerdict {
    const ahead = word64Difference(sequence, this.highest);
    if (ahead > 0) {
      this.slide(ahead);
      this.highest = sequence;
      this.seen[0] = true;
      return 'accepted';
    }
    if (-ahead >= this.width) return 'too-old';
    if (this.seen[-ahead] === true) return 'replayed';
    this.seen[-ahead] = true;
    return 'accepted';
  }

  private slide(by: number): void {
    for (let d = this.width - 1; d >= 0; d--) {
      this.seen[d] = d >= by && this.seen[d - by] === true;
    }
  }
}
