import type { Instant } from '../../../common/units/units';
import type { FeedbackOutcome } from '../../host/host-events';
import { BASE_RTT_PROBES_FROM } from '../../path/base-rtt-prober';
import type { RetiredPorts } from '../../path/entropy/retired-ports';
import { PATH_PROBES_FROM } from '../../path/path-selector';
import type { FlowEvent, FlowHelper, HelpedFlow, Probe } from './flow-helper';

/** Source ports that an id of a probe tells apart. */
const PORTS = 0x10000;

/** Asks about paths that seem to have failed, over the source ports that led there. */
export class RetiredPathProbes implements FlowHelper {
  readonly #flow: HelpedFlow;
  readonly #retired: RetiredPorts;
  /** Id of the latest probe over each source port, until it is answered. */
  readonly #waiting = new Map<number, number>();
  #sent = 0;
  #timeouts = 0;

  constructor(flow: HelpedFlow, retired: RetiredPorts) {
    this.#flow = flow;
    this.#retired = retired;
  }

  get counters() {
    return { probesSent: this.#sent, probeTimeouts: this.#timeouts };
  }

  probeAt(): Instant {
    return this.#flow.sender.isDrained ? Infinity : this.#retired.probeAt;
  }

  /** It uses no rate of the paths that carry data. One over the same port before it has failed, if it was not answered. */
  takeProbe(now: Instant): Probe {
    const sourcePort = this.#retired.takeProbe(now);
    const id = PATH_PROBES_FROM + PORTS * this.#sent++ + sourcePort;
    if (this.#waiting.has(sourcePort)) this.#timeouts++;
    this.#waiting.set(sourcePort, id);
    return { id, sourcePort };
  }

  handle(_now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    if (event.kind !== 'response') return undefined;
    if (event.id < PATH_PROBES_FROM || event.id >= BASE_RTT_PROBES_FROM) return undefined;
    const port = (event.id - PATH_PROBES_FROM) % PORTS;
    if (this.#waiting.get(port) !== event.id) return 'unrequested';
    this.#waiting.delete(port);
    this.#retired.restore(port);
    return 'taken';
  }
}
