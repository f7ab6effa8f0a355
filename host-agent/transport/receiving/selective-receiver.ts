import { assert } from '../../../common/assert';
import type { Bytes } from '../../../common/units/units';
import type { SackBlock } from '../../../common/wire/hpcc/selective-ack';
import { REORDER_SEGMENTS_MAX } from '../recovery/loss-recovery';
import type { KeptBytes, Reception } from './receiver';

interface KeptSegment extends KeptBytes {
  readonly isLast: boolean;
}

/**
 * Receiving side of one flow whose sender repeats single segments.
 *
 *     expected --+--> in order: deliver, with what was kept and is in order now
 *                +--> before, or kept already: acknowledge again
 *                +--> beyond, within the window: keep
 *                +--> beyond the window, or too much kept: drop
 *
 * Data that has been acknowledged selectively is kept until it is delivered. Memory is bounded: no segment that
 * begins beyond the window is kept, no byte twice, and no more than `REORDER_SEGMENTS_MAX` segments. Senders
 * (Scoreboard) let a segment begin inside of the window, too: what they may send is never dropped.
 */
export class SelectiveReceiver {
  readonly #windowBytes: Bytes;
  #expected = 0;
  #isFinished = false;
  /** Segments in the order of their sequences, without overlap. */
  #kept: KeptSegment[] = [];
  readonly #ranges = new ReceivedRanges();

  /** @param windowBytes from the next byte expected on. */
  constructor(windowBytes: Bytes) {
    this.#windowBytes = windowBytes;
  }

  /** Bytes received in order so far. */
  get expectedSequence(): number {
    return this.#expected;
  }

  /** True if the last byte of the flow has been received in order. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Blocks that are kept beyond the next byte expected, the latest ones first. */
  get blocks(): readonly SackBlock[] {
    return this.#ranges.blocks;
  }

  /** Payload bytes kept, stored or virtual. */
  get keptBytes(): Bytes {
    return this.#kept.reduce((sum, { length }) => sum + length, 0);
  }

  /** @param stored the stored part of the payload, valid during the call. */
  handleData(sequence: number, length: Bytes, isLast: boolean, stored: Uint8Array): Reception {
    assert(length > 0, 'the parser refuses data without payload');
    const end = sequence + length;
    if (sequence > this.#expected) {
      this.#keep({ sequence, length, stored, isLast });
      return { ackSequence: this.#expected, isNack: false, newBytes: 0 };
    }
    if (end <= this.#expected || this.#isFinished) {
      return { ackSequence: this.#expected, isNack: false, newBytes: 0 };
    }
    const newBytes = end - this.#expected;
    this.#expected = end;
    this.#isFinished = isLast;
    if (this.#kept.length === 0) return { ackSequence: end, isNack: false, newBytes };
    const released = this.#release();
    return { ackSequence: this.#expected, isNack: false, newBytes, released };
  }

  #keep(segment: KeptSegment): void {
    const { sequence, length, stored } = segment;
    const end = sequence + length;
    if (this.#isFinished || sequence >= this.#expected + this.#windowBytes) return;
    if (this.#ranges.has(sequence, end)) {
      this.#ranges.touch(sequence);
      return;
    }
    const at = this.#placeOf(sequence);
    if (this.#overlapsAt(at, segment) || this.#kept.length === REORDER_SEGMENTS_MAX) return;
    if (!this.#ranges.add(sequence, end)) return;
    // The packet's bytes are not ours for longer than this call.
    this.#kept.splice(at, 0, { ...segment, stored: stored.slice() });
  }

  /** Number of kept segments before `sequence`. PERF: what is late is rare, so search from behind. */
  #placeOf(sequence: number): number {
    let at = this.#kept.length;
    while (at > 0 && (this.#kept[at - 1]?.sequence ?? 0) > sequence) at--;
    return at;
  }

  /** Senders repeat segments as they were; of two that overlap otherwise, the first one counts. */
  #overlapsAt(at: number, { sequence, length }: KeptSegment): boolean {
    const before = this.#kept[at - 1];
    const after = this.#kept[at];
    if (before !== undefined && before.sequence + before.length > sequence) return true;
    return after !== undefined && after.sequence < sequence + length;
  }

  /** Takes out what is in order now, without the bytes that are delivered already. */
  #release(): KeptBytes[] {
    const released: KeptBytes[] = [];
    let count = 0;
    for (const segment of this.#kept) {
      if (segment.sequence > this.#expected || this.#isFinished) break;
      count++;
      const end = segment.sequence + segment.length;
      if (end <= this.#expected) continue;
      released.push(fromByte(segment, this.#expected));
      this.#expected = end;
      this.#isFinished = segment.isLast;
    }
    this.#kept = this.#isFinished ? [] : this.#kept.slice(count);
    this.#ranges.removeBefore(this.#isFinished ? Infinity : this.#expected);
    return released;
  }
}

function fromByte({ sequence, length, stored }: KeptSegment, from: number): KeptBytes {
  const skip = from - sequence;
  return { sequence: from, length: length - skip, stored: stored.subarray(skip) };
}

/** More gaps than this at once are not worth remembering: what comes then is dropped. */
const RANGES_MAX = 256;

/**
 * Ranges of bytes that have been received beyond a gap, the latest news first, as RFC 2018 wants them
 * to be told. They neither touch nor overlap.
 */
class ReceivedRanges {
  #ranges: SackBlock[] = [];

  /** The range that changed last is first. */
  get blocks(): readonly SackBlock[] {
    return this.#ranges;
  }

  has(from: number, to: number): boolean {
    return this.#ranges.some((range) => range.from <= from && to <= range.to);
  }

  /** Returns false, having done nothing, if that would be one range too many. */
  add(from: number, to: number): boolean {
    const isApart = (range: SackBlock): boolean => range.to < from || to < range.from;
    const apart = this.#ranges.filter(isApart);
    if (apart.length === RANGES_MAX) return false;
    const touching = this.#ranges.filter((range) => !isApart(range));
    const merged = touching.reduce((all, range) => union(all, range), { from, to });
    this.#ranges = [merged, ...apart];
    return true;
  }

  /** The range with these bytes is the latest news again. */
  touch(from: number): void {
    const at = this.#ranges.findIndex((range) => range.from <= from && from < range.to);
    const [range] = this.#ranges.splice(at, at < 0 ? 0 : 1);
    if (range !== undefined) this.#ranges.unshift(range);
  }

  /** Everything before `sequence` is in order. */
  removeBefore(sequence: number): void {
    if (this.#ranges.length > 0) this.#ranges = this.#ranges.filter(({ to }) => to > sequence);
  }
}

const union = (a: SackBlock, b: SackBlock): SackBlock => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
});
