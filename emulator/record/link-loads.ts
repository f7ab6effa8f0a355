import { wrappedDifference } from '../../common/hop/hop';
import type { HopRecord } from '../../common/hop/hop';
import type { Acknowledgement } from '../../host-agent/algorithm/congestion-control';
import { LastTelemetry, interval } from '../../host-agent/algorithm/last-telemetry';
import { PathLoad } from '../../host-agent/algorithm/path-load';
import type { PathLoadParameters } from '../../host-agent/algorithm/path-load';
import type { TracedLink } from '../result/packet-story';

const HOPS_MAX = 32;

/** What one flow's telemetry says of each link, by the very arithmetic of the algorithm. */
export class LinkLoads {
  readonly #last = new LastTelemetry(HOPS_MAX);
  readonly #load: PathLoad;

  constructor(
    private readonly parameters: PathLoadParameters,
    private readonly nameOf: (hop: HopRecord) => string,
  ) {
    this.#load = new PathLoad(parameters);
  }

  /** Empty where there is nothing to compare with. What comes next is compared with `ack`. */
  take(ack: Acknowledgement): TracedLink[] {
    const verdict = this.#last.judge(ack);
    if (verdict === 'comparable') {
      const links = this.#compare(ack);
      this.#last.refresh(ack);
      return links;
    }
    if (verdict === 'first' || verdict === 'path-changed' || verdict === 'expired') {
      this.#last.replace(ack);
    }
    return [];
  }

  #compare({ telemetry, now }: Acknowledgement): TracedLink[] {
    this.#load.measure(telemetry, this.#last);
    const fullest = this.#load.link;
    return telemetry.map((hop, i) => {
      const last = this.#last.record(i);
      const intervalNs = interval(hop, last);
      const sent = wrappedDifference(hop.txBytes, last.txBytes, hop.txBytesModulus);
      return {
        name: this.nameOf(hop),
        intervalNs,
        rateGbps: intervalNs === 0 ? 0 : (8 * sent) / intervalNs,
        queueBytes: this.#load.queueBetween(hop, last),
        u: this.#alone(hop, last, now),
        isFullest: i === fullest,
      };
    });
  }

  /** u of one link, as if the path had no other. */
  #alone(hop: HopRecord, last: HopRecord, now: number): number {
    const one = new LastTelemetry(1);
    one.replace({ telemetry: [last], now });
    const load = new PathLoad(this.parameters);
    load.measure([hop], one);
    return load.u;
  }
}
