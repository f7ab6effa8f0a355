import type { Instant } from '../../../common/units/units';
import type { CongestionControlFactory } from '../../algorithm/congestion-control';
import type { CoordinationEffect, FlowCoordination } from '../../coordination/flow-coordination';
import { FlowGate } from '../../coordination/gated-control';
import type { HostCoordination } from '../../coordination/host-coordination';
import type { FeedbackOutcome } from '../../host/host-events';
import type { FlowHelper, FlowEvent, HelpedFlow } from './flow-helper';

/** Ports that a flow tries when it must leave its path. */
const REROUTE_TRIES = 64;

/** Does what switches want of the flow: congestion control acts or not, and it takes another path. */
export class CoordinatedFlow implements FlowHelper {
  readonly #flow: HelpedFlow;
  readonly #host: HostCoordination;
  readonly #state: FlowCoordination;
  readonly #gate: FlowGate;
  #path = 0;

  constructor(flow: HelpedFlow, host: HostCoordination) {
    this.#flow = flow;
    this.#host = host;
    this.#state = host.open(flow.spec.id, flow.keyOf(0));
    this.#gate = new FlowGate(flow.config.intHopLimit, () => this.#state.isControlled);
  }

  control(make: CongestionControlFactory): CongestionControlFactory {
    return this.#gate.before(make);
  }

  get coordinationTag(): number {
    return this.#host.dsFlags(this.#state);
  }

  get deadline(): Instant {
    return this.#state.deadline;
  }

  handleWakeup(now: Instant): void {
    if (this.#host.expire(now, this.#flow.spec.id)) this.#followTag(now);
  }

  handle(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    const { spec } = this.#flow;
    switch (event.kind) {
      case 'mark':
        if (this.#host.onMark(now, spec.id)) this.#followTag(now);
        return undefined;
      case 'coordination':
        this.#obey(now, event.effect);
        return undefined;
      case 'moved':
        this.#path = event.path;
        this.#host.alias(spec.id, this.#flow.keyOf(event.path));
        return undefined;
      case 'ended':
        this.#host.close(spec.id);
        return undefined;
      case 'response':
      case 'echo':
      case 'window':
      case 'base-rtt':
        return undefined;
    }
  }

  #obey(now: Instant, effect: CoordinationEffect): void {
    if (effect === 'tagged' || effect === 'released') this.#followTag(now);
    if (effect === 'exhausted') this.#flow.renewFrames();
    if (effect !== 'reroute' || this.#flow.isLeaving) return;
    const path = this.#newPath();
    if (path !== undefined) this.#flow.leaveFor(now, path);
  }

  /** The CC indicator and the congestion control go together. */
  #followTag(now: Instant): void {
    this.#flow.sender.handleControlChange(now, () => this.#gate.onChange(now));
    this.#flow.renewFrames();
  }

  /** The next one whose port no other flow to the destination has; undefined if all are taken. */
  #newPath(): number | undefined {
    for (let path = this.#path + 1; path <= this.#path + REROUTE_TRIES; path++) {
      if (this.#host.isFree(this.#flow.keyOf(path))) return path;
    }
    return undefined;
  }
}
