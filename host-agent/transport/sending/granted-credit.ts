import type { Instant } from '../../../common/units/units';
import type { FeedbackOutcome } from '../../host/host-events';
import type { FlowEvent, FlowHelper, HelpedFlow } from './flow-helper';

/** Takes the credit that a receiver grants the flow. */
export class GrantedCredit implements FlowHelper {
  readonly #flow: HelpedFlow;

  constructor(flow: HelpedFlow) {
    this.#flow = flow;
  }

  handle(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    if (event.kind !== 'window') return undefined;
    return this.#flow.sender.handleWindow(now, event.record) ? 'taken' : 'late';
  }
}
