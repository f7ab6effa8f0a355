import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Duration, Instant } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import type { LoadRatio } from '../../common/wire/hpcc/feedback-records';
import { LastTelemetry } from '../algorithm/last-telemetry';
import { PathLoad } from '../algorithm/path-load';

/** Load of the fullest link, and what that link can carry. */
export interface LinkLoad extends LoadRatio {
  readonly capacity: BitsPerSecond;
  /** Position of that link in the path; -1 if every link was idle. */
  readonly link: number;
}

/** Compares the telemetry of one path with its predecessor, without steering anything. */
export class LoadMeter {
  readonly #last: LastTelemetry;
  readonly #load: PathLoad;

  constructor(environment: {
    readonly linkRate: BitsPerSecond;
    readonly baseRtt: Duration;
    readonly maxHops: number;
  }) {
    const T = Math.ceil(environment.baseRtt / PS_PER_NS);
    const nicRate = environment.linkRate;
    this.#last = new LastTelemetry(environment.maxHops);
    this.#load = new PathLoad({ T, nicRate, Winit: (nicRate * T) / 8e9 });
  }

  /** Undefined when there is nothing to compare with, or the records cannot be used. */
  measure(
    now: Instant,
    telemetry: readonly HopRecord[],
    isIncomplete: boolean,
  ): LinkLoad | undefined {
    const ack = { telemetry, isIncomplete, now, ackSequence: 0, nextSequence: 0 };
    const verdict = this.#last.judge(ack);
    if (verdict === 'first' || verdict === 'expired' || verdict === 'path-changed') {
      this.#last.replace(ack);
    }
    if (verdict !== 'comparable') return undefined;
    this.#load.measure(telemetry, this.#last);
    this.#last.refresh(ack);
    const { u: ratio, tau: intervalNs, link } = this.#load;
    const capacities = telemetry.map(({ capacity }) => capacity);
    return { ratio, intervalNs, link, capacity: capacities[link] ?? Math.min(...capacities) };
  }
}
