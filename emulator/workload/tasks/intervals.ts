import type { Duration, Instant } from '../../../common/units/units';

/** Pairs of beginning and end, in any order. */
export class Intervals {
  readonly #pairs: [from: Instant, to: Instant][] = [];

  add(from: Instant, to: Instant): void {
    if (to > from) this.#pairs.push([from, to]);
  }

  /** The same time as intervals in order, none of which touch. */
  union(): readonly (readonly [from: Instant, to: Instant])[] {
    const sorted = this.#pairs.toSorted(([a], [b]) => a - b);
    const merged: [Instant, Instant][] = [];
    for (const [from, to] of sorted) {
      const last = merged.at(-1);
      if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
      else merged.push([from, to]);
    }
    return merged;
  }

  /** The same without pauses that are shorter than a gap. */
  filled(gap: Duration): readonly (readonly [from: Instant, to: Instant])[] {
    const filled: [Instant, Instant][] = [];
    for (const [from, to] of this.union()) {
      const last = filled.at(-1);
      if (last !== undefined && from - last[1] < gap) last[1] = to;
      else filled.push([from, to]);
    }
    return filled;
  }

  /** Time in any of the intervals. */
  get length(): Duration {
    return this.union().reduce((sum, [from, to]) => sum + to - from, 0);
  }

  /** Time in any of these, but in none of the others. */
  without(others: Intervals): Duration {
    const holes = others.union();
    let [left, next] = [this.length, 0];
    for (const [from, to] of this.union()) {
      while (next < holes.length && (holes[next] as readonly [Instant, Instant])[1] <= from) next++;
      for (let i = next; i < holes.length; i++) {
        const [holeFrom, holeTo] = holes[i] as readonly [Instant, Instant];
        if (holeFrom >= to) break;
        left -= Math.min(to, holeTo) - Math.max(from, holeFrom);
      }
    }
    return left;
  }
}
