import type { HopRecord } from '../../../common/hop/hop';
import type { Instant } from '../../../common/units/units';
import { LoadMeter } from '../../feedback/load-meter';
import type { CheckedRoceConfig } from '../queue-pair/roce-config';

/** Finds the link of a path that a response names: the one with most in flight. */
export class LinkChoice {
  readonly #meter: LoadMeter;

  constructor({ linkRate, baseRtt, intHopLimit }: CheckedRoceConfig) {
    this.#meter = new LoadMeter({ linkRate, baseRtt, maxHops: intHopLimit });
  }

  /**
   * The position of the link in the path, and whether the path is another one than before. Without
   * anything to compare with, the longest queue counts, by the time that it takes to send it.
   */
  choose(now: Instant, hops: readonly HopRecord[], isIncomplete: boolean): number {
    const load = this.#meter.measure(now, hops, isIncomplete);
    if (load !== undefined && load.link >= 0) return load.link;
    const waits = hops.map(({ queueBytes, capacity }) => queueBytes / capacity);
    return Math.max(0, waits.indexOf(Math.max(...waits)));
  }
}
