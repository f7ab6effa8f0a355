import { InputError } from '../../common/errors';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import { checkParameter } from './check-parameter';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionControlFactory,
  CongestionEventSink,
  CongestionMetrics,
  LoadReport,
} from './congestion-control';
import { FadingStep } from './additive-step';
import type { HpccppParameters } from './hpccpp';
import { Hpccpp } from './hpccpp';
import type { PlausibilityLimits } from './plausible-telemetry';
import type { JudgeParameters } from './telemetry-judge';
import { TelemetryJudge } from './telemetry-judge';

/** Parameters of sender-based HPCC++; the names of the draft in brackets. */
export interface HpccppWindowOptions {
  /** Rate of the sender's own link, in bits/s. */
  readonly linkRate: BitsPerSecond;
  /**
   * Base RTT (T) in ps, used in whole ns and rounded up. At least the largest RTT of an idle
   * network, with headers and serialisation of the acknowledgement: below it the window, not the
   * pacing, would limit an undisturbed flow.
   */
  readonly baseRtt: Duration;
  /** Target utilisation (eta) of the bottleneck: above 0, at most 1. Default 0.95. */
  readonly targetUtilization?: number;
  /** Additive rounds before a multiplicative one (maxStage). Default 5, the draft's. */
  readonly maxStage?: number;
  /** Additive increase (W_ai) in bytes, may be fractional. Default: from `expectedFlows`. */
  readonly additiveIncreaseBytes?: Bytes;
  /** The same as a share of W_init, above 0 and at most 1. Default: from `expectedFlows`. */
  readonly additiveShare?: number;
  /** Flows on one link (N) for the draft's rule W_ai = W_init * (1 - eta) / N. Default 100. */
  readonly expectedFlows?: number;
  /**
   * Treatment of a W_ai for counted flows that is larger than the configured one, from U = 1 on: the
   * configured one takes its place (`cut`), or it shrinks with 1 / U (`fade`). Default `cut`.
   */
  readonly countedStep?: 'cut' | 'fade';
  /** Lower bound of the window in bytes, may be below one packet. Default W_init / 1000. */
  readonly windowBytesMin?: Bytes;
  /** Longest path whose telemetry is accepted. Default 8. */
  readonly maxHops?: number;
  /**
   * The queue of line 5: the smaller one of both ends of the interval, as in the draft, which filters
   * out bursts; or, of a queue that takes this part of T or more, the latest: with samples a round
   * trip apart the smaller one would hide for a whole round trip that it grows. 0: always the latest.
   * Default Infinity: the smaller one.
   */
  readonly latestQueueFrom?: number;
  /**
   * A round lasts T at least. For hosts whose T is longer than their round trips, as on interfaces, where
   * T has room for the turns of processes: U follows in T, and a window that is divided by it several
   * times in a T falls too low and rises too far. Default false: rounds end as the listing says.
   */
  readonly roundsLastT?: boolean;
  /**
   * Each link has a moving average of its own, and the fullest of them is U. For hosts on interfaces, where
   * the turns of processes make bursts: see AveragedLoad in path-load.ts. Default false: as the listing says.
   */
  readonly averagesLinks?: boolean;
  /**
   * Weight of one sample in U, where links have averages of their own, above 0 and at most 1. Below 1, U is an
   * average over the paths that packets took. Default 1: the path of the latest one.
   */
  readonly sampleWeight?: number;
  /**
   * Share of the way to Wc * eta / U that a round goes while U is at most 1.1 eta, above 0 and at most 1.
   * Default 1: all of it, as the listing says.
   */
  readonly gain?: number;
  /** Bytes in flight over W, at least 1: for flows that reorder. The rate is W / T all the same. Default 1. */
  readonly windowSlack?: number;
  /** Share of the link that the flow's queue is guaranteed among several (DWRR). Default: none. */
  readonly queueShare?: number;
  /** Limits of plausible telemetry. Default: all telemetry is accepted. */
  readonly plausibilityLimits?: PlausibilityLimits;
  readonly sink?: CongestionEventSink;
}

/**
 * HPCC++ as the draft has it: the control variable is a window, the pacing rate is window / T.
 *
 * The window counts **payload** bytes, as the published simulator of HPCC does; telemetry counts
 * wire bytes. A flow that starts at its full window therefore has more than one bandwidth-delay
 * product of wire bytes in flight, by the ratio of frame to payload.
 */
export class HpccppWindow implements CongestionControl {
  readonly retainsNoInput = true;
  readonly #core: Hpccpp;
  readonly #judge: TelemetryJudge;
  #T: number;
  readonly #windowSlack: number;
  readonly #sink: CongestionEventSink | undefined;

  /** @throws InputError naming the parameter that is out of range. */
  constructor(options: HpccppWindowOptions) {
    const parameters = checkOptions(options);
    this.#core = new Hpccpp(parameters);
    this.#judge = new TelemetryJudge(this.#core, parameters);
    this.#T = parameters.T;
    this.#windowSlack = checkParameter('windowSlack', options.windowSlack ?? 1, {
      low: 1,
      high: WINDOW_SLACK_MAX,
    });
    this.#sink = options.sink;
  }

  get windowBytes(): Bytes {
    return this.#core.W * this.#windowSlack;
  }

  /**
   * HPCC++ §algorithm, line 27: R = W / T. In this order of operations the full window gives the
   * link rate without a rounding error.
   */
  get pacingRate(): BitsPerSecond {
    return (this.#core.W * 8e9) / this.#T;
  }

  onAck(ack: Acknowledgement): AckKind {
    const before = this.#core.W;
    const ackKind = this.#judge.newAck(ack);
    if (this.#sink !== undefined) this.#notify(ack, ackKind, before);
    return ackKind;
  }

  onLoad(report: LoadReport): AckKind {
    const before = this.#core.W;
    const ackKind = this.#core.newReport(report);
    if (this.#sink !== undefined) this.#notify(report, ackKind, before);
    return ackKind;
  }

  onFlowCount(flows: number): void {
    this.#core.setFlowCount(flows);
  }

  onIdleRestart(): void {
    this.#judge.forgetPath();
  }

  onBaseRtt(baseRtt: Duration): void {
    this.#T = Math.ceil(baseRtt / PS_PER_NS);
    this.#core.retune(this.#T);
  }

  metrics(): CongestionMetrics {
    const { acksProcessed, commits } = this.#core.counters;
    const { telemetryRejected, telemetryStale, pathChanges } = this.#judge.counters;
    return {
      windowBytes: this.windowBytes,
      referenceWindowBytes: this.#core.Wc,
      pacingRate: this.pacingRate,
      normalizedInflight: this.#core.U,
      incStage: this.#core.incStage,
      acksProcessed,
      commits,
      telemetryRejected,
      telemetryStale,
      pathChanges,
    };
  }

  #notify(
    { ackSequence, now }: Pick<Acknowledgement, 'ackSequence' | 'now'>,
    ackKind: AckKind,
    before: Bytes,
  ): void {
    const normalizedInflight = this.#core.U;
    this.#sink?.({ kind: 'ack-processed', now, ackSequence, ackKind, normalizedInflight });
    if (this.#core.W !== before || ackKind === 'update') this.#sink?.(this.#windowUpdated(now));
  }

  #windowUpdated(now: Instant) {
    return {
      kind: 'window-updated',
      now,
      windowBytes: this.windowBytes,
      referenceWindowBytes: this.#core.Wc,
      pacingRate: this.pacingRate,
      incStage: this.#core.incStage,
    } as const;
  }
}

/** The options that the host does not know by itself; see {@link HpccppWindowOptions}. */
export type HpccppTuning = Omit<HpccppWindowOptions, 'linkRate' | 'baseRtt' | 'sink'>;

/** One HPCC++ instance per flow. Each call of the factory checks the tuning. */
export function hpccppFactory(tuning: HpccppTuning = {}): CongestionControlFactory {
  return (environment) => new HpccppWindow({ ...tuning, ...environment });
}

/** More in flight would be no window any more. */
const WINDOW_SLACK_MAX = 4;
/** Bounds of a share. */
const SHARE = { low: 0, high: 1, exclusiveLow: true };
/** Default of eta. */
export const TARGET_UTILIZATION = 0.95;
/** Default of N: with eta 0.95 at 100 Gb/s and T = 4.16 us a step of 26 bytes, or 50 Mb/s. */
const EXPECTED_FLOWS = 100;

function checkOptions(options: HpccppWindowOptions): HpccppParameters & JudgeParameters {
  const above0 = { low: 0, high: Infinity, exclusiveLow: true };
  const nicRate = checkParameter('linkRate', options.linkRate, above0);
  const baseRtt = checkParameter('baseRtt', options.baseRtt, above0);
  const T = Math.ceil(baseRtt / PS_PER_NS);
  const Winit = (nicRate * T) / 8e9;
  const eta = checkParameter(
    'targetUtilization',
    options.targetUtilization ?? TARGET_UTILIZATION,
    SHARE,
  );
  const whole = { low: 0, high: Number.MAX_SAFE_INTEGER, integer: true };
  return {
    T,
    nicRate,
    Winit,
    eta,
    maxStage: checkParameter('maxStage', options.maxStage ?? 5, whole),
    maxHops: checkParameter('maxHops', options.maxHops ?? 8, { ...whole, low: 1, high: 255 }),
    sink: options.sink,
    latestQueueFrom: options.latestQueueFrom ?? Infinity,
    roundsLastT: options.roundsLastT,
    averagesLinks: options.averagesLinks,
    sampleWeight: checkParameter('sampleWeight', options.sampleWeight ?? 1, SHARE),
    gain: checkParameter('gain', options.gain ?? 1, SHARE),
    ...(options.countedStep === 'fade' && { newStep: fadingStep }),
    ...(options.queueShare !== undefined && {
      sharedQueue: { share: checkParameter('queueShare', options.queueShare, SHARE) },
    }),
    ...(options.plausibilityLimits !== undefined && { limits: options.plausibilityLimits }),
    control: {
      max: Winit,
      min: checkParameter('windowBytesMin', options.windowBytesMin ?? Winit / 1000, {
        ...above0,
        high: Winit,
      }),
      step: additiveIncrease(options, Winit, eta),
      truncate: false,
    },
  };
}

const fadingStep = (configured: Bytes): FadingStep => new FadingStep(configured);

function additiveIncrease(options: HpccppWindowOptions, Winit: Bytes, eta: number): Bytes {
  if (options.additiveIncreaseBytes !== undefined) {
    return checkParameter('additiveIncreaseBytes', options.additiveIncreaseBytes, {
      low: 0,
      high: Winit,
      exclusiveLow: true,
    });
  }
  if (options.additiveShare !== undefined) {
    return Winit * checkParameter('additiveShare', options.additiveShare, SHARE);
  }
  const N = checkParameter('expectedFlows', options.expectedFlows ?? EXPECTED_FLOWS, {
    low: 1,
    high: Number.MAX_SAFE_INTEGER,
  });
  if (eta < 1) return (Winit * (1 - eta)) / N;
  throw new InputError(
    'additiveIncreaseBytes must be given when targetUtilization is 1: no headroom is left to share',
  );
}
