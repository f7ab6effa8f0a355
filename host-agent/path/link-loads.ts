import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Instant } from '../../common/units/units';
import type { LinkLoad } from '../feedback/load-meter';
import { LoadMeter } from '../feedback/load-meter';

interface MeasuredLink {
  readonly meter: LoadMeter;
  load: LinkLoad | undefined;
  measuredAt: Instant;
}

/** Loads of links by identity, whichever path the telemetry came over. */
export class LinkLoads {
  readonly #environment: ConstructorParameters<typeof LoadMeter>[0];
  readonly #links = new Map<number, MeasuredLink>();

  constructor(environment: ConstructorParameters<typeof LoadMeter>[0]) {
    this.#environment = environment;
  }

  /** Telemetry of a whole path arrived. */
  note(now: Instant, telemetry: readonly HopRecord[]): void {
    for (const hop of telemetry) {
      const link = this.#link(hop);
      const load = link.meter.measure(now, [hop], false);
      if (load === undefined) continue;
      link.load = load;
      link.measuredAt = now;
    }
  }

  /**
   * Spare rate of a path: the least of its links. `own` are the links that the flow uses now, where its own
   * `rate` would be free for itself. Undefined unless each link was measured at `since` or later.
   */
  spare(
    path: readonly HopRecord[],
    own: { readonly links: readonly HopRecord[]; readonly rate: BitsPerSecond },
    since: Instant,
  ): BitsPerSecond | undefined {
    const ownKeys = new Set(own.links.map(keyOf));
    let least: BitsPerSecond = Infinity;
    for (const hop of path) {
      const { load, measuredAt } = this.#link(hop);
      if (load === undefined || measuredAt < since) return undefined;
      const free = Math.max(0, 1 - load.ratio) * load.capacity;
      least = Math.min(least, free + (ownKeys.has(keyOf(hop)) ? own.rate : 0));
    }
    return least === Infinity ? undefined : least;
  }

  #link(hop: HopRecord): MeasuredLink {
    const key = keyOf(hop);
    let link = this.#links.get(key);
    if (link === undefined) {
      link = { meter: new LoadMeter(this.#environment), load: undefined, measuredAt: -Infinity };
      this.#links.set(key, link);
    }
    return link;
  }
}

/** Below 2^48: 32 bits of switch and 16 of port. */
const keyOf = ({ switchId, portId }: HopRecord): number => switchId * 0x10000 + portId;
