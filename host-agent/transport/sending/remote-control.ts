import type { Instant } from '../../../common/units/units';
import { HPCC_EPOCH_SHIFT } from '../../../common/wire/hpcc/hpcc-transport';
import type { CongestionControlFactory } from '../../algorithm/congestion-control';
import { RemoteWindow } from '../../feedback/remote-window';
import type { FeedbackOutcome } from '../../host/host-events';
import type { FlowHelper, FlowEvent, HelpedFlow } from './flow-helper';

/** Obeys the windows of an algorithm at the receiver, and marks data and probes with the window it obeys. */
export class RemoteControl implements FlowHelper {
  readonly #flow: HelpedFlow;
  #window: RemoteWindow | undefined = undefined;

  constructor(flow: HelpedFlow) {
    this.#flow = flow;
  }

  control(): CongestionControlFactory {
    return (environment) => {
      this.#window = new RemoteWindow(environment);
      return this.#window;
    };
  }

  get forwardFlags(): number {
    return ((this.#window?.epoch ?? 0) & 0xf) << HPCC_EPOCH_SHIFT;
  }

  handle(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    if (event.kind !== 'window') return undefined;
    return this.#flow.sender.handleWindow(now, event.record) ? 'taken' : 'late';
  }
}
