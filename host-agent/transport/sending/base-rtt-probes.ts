import { assert } from '../../../common/assert';
import type { Instant } from '../../../common/units/units';
import type { FeedbackOutcome } from '../../host/host-events';
import type { BaseRtts } from '../../path/base-rtt-prober';
import { BASE_RTT_PROBES_FROM, BaseRttProber } from '../../path/base-rtt-prober';
import type { FlowHelper, FlowEvent, HelpedFlow, Probe } from './flow-helper';

/** Measures T by probes on the flow's own path. Data waits until T is known. */
export class BaseRttProbes implements FlowHelper {
  readonly #flow: HelpedFlow;
  readonly #baseRtts: BaseRtts;
  #prober: BaseRttProber | undefined = undefined;

  constructor(flow: HelpedFlow, baseRtts: BaseRtts) {
    this.#flow = flow;
    this.#baseRtts = baseRtts;
  }

  start(now: Instant): void {
    const { config, spec, sender } = this.#flow;
    const flow = { destination: spec.destinationAddress, guess: config.baseRtt };
    this.#prober = new BaseRttProber(now, this.#baseRtts, flow);
    sender.drain();
  }

  probeAt(): Instant {
    const prober = this.#prober;
    if (prober === undefined) return Infinity;
    const measures = prober.T === undefined || !this.#flow.sender.isDrained;
    return measures ? prober.probeAt : Infinity;
  }

  /** It leaves before the data, so that it uses no rate of it. */
  takeProbe(now: Instant): Probe {
    assert(this.#prober !== undefined, 'a flow that has not begun probes nothing');
    return { id: this.#prober.takeProbe(now) };
  }

  handle(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    if (event.kind === 'moved') this.#prober?.onMoved(now);
    if (event.kind !== 'response' || event.id < BASE_RTT_PROBES_FROM) return undefined;
    const { sender } = this.#flow;
    const isFirst = this.#prober?.T === undefined;
    const links = event.sample?.kind === 'links' ? event.sample.telemetry : [];
    const T = this.#prober?.handleResponse(now, event.id, links);
    if (T === undefined) return 'taken';
    sender.handleBaseRtt(now, T);
    this.#flow.notify(now, { kind: 'base-rtt', T });
    if (isFirst) sender.resume(now);
    return 'taken';
  }
}
