import type { CaptureTime } from './records';

const WORD = 0x1_0000_0000;
const NS = 1_000_000_000;

/**
 * Ticks since 1970 in 64 bits, as pcapng has them, to seconds and nanoseconds. They are more than a
 * number holds, and the upper half changes every four seconds at most (of ns), so that its part is
 * computed once with bigints and kept.
 */
export class PcapngClock {
  #high = -1;
  #seconds = 0;
  /** Ticks beyond `#seconds` that the upper half is worth. */
  #ticks = 0;

  constructor(
    /** Up to 2^127 in files that lie; then every time costs a bigint. */
    readonly unitsPerSecond: number,
    readonly offsetSeconds: number,
  ) {}

  timeOf(high: number, low: number): CaptureTime {
    // Sums below stay exact, and so does a remainder times 10^9 where ticks are no ns.
    if (this.unitsPerSecond !== NS && this.unitsPerSecond > 1e6) return this.#wideTime(high, low);
    if (high !== this.#high) this.#take(high);
    const ticks = this.#ticks + low;
    const remainder = ticks % this.unitsPerSecond;
    return {
      seconds: this.#seconds + (ticks - remainder) / this.unitsPerSecond,
      nanoseconds: Math.floor((remainder * NS) / this.unitsPerSecond),
    };
  }

  #take(high: number): void {
    const perSecond = BigInt(this.unitsPerSecond);
    const ticks = BigInt(high) * BigInt(WORD);
    this.#high = high;
    this.#seconds = Number(ticks / perSecond) + this.offsetSeconds;
    this.#ticks = Number(ticks % perSecond);
  }

  #wideTime(high: number, low: number): CaptureTime {
    const perSecond = BigInt(this.unitsPerSecond);
    const ticks = BigInt(high) * BigInt(WORD) + BigInt(low);
    return {
      seconds: Number(ticks / perSecond) + this.offsetSeconds,
      nanoseconds: Number(((ticks % perSecond) * BigInt(NS)) / perSecond),
    };
  }
}
