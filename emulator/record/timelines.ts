import type { Duration, Instant } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import type { Timelines } from '../result/timelines';

/** Counters of a link so far; read, never changed. */
export interface TimedLink {
  readonly name: string;
  readonly ledger: { readonly sentBytes: number };
}

/** Counts of a whole run so far. */
export interface TimedCounts {
  readonly droppedPackets: number;
  readonly feedbackPackets: number;
}

export interface TimelineOptions {
  readonly links: readonly TimedLink[];
  /** Interval between two calls of {@link TimelineRecorder.sample}. */
  readonly interval: Duration;
  readonly counts: () => TimedCounts;
}

/** All links together have at most so many intervals, and one link at most {@link INTERVALS_MAX}. */
const CELLS_MAX = 2 ** 16;
const INTERVALS_MAX = 512;
const INTERVALS_MIN = 32;
/** A packet of 1 KB takes 87 ns at 100 Gb/s: a shorter interval would show packets, not load. */
const WIDTH_MIN: Duration = PS_PER_US;

/**
 * Load, queue and drops of a whole run in bounded memory: when all intervals are in use, two
 * neighbours become one of twice the length. A run of a second takes as much room as one of a
 * millisecond.
 */
export class TimelineRecorder {
  readonly #o: TimelineOptions;
  readonly #intervals: number;
  #width: Duration;
  /** Intervals that are over; the present one has this number. */
  #over = 0;
  /** Bytes sent by link, and within it by interval. */
  readonly #sent: Float64Array;
  readonly #peaks: Float64Array;
  readonly #dropped: Float64Array;
  readonly #feedback: Float64Array;
  /** Bytes sent by each link before the present interval. */
  readonly #sentBefore: Float64Array;
  #before: TimedCounts = { droppedPackets: 0, feedbackPackets: 0 };

  constructor(options: TimelineOptions) {
    const { links, interval } = options;
    this.#o = options;
    const room = 2 ** Math.floor(Math.log2(CELLS_MAX / Math.max(1, links.length)));
    this.#intervals = Math.max(INTERVALS_MIN, Math.min(INTERVALS_MAX, room));
    this.#width = Math.ceil(WIDTH_MIN / interval) * interval;
    const cells = links.length * this.#intervals;
    this.#sent = new Float64Array(cells);
    this.#peaks = new Float64Array(cells);
    this.#dropped = new Float64Array(this.#intervals);
    this.#feedback = new Float64Array(this.#intervals);
    this.#sentBefore = new Float64Array(links.length);
  }

  /**
   * Notes the queue length before a link at the present sample. PERF: per sample and queue; no
   * allocation.
   */
  noteQueue(link: number, bytes: number): void {
    const cell = link * this.#intervals + this.#over;
    if (bytes > (this.#peaks[cell] as number)) this.#peaks[cell] = bytes;
  }

  /** Ends the intervals that are over at `now`; called at every sample, before queues are noted. */
  sample(now: Instant): void {
    while (now >= (this.#over + 1) * this.#width) {
      this.#close();
      this.#over++;
      if (this.#over === this.#intervals) this.#halve();
    }
  }

  /**
   * Timelines up to now, the present interval included. Does not change the results of later calls.
   */
  timelines(): Timelines {
    this.#close(false);
    const count = this.#over + 1;
    const row = (all: Float64Array, i = 0): number[] => {
      // PERF: an array from an iterable takes an object for each value.
      const values = new Array<number>(count);
      for (let at = 0; at < count; at++) values[at] = all[i * this.#intervals + at] as number;
      return values;
    };
    return {
      intervalUs: this.#width / PS_PER_US,
      links: this.#o.links.map(({ name }, i) => ({
        name,
        sentBytes: row(this.#sent, i),
        queuePeakBytes: row(this.#peaks, i),
      })),
      droppedPackets: row(this.#dropped),
      feedbackPackets: row(this.#feedback),
    };
  }

  #close(isOver = true): void {
    const { links, counts } = this.#o;
    const at = this.#over;
    links.forEach(({ ledger }, i) => {
      const before = this.#sentBefore[i] as number;
      this.#sent[i * this.#intervals + at] = ledger.sentBytes - before;
      if (isOver) this.#sentBefore[i] = ledger.sentBytes;
    });
    const now = counts();
    this.#dropped[at] = now.droppedPackets - this.#before.droppedPackets;
    this.#feedback[at] = now.feedbackPackets - this.#before.feedbackPackets;
    if (isOver) this.#before = now;
  }

  #halve(): void {
    const sum = (a: number, b: number): number => a + b;
    for (let i = 0; i < this.#o.links.length; i++) {
      merge(this.#rowOf(this.#sent, i), sum);
      merge(this.#rowOf(this.#peaks, i), Math.max);
    }
    merge(this.#dropped, sum);
    merge(this.#feedback, sum);
    this.#over /= 2;
    this.#width *= 2;
  }

  #rowOf(all: Float64Array, link: number): Float64Array {
    return all.subarray(link * this.#intervals, (link + 1) * this.#intervals);
  }
}

/** Two neighbours become one, in place; what becomes free is 0. */
function merge(row: Float64Array, join: (a: number, b: number) => number): void {
  const half = row.length / 2;
  for (let i = 0; i < half; i++) row[i] = join(row[2 * i] as number, row[2 * i + 1] as number);
  row.fill(0, half);
}
