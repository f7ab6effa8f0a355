import type { SackBlock } from '../../../common/wire/hpcc/selective-ack';

/** More gaps than this at once are not worth remembering: what comes then is dropped. */
const RANGES_MAX = 256;

/**
 * Ranges of bytes that have been received beyond a gap, the latest news first, as RFC 2018 wants them
 * to be told. They neither touch nor overlap.
 */
export class ReceivedRanges {
  #ranges: SackBlock[] = [];

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

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
