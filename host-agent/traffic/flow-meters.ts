import { assert } from '../../common/assert';
import { formatIpv4 } from '../../common/topology/topology';
import type { BitsPerSecond } from '../../common/units/units';
import type { CongestionControl } from '../algorithm/congestion-control';
import type { FeedbackRoute } from '../feedback/feedback-plan';
import type { ControlledFlow } from '../host/host-config';
import { MeteredControl } from './metered-control';
import type { ControlFigures, ControlUpdate } from './metered-control';

/** Flows of others of which figures are kept, the latest ones. */
const RECEIVED_MAX = 1000;

/** A flow whose algorithm runs at this host, which receives it. */
export interface ReceivedFigures extends ControlFigures {
  /** IPv4 address of the sender. */
  readonly source: string;
  readonly flow: number;
}

interface ReceivedControl {
  readonly source: string;
  readonly flow: number;
  readonly control: MeteredControl;
}

/** Opens a sink for the updates of a flow that another host sends. */
type ReceivedTraces = (flow: number, source: string) => (update: ControlUpdate) => void;

/** The meters of a host's flows, of those that it sends and of those that it controls as their receiver. */
export class FlowMeters {
  readonly #controlAt: FeedbackRoute['algorithmAt'];
  readonly #rateMax: BitsPerSecond | undefined;
  readonly #sent = new Map<number, MeteredControl>();
  readonly #received = new Map<string, ReceivedControl>();
  #traces: ReceivedTraces | undefined = undefined;

  /** @param rateMax of each flow that the host sends. */
  constructor(controlAt: FeedbackRoute['algorithmAt'], rateMax: BitsPerSecond | undefined) {
    this.#controlAt = controlAt;
    this.#rateMax = rateMax;
  }

  /** Makes the meter of a flow, and keeps it. */
  readonly meter = (inner: CongestionControl, of: ControlledFlow): MeteredControl => {
    const control = this.meterOnly(inner, of);
    const { flow } = of;
    if (of.end === 'sender') this.#sent.set(flow, control);
    else this.#keep({ source: formatIpv4(of.peerAddress), flow, control });
    return control;
  };

  /** Makes a meter that is kept nowhere. */
  readonly meterOnly = (inner: CongestionControl, { end }: ControlledFlow): MeteredControl => {
    const isLimited = end === 'sender' && this.#rateMax !== undefined;
    const limit = isLimited ? { rateMax: this.#rateMax } : {};
    return new MeteredControl(inner, { ...limit, controlAt: this.#controlAt });
  };

  /** Hands over the meter of a flow that has just been started. */
  takeSent(flow: number): MeteredControl {
    const control = this.#sent.get(flow);
    assert(control !== undefined, 'a flow has its congestion control from its start');
    this.#sent.delete(flow);
    return control;
  }

  /** Traces all flows that come from now on. */
  traceReceived(traces: ReceivedTraces): void {
    this.#traces = traces;
  }

  /** Figures of the flows that this host controls as their receiver; the latest begun is last. */
  received(): readonly ReceivedFigures[] {
    return [...this.#received.values()].map(({ source, flow, control }) => ({
      source,
      flow,
      ...control.figures,
    }));
  }

  #keep(received: ReceivedControl): void {
    const { source, flow, control } = received;
    if (this.#traces !== undefined) control.onUpdate(this.#traces(flow, source));
    const key = `${source} ${flow}`;
    this.#received.delete(key);
    this.#received.set(key, received);
    if (this.#received.size <= RECEIVED_MAX) return;
    const [oldest] = this.#received.keys();
    if (oldest !== undefined) this.#received.delete(oldest);
  }
}
