import { PS_PER_NS } from '../../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionMetrics,
  FlowEnvironment,
} from '../congestion-control';
import { HpccRateForm } from '../rate-form';
import type { HpccppTuning } from '../window-form';
import type { Constants } from './constants';
import { withChanges, withHopLimit } from './constants';
import { RateBasedAlgorithm, Rounds } from './base-algorithm';

/** HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019), as its simulator has it. */
export const HPCC_CONSTANTS = {
  /** eta. */
  targetUtilization: 0.95,
  maxStage: 0,
  /** W_AI as a rate, per 100 Gb/s of the host's link. */
  additiveMbps: 50,
  maxHops: 8,
  /** Least rate, as a share of the link's. */
  rateMinShare: 0.01,
};

/** The paper's rate form: the same listing as HPCC++ with a rate in place of the window. */
export class Hpcc extends RateBasedAlgorithm {
  readonly #form: HpccRateForm;

  constructor(
    environment: FlowEnvironment,
    tuning: Pick<HpccppTuning, 'maxHops' | 'plausibilityLimits'> & {
      readonly constants?: Constants;
    } = {},
  ) {
    const c = withHopLimit('hpcc', HPCC_CONSTANTS, tuning);
    super(environment, 'scaled', c.rateMinShare);
    const { linkRate, baseRtt, sink } = environment;
    const { plausibilityLimits } = tuning;
    this.#form = new HpccRateForm({
      baseRttNs: Math.ceil(baseRtt / PS_PER_NS),
      windowBytesMax: this.bdpBytes,
      linkRate,
      rateMin: c.rateMinShare * linkRate,
      additiveIncrease: this.per100G(c.additiveMbps),
      targetUtilization: c.targetUtilization,
      maxStage: c.maxStage,
      maxHops: c.maxHops,
      ...(plausibilityLimits !== undefined && { plausibilityLimits }),
      ...(sink !== undefined && { sink }),
    });
  }

  protected learn(ack: Acknowledgement): AckKind {
    const kind = this.#form.onAck(ack);
    this.setRate(this.#form.rate);
    return kind;
  }

  protected override get normalizedInflight(): number {
    return this.#form.normalizedInflight;
  }

  override metrics(): CongestionMetrics {
    return { ...super.metrics(), ...this.#form.telemetryCounters };
  }
}

/** HPCC-PINT (Ben Basat et al., "PINT: Probabilistic In-band Network Telemetry", SIGCOMM 2020). */
export const HPCC_PINT_CONSTANTS = {
  /** eta. */
  targetUtilization: 0.95,
  maxStage: 0,
  /** W_AI as a rate, per 100 Gb/s of the host's link. */
  additiveMbps: 50,
  /** Least rate, as a share of the link's. */
  rateMinShare: 0.01,
};

/** HPCC where switches filter the load themselves, and packets tell the bottleneck's in one byte. */
export class HpccPint extends RateBasedAlgorithm {
  readonly #c: Readonly<Record<keyof typeof HPCC_PINT_CONSTANTS, number>>;
  readonly #rounds = new Rounds();
  #reference: number;
  #stage = 0;
  #load = 1;

  constructor(environment: FlowEnvironment, changes?: Constants) {
    const c = withChanges('hpcc-pint', HPCC_PINT_CONSTANTS, changes);
    super(environment, 'scaled', c.rateMinShare);
    this.#c = c;
    this.#reference = this.pacingRate;
  }

  protected override get normalizedInflight(): number {
    return this.#load;
  }

  protected learn(ack: Acknowledgement): AckKind {
    if (ack.load === undefined) return 'ignored';
    if (!this.#rounds.hasBegun) {
      this.#rounds.begin(ack);
      return 'first';
    }
    const { targetUtilization, maxStage, additiveMbps } = this.#c;
    this.#load = ack.load;
    const c = Math.max(Number.MIN_VALUE, ack.load / targetUtilization);
    const isMultiplicative = c >= 1 || this.#stage >= maxStage;
    const base = isMultiplicative ? this.#reference / c : this.#reference;
    this.setRate(base + this.per100G(additiveMbps));
    if (!this.#rounds.ends(ack)) return 'fast';
    this.#rounds.begin(ack);
    this.#reference = this.pacingRate;
    this.#stage = isMultiplicative ? 0 : this.#stage + 1;
    return 'update';
  }
}
