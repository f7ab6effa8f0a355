import { wrappedDifference } from '../../common/hop/hop';
import type { HopRecord } from '../../common/hop/hop';
import type { Acknowledgement } from '../../host-agent/algorithm/congestion-control';
import { LastTelemetry, interval } from '../../host-agent/algorithm/last-telemetry';
import { PathLoad } from '../../host-agent/algorithm/path-load';
import type { PathLoadParameters } from '../../host-agent/algorithm/path-load';
import { TelemetryScreen } from '../../host-agent/algorithm/telemetry-screen';
import type { TracedLink } from '../result/packet-story';

const HOPS_MAX = 32;

/** Computes U of each link from one flow's telemetry, by the arithmetic of the algorithm. */
export class LinkLoads {
  readonly #screen = new TelemetryScreen(HOPS_MAX);
  readonly #load: PathLoad;

  constructor(
    private readonly parameters: PathLoadParameters,
    private readonly nameOf: (hop: HopRecord) => string,
  ) {
    this.#load = new PathLoad(parameters);
  }

  /** Empty where there is nothing to compare with. What comes next is compared with `ack`. */
  take(ack: Acknowledgement): TracedLink[] {
    if (this.#screen.take(ack) !== 'comparable') return [];
    const { usable, L } = this.#screen;
    const links = this.#compare(usable, L);
    L.refresh(usable);
    return links;
  }

  #compare({ telemetry, now }: Acknowledgement, L: LastTelemetry): TracedLink[] {
    this.#load.measure(telemetry, L);
    const bottleneck = this.#load.link;
    return telemetry.map((hop, i) => {
      const last = L.record(i);
      const intervalNs = interval(hop, last);
      const sent = wrappedDifference(hop.txBytes, last.txBytes, hop.txBytesModulus);
      return {
        name: this.nameOf(hop),
        intervalNs,
        rateGbps: intervalNs === 0 ? 0 : (8 * sent) / intervalNs,
        queueBytes: this.#load.queueBetween(hop, last),
        u: this.#alone(hop, last, now),
        isBottleneck: i === bottleneck,
      };
    });
  }

  /** u of one link, as if the path had no other. */
  #alone(hop: HopRecord, last: HopRecord, now: number): number {
    const one = new LastTelemetry(1);
    one.follow({ telemetry: [last], now });
    const load = new PathLoad(this.parameters);
    load.measure([hop], one);
    return load.u;
  }
}
