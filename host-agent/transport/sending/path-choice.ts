import { assert } from '../../../common/assert';
import type { Duration, Instant } from '../../../common/units/units';
import type { CongestionSample } from '../../carrier/congestion-sample';
import type { FeedbackOutcome } from '../../host/host-events';
import { BASE_RTT_PROBES_FROM } from '../../path/base-rtt-prober';
import type { PathSelectionPlan } from '../../path/path-selector';
import { PATH_PROBES_FROM, PathSelector } from '../../path/path-selector';
import type { FlowHelper, FlowEvent, HelpedFlow, Probe } from './flow-helper';

/** Probes other paths of the network, and makes the flow leave for a lighter one. */
export class PathChoice implements FlowHelper {
  readonly #flow: HelpedFlow;
  readonly #plan: PathSelectionPlan;
  /** Undefined until T is known, in which it counts. */
  #selector: PathSelector | undefined = undefined;

  constructor(flow: HelpedFlow, plan: PathSelectionPlan) {
    this.#flow = flow;
    this.#plan = plan;
  }

  start(now: Instant): void {
    const { measureBaseRtt, baseRtt } = this.#flow.config;
    if (measureBaseRtt === undefined) this.#selector = this.#newSelector(now, baseRtt);
  }

  probeAt(): Instant {
    return this.#flow.sender.isDrained ? Infinity : (this.#selector?.probeAt ?? Infinity);
  }

  /** Probes of other paths use no rate of this one. */
  takeProbe(now: Instant): Probe {
    assert(this.#selector !== undefined, 'paths are probed once T is known');
    return this.#selector.takeProbe(now);
  }

  /** Feedback has arrived: the moment to think about the path. */
  handleFeedback(now: Instant, sample: CongestionSample | undefined): void {
    const selector = this.#selector;
    if (selector === undefined) return;
    if (sample?.kind === 'links') selector.noteOwnPath(now, sample.telemetry);
    if (this.#flow.isLeaving) return;
    const { normalizedInflight, pacingRate: rate } = this.#flow.sender.congestionControl.metrics();
    const path = selector.decide(now, { U: normalizedInflight ?? 0, rate });
    if (path !== undefined) this.#flow.leaveFor(now, path);
  }

  handle(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    switch (event.kind) {
      case 'response':
        if (event.id < PATH_PROBES_FROM || event.id >= BASE_RTT_PROBES_FROM) return undefined;
        this.#selector?.handleResponse(now, event.id, event.sample);
        return 'taken';
      case 'base-rtt':
        if (this.#selector === undefined) this.#selector = this.#newSelector(now, event.T);
        else this.#selector.onBaseRtt(event.T);
        return undefined;
      case 'moved':
        this.#selector?.onMoved(now, event.path);
        return undefined;
      case 'echo':
      case 'window':
      case 'mark':
      case 'coordination':
      case 'ended':
        return undefined;
    }
  }

  #newSelector(now: Instant, baseRtt: Duration): PathSelector {
    const { config, spec } = this.#flow;
    const { linkRate, intHopLimit: maxHops, address } = config;
    const environment = { linkRate, baseRtt, maxHops, flow: spec.id ^ address };
    return new PathSelector(now, this.#plan, environment);
  }
}
