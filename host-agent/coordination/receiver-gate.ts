import type { Instant } from '../../common/units/units';
import { indicatorsOfDsFlags } from '../../common/wire/coordination/ccm-tag';
import type { CongestionControlFactory } from '../algorithm/congestion-control';
import type { ControlGate } from '../feedback/receiver-control';
import { FlowGate } from './gated-control';

/**
 * The CC indicator as the receiver of a flow sees it, where the algorithm runs there: data that switches
 * have written into carries it in the DS flags of INT. The algorithm is shown a full path only while its
 * flow is under control, as at a sender.
 */
export class ReceiverGate implements ControlGate {
  readonly #gate: FlowGate;
  #isControlled = false;

  /** @param maxHops switches that may write into a packet. */
  constructor(maxHops: number) {
    this.#gate = new FlowGate(maxHops, () => this.#isControlled);
  }

  /** Puts the gate before the control that is made. */
  before(make: CongestionControlFactory): CongestionControlFactory {
    return this.#gate.before(make);
  }

  note(now: Instant, dsFlags: number): void {
    const { congestionControl } = indicatorsOfDsFlags(dsFlags);
    if (congestionControl === this.#isControlled) return;
    this.#isControlled = congestionControl;
    this.#gate.onChange(now);
  }
}
