import { assert } from '../../../common/assert';
import type { Bytes } from '../../../common/units/units';

/** Result of a data segment: its new bytes, and the answer to it. */
export interface Reception {
  /** Cumulative: the next byte expected, after this segment. */
  readonly ackSequence: number;
  /** The answer asks the sender to go back to `ackSequence`. */
  readonly isNack: boolean;
  /** Bytes at the end of the segment that are new and in order; 0 to the segment's length. */
  readonly newBytes: Bytes;
  /** Bytes kept from earlier segments that the segment has put in order, which follow its own. */
  readonly released?: readonly KeptBytes[];
}

/** Payload bytes that came before their turn. */
export interface KeptBytes {
  readonly sequence: number;
  readonly length: Bytes;
  /** The stored part of them; the rest are virtual zeros. */
  readonly stored: Uint8Array;
}

/**
 * Receiving side of one flow, for go-back-N: accepts bytes in order only, answers every segment.
 *
 *     expected --+--> in order: deliver
 *                +--> before: acknowledge again
 *                +--> beyond: a gap; ask once to go back, then acknowledge only
 */
export class FlowReceiver {
  #expected: number;
  #isFinished: boolean;
  /** Start of the last segment beyond the current gap, or NONE without a gap. */
  #lastBeyondGap = NONE;
  /** PERF: filled in again for each segment. */
  readonly #reception = { ackSequence: 0, isNack: false, newBytes: 0 };

  /** @param finishedAt bytes of a flow that has been received whole already. */
  constructor(finishedAt?: Bytes) {
    this.#isFinished = finishedAt !== undefined;
    this.#expected = finishedAt ?? 0;
  }

  /** Bytes received in order so far. */
  get expectedSequence(): number {
    return this.#expected;
  }

  /** True if the last byte of the flow has been received in order. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The result is valid until the next segment. */
  handleData(sequence: number, length: Bytes, isLast: boolean): Reception {
    assert(length > 0, 'the parser refuses data without payload');
    if (sequence > this.#expected) return this.#handleGap(sequence);
    const newBytes = Math.max(0, sequence + length - this.#expected);
    if (newBytes > 0 && !this.#isFinished) {
      this.#expected += newBytes;
      this.#isFinished = isLast;
      this.#lastBeyondGap = NONE;
      return this.#answer(newBytes, false);
    }
    return this.#answer(0, false);
  }

  /**
   * Segments arrive in the order they were sent, so a segment at or before its predecessor means
   * that the sender has gone back and the missing segment was lost again.
   */
  #handleGap(sequence: number): Reception {
    const last = this.#lastBeyondGap;
    this.#lastBeyondGap = sequence;
    return this.#answer(0, last === NONE || sequence <= last);
  }

  #answer(newBytes: Bytes, isNack: boolean): Reception {
    const reception = this.#reception;
    reception.ackSequence = this.#expected;
    reception.isNack = isNack;
    reception.newBytes = newBytes;
    return reception;
  }
}

const NONE = -1;
