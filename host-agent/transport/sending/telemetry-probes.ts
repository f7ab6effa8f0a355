import type { Bytes, Duration, Instant } from '../../../common/units/units';
import type { CongestionSample } from '../../carrier/congestion-sample';
import { NO_TELEMETRY } from '../../carrier/congestion-sample';
import type { ProbeVerdict } from '../../feedback/prober';
import { Prober } from '../../feedback/prober';
import type { FeedbackOutcome } from '../../host/host-events';
import { PATH_PROBES_FROM } from '../../path/path-selector';
import type { FlowHelper, FlowEvent, HelpedFlow, Probe } from './flow-helper';

/** Counters of a flow without them. */
export const NO_PROBES = { probesSent: 0, probeTimeouts: 0 };

/** Asks the switches for telemetry in place of the data: one probe per round trip. */
export class TelemetryProbes implements FlowHelper {
  readonly #flow: Pick<HelpedFlow, 'sender'>;
  readonly #prober: Prober;
  /** Segments that had left when the prober was asked last. */
  #segmentsSeen = 0;

  constructor(flow: Pick<HelpedFlow, 'sender'>, baseRtt: Duration) {
    this.#flow = flow;
    this.#prober = new Prober(baseRtt);
  }

  get counters() {
    return this.#prober.counters;
  }

  probeAt(now: Instant): Instant {
    const { sender } = this.#flow;
    if (sender.segmentsSent !== this.#segmentsSeen) {
      this.#segmentsSeen = sender.segmentsSent;
      this.#prober.onData();
    }
    if (this.#prober.isDue(now, !sender.isDrained)) return now;
    return sender.isDrained ? Infinity : this.#prober.deadline;
  }

  takeProbe(now: Instant, length: Bytes): Probe {
    this.#flow.sender.charge(length);
    return { id: this.#prober.onSend(now) };
  }

  /** The answer to request `id`: it changes the reference window, once per request. */
  handleResponse(now: Instant, id: number, sample: CongestionSample | undefined): ProbeVerdict {
    return this.#use(now, this.#prober.onResponse(id), sample);
  }

  /** An acknowledgement of data has brought what a request has collected. */
  handleEcho(now: Instant, sample: CongestionSample): ProbeVerdict {
    return this.#use(now, this.#prober.onUnnamedResponse(), sample);
  }

  #use(now: Instant, verdict: ProbeVerdict, sample: CongestionSample | undefined): ProbeVerdict {
    if (verdict === 'late' || verdict === 'unknown') return verdict;
    this.#flow.sender.handleSample(now, sample ?? NO_TELEMETRY, verdict === 'round');
    return verdict;
  }

  handle(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    if (event.kind === 'base-rtt') this.#prober.onBaseRtt(event.T);
    if (event.kind === 'echo') this.handleEcho(now, event.sample);
    if (event.kind !== 'response' || event.id >= PATH_PROBES_FROM) return undefined;
    const verdict = this.handleResponse(now, event.id, event.sample);
    if (verdict === 'unknown') return 'unrequested';
    return verdict === 'late' ? 'late' : 'taken';
  }
}
