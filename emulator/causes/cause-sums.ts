import { PS_PER_US } from '../../common/units/units';
import type { Duration, Instant } from '../../common/units/units';
import type { CausePart } from '../result/flow-causes';
import type { Piece } from './piece';

/** Parts of the time of a flow in which each cause is looked for. */
const BINS = 256;
/** Other flows that a part names. */
const FLOWS_NAMED = 16;

interface Sum {
  readonly piece: Piece;
  time: Duration;
  readonly others: Map<number | null, Duration>;
  readonly bins: Float64Array;
}

/** Sums up pieces by cause and place, and finds when most of each was. */
export class CauseSums {
  readonly #sums = new Map<string, Sum>();
  readonly #from: Instant;
  readonly #to: Instant;

  constructor(from: Instant, to: Instant) {
    this.#from = from;
    this.#to = to;
  }

  add(piece: Piece): void {
    const { cause, at = '', way = '', from, to, others } = piece;
    const key = `${cause} ${way} ${at}`;
    const sum = this.#sums.get(key) ?? {
      piece,
      time: 0,
      others: new Map<number | null, Duration>(),
      bins: new Float64Array(BINS),
    };
    this.#sums.set(key, sum);
    sum.time += to - from;
    for (const [flow, time] of others ?? []) {
      sum.others.set(flow, (sum.others.get(flow) ?? 0) + time);
    }
    const width = (this.#to - this.#from) / BINS;
    for (let bin = this.#binOf(from); bin <= this.#binOf(to); bin++) {
      const start = this.#from + bin * width;
      const part = Math.min(to, start + width) - Math.max(from, start);
      if (part > 0) sum.bins[bin] = (sum.bins[bin] as number) + part;
    }
  }

  /** The longest first. */
  parts(): CausePart[] {
    const total = this.#to - this.#from;
    return [...this.#sums.values()]
      .toSorted((a, b) => b.time - a.time)
      .map(({ piece: { cause, at, way }, time, others, bins }) => ({
        cause,
        ...(at !== undefined && { at }),
        ...(way !== undefined && { way }),
        timeUs: time / PS_PER_US,
        share: time / total,
        ...this.#moment(bins),
        flows: [...others]
          .toSorted((a, b) => b[1] - a[1])
          .slice(0, FLOWS_NAMED)
          .map(([id, span]) => ({ id, timeUs: span / PS_PER_US })),
      }));
  }

  #binOf(at: Instant): number {
    const bin = Math.floor(((at - this.#from) / (this.#to - this.#from)) * BINS);
    return Math.max(0, Math.min(BINS - 1, bin));
  }

  /** The shortest span with at least half of it. */
  #moment(bins: Float64Array): { fromUs: number; toUs: number } {
    const half = bins.reduce((sum, each) => sum + each, 0) / 2;
    let [first, last] = [0, BINS - 1];
    for (let start = 0, end = 0, within = 0; start < BINS; within -= bins[start++] as number) {
      while (end < BINS && within < half) within += bins[end++] as number;
      if (within < half) break;
      if (end - 1 - start < last - first) [first, last] = [start, end - 1];
    }
    const width = (this.#to - this.#from) / BINS;
    return {
      fromUs: (this.#from + first * width) / PS_PER_US,
      toUs: (this.#from + (last + 1) * width) / PS_PER_US,
    };
  }
}
