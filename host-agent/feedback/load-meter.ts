import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Duration, Instant } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import type { LoadRatio } from '../../common/wire/hpcc/feedback-records';
import { PathLoad } from '../algorithm/path-load';
import { TelemetryScreen } from '../algorithm/telemetry-screen';

/** Load of the bottleneck, and what that link can carry. */
export interface LinkLoad extends LoadRatio {
  readonly capacity: BitsPerSecond;
  /** Position of that link in the path; -1 if every link was idle. */
  readonly link: number;
}

/** Compares the telemetry of one path with its predecessor, without controlling anything. */
export class LoadMeter {
  readonly #screen: TelemetryScreen;
  readonly #load: PathLoad;

  constructor(environment: {
    readonly linkRate: BitsPerSecond;
    readonly baseRtt: Duration;
    readonly maxHops: number;
  }) {
    const T = Math.ceil(environment.baseRtt / PS_PER_NS);
    const nicRate = environment.linkRate;
    this.#screen = new TelemetryScreen(environment.maxHops);
    this.#load = new PathLoad({ T, nicRate, Winit: (nicRate * T) / 8e9 });
  }

  /** Undefined when there is nothing to compare with, or the records cannot be used. */
  measure(
    now: Instant,
    telemetry: readonly HopRecord[],
    isIncomplete: boolean,
  ): LinkLoad | undefined {
    const ack = { telemetry, isIncomplete, now, ackSequence: 0, nextSequence: 0 };
    if (this.#screen.take(ack) !== 'comparable') return undefined;
    const { usable, reason, L } = this.#screen;
    this.#load.measure(usable.telemetry, L);
    L.refresh(usable);
    // A link that is missed may be the fullest.
    if (reason !== undefined && this.#load.u < 1) return undefined;
    const { u: ratio, tau: intervalNs } = this.#load;
    const fullest = usable.telemetry[this.#load.link];
    const link = fullest === undefined ? -1 : telemetry.indexOf(fullest);
    const capacities = telemetry.map(({ capacity }) => capacity);
    return { ratio, intervalNs, link, capacity: capacities[link] ?? Math.min(...capacities) };
  }
}
