import type { BitsPerSecond, Bytes } from '../../common/units/units';
import { checkParameter } from './check-parameter';
import type { Acknowledgement, AckKind, CongestionEventSink } from './congestion-control';
import { Hpccpp } from './hpccpp';
import type { PlausibilityLimits } from './plausible-telemetry';
import { TelemetryJudge } from './telemetry-judge';

/** Constants of a run of the reference simulator, in its units. */
export interface RateFormOptions {
  /** T in whole ns. */
  readonly baseRttNs: number;
  /** Window at full rate, in payload bytes. */
  readonly windowBytesMax: Bytes;
  /** Rate of the sender's own link and upper bound of the rate, in bits/s. */
  readonly linkRate: BitsPerSecond;
  readonly rateMin: BitsPerSecond;
  /** Additive increase in bits/s. */
  readonly additiveIncrease: BitsPerSecond;
  readonly targetUtilization: number;
  readonly maxStage: number;
  readonly maxHops: number;
  /** Limits of plausible telemetry. Default: all telemetry is accepted. */
  readonly plausibilityLimits?: PlausibilityLimits;
  /** Called for telemetry that is not used. */
  readonly sink?: CongestionEventSink;
}

/**
 * HPCC as the published ns-3 simulator has it: the control variable is a rate in whole bits/s, and
 * the window follows from it.
 */
export class HpccRateForm {
  readonly #core: Hpccpp;
  readonly #judge: TelemetryJudge;
  readonly #options: RateFormOptions;

  /** @throws InputError naming the parameter that is out of range. */
  constructor(options: RateFormOptions) {
    this.#options = checkOptions(options);
    this.#core = new Hpccpp({
      T: options.baseRttNs,
      nicRate: options.linkRate,
      Winit: options.windowBytesMax,
      eta: options.targetUtilization,
      maxStage: options.maxStage,
      control: {
        max: options.linkRate,
        min: options.rateMin,
        step: options.additiveIncrease,
        truncate: true,
      },
    });
    const { maxHops, plausibilityLimits: limits, sink } = options;
    this.#judge = new TelemetryJudge(this.#core, { maxHops, sink, ...(limits && { limits }) });
  }

  onAck(ack: Acknowledgement): AckKind {
    return this.#judge.newAck(ack);
  }

  get rate(): BitsPerSecond {
    return this.#core.W;
  }

  /** Telemetry that was rejected, was stale, or was of another path. */
  get telemetryCounters() {
    return this.#judge.counters;
  }

  get referenceRate(): BitsPerSecond {
    return this.#core.Wc;
  }

  get windowBytes(): Bytes {
    const { windowBytesMax, linkRate } = this.#options;
    const window = Math.floor((windowBytesMax * this.#core.W) / linkRate);
    return window < 1 ? 1 : window;
  }

  get normalizedInflight(): number {
    return this.#core.U;
  }

  get incStage(): number {
    return this.#core.incStage;
  }

  /** Undefined before the first acknowledgement, where the simulator has 0. */
  get lastUpdateSequence(): number | undefined {
    return this.#core.lastUpdateSeq;
  }
}

function checkOptions(options: RateFormOptions): RateFormOptions {
  const above0 = { low: 0, high: Infinity, exclusiveLow: true };
  const count = { low: 0, high: Number.MAX_SAFE_INTEGER, integer: true };
  checkParameter('baseRttNs', options.baseRttNs, { ...count, low: 1 });
  checkParameter('windowBytesMax', options.windowBytesMax, above0);
  checkParameter('linkRate', options.linkRate, above0);
  checkParameter('rateMin', options.rateMin, { ...above0, high: options.linkRate });
  checkParameter('additiveIncrease', options.additiveIncrease, above0);
  checkParameter('targetUtilization', options.targetUtilization, { ...above0, high: 1 });
  checkParameter('maxStage', options.maxStage, count);
  checkParameter('maxHops', options.maxHops, { ...count, low: 1 });
  return options;
}
