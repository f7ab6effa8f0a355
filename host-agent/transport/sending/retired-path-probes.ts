import type { Instant } from '../../../common/units/units';
import type { FeedbackOutcome } from '../../host/host-events';
import { BASE_RTT_PROBES_FROM } from '../../path/base-rtt-prober';
import type { RetiredPorts } from '../../path/entropy/retired-ports';
import { PATH_PROBES_FROM } from '../../path/path-selector';
import type { FlowEvent, FlowHelper, HelpedFlow, Probe } from './flow-helper';

/** Probes whose answers are still waited for; the oldest of more are forgotten. */
const WAITING_MAX = 1024;

/** Asks about paths that seem to have failed, over the source ports that led there. */
export class RetiredPathProbes implements FlowHelper {
  readonly #flow: HelpedFlow;
  readonly #retired: RetiredPorts;
  /** Source port of each probe under way. */
  readonly #waiting = new Map<number, number>();
  #sent = 0;
  #forgotten = 0;

  constructor(flow: HelpedFlow, retired: RetiredPorts) {
    this.#flow = flow;
    this.#retired = retired;
  }

  get counters() {
    return { probesSent: this.#sent, probeTimeouts: this.#forgotten };
  }

  probeAt(): Instant {
    return this.#flow.sender.isDrained ? Infinity : this.#retired.probeAt;
  }

  /** It uses no rate of the paths that carry data. */
  takeProbe(now: Instant): Probe {
    const id = PATH_PROBES_FROM + this.#sent++;
    const sourcePort = this.#retired.takeProbe(now);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size === WAITING_MAX && oldest !== undefined) {
      this.#waiting.delete(oldest);
      this.#forgotten++;
    }
    this.#waiting.set(id, sourcePort);
    return { id, sourcePort };
  }

  handle(_now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    if (event.kind !== 'response') return undefined;
    if (event.id < PATH_PROBES_FROM || event.id >= BASE_RTT_PROBES_FROM) return undefined;
    const port = this.#waiting.get(event.id);
    if (port === undefined) return 'unrequested';
    this.#waiting.delete(event.id);
    this.#retired.restore(port);
    return 'taken';
  }
}
