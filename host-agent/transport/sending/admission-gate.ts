import { assert } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import type { Instant } from '../../../common/units/units';
import type { FeedbackOutcome } from '../../host/host-events';
import type { AdmissionOptions } from '../../path/admission';
import { ADMISSION_PROBES_FROM, checkAdmission, PathAdmission } from '../../path/admission';
import { NO_PROBES } from './telemetry-probes';
import type { FlowHelper, FlowEvent, HelpedFlow, Probe } from './flow-helper';

/** Holds the first data of a flow back until its path has room for it. */
export class AdmissionGate implements FlowHelper {
  readonly #flow: HelpedFlow;
  readonly #options: AdmissionOptions;
  /** Undefined before the flow asks, and once it has begun. */
  #admission: PathAdmission | undefined = undefined;
  #probesSent = 0;

  /** @throws InputError for options out of range, and where nothing could tell of the path. */
  constructor(flow: HelpedFlow, options: AdmissionOptions) {
    const { feedback, measureBaseRtt, baseRtt } = flow.config;
    if (feedback.algorithmAt === 'receiver') {
      throw new InputError('admission needs telemetry at the sender: algorithmAt: sender');
    }
    if (measureBaseRtt !== undefined) {
      throw new InputError('admission counts in T: it needs to be told, not measured');
    }
    checkAdmission(options, baseRtt);
    this.#flow = flow;
    this.#options = options;
  }

  get counters() {
    return { ...NO_PROBES, probesSent: this.#probesSent };
  }

  start(now: Instant): void {
    const { config, spec, sender } = this.#flow;
    const { linkRate, baseRtt, intHopLimit: maxHops, address } = config;
    const environment = { linkRate, baseRtt, maxHops, flow: spec.id ^ address };
    this.#admission = new PathAdmission(now, checkAdmission(this.#options, baseRtt), environment);
    sender.drain();
  }

  probeAt(): Instant {
    return this.#admission?.probeAt ?? Infinity;
  }

  /** It leaves before the data, so that it uses no rate of it. */
  takeProbe(now: Instant): Probe {
    assert(this.#admission !== undefined, 'only a flow that waits asks');
    this.#probesSent++;
    return { id: this.#admission.takeProbe(now) };
  }

  get deadline(): Instant {
    return this.#admission?.deadline ?? Infinity;
  }

  handleWakeup(now: Instant): void {
    if (now >= this.deadline) this.#begin(now);
  }

  handle(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    if (event.kind !== 'response' || event.id < ADMISSION_PROBES_FROM) return undefined;
    if (this.#admission?.handleResponse(now, event.id, event.sample) === true) this.#begin(now);
    return 'taken';
  }

  #begin(now: Instant): void {
    this.#admission = undefined;
    this.#flow.sender.resume(now);
  }
}
