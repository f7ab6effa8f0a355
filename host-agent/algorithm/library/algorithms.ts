import { InputError } from '../../../common/errors';
import type { CongestionControlFactory } from '../congestion-control';
import { FixedRate } from '../fixed-rate';
import type { Signals } from '../signals';
import { SIGNALS_OF_HOPS, SIGNALS_OF_LINKS, SIGNALS_OF_NOTHING } from '../signals';
import { hpccppFactory } from '../window-form';
import type { HpccppTuning } from '../window-form';
import { withChanges } from './constants';
import type { Constants } from './constants';
import { Dcqcn, DCQCN_CONSTANTS } from './dcqcn';
import { Dctcp, DCTCP_CONSTANTS } from './dctcp';
import { Hpcc, HPCC_CONSTANTS, HPCC_PINT_CONSTANTS, HpccPint } from './hpcc';
import { HPCCPP_LEAN_CONSTANTS, HPCCPP_LEAN_SAMPLES, HpccppLean } from './hpccpp-lean';
import { HPCCPP_SPRAY_CONSTANTS, HPCCPP_SPRAY_SAMPLES, HpccppSpray } from './hpccpp-spray';
import { withPlausibility } from './plausible-control';
import { Nscc, NSCC_CONSTANTS } from './nscc';
import { POWERTCP_CONSTANTS, PowerTcp, ThetaPowerTcp } from './powertcp';
import { Rccc, RCCC_CONSTANTS } from './rccc';
import { Swift, SWIFT_CONSTANTS } from './swift';
import { Timely, TIMELY_CONSTANTS } from './timely';

/** Tuning of an algorithm besides what each flow knows; an algorithm takes the parts that it understands. */
export interface AlgorithmTuning extends HpccppTuning {
  /** Constants of the algorithm's table that shall differ, by name (docs/algorithms.md). */
  readonly constants?: Constants;
}

/** Thresholds from which switches mark packets (ECN), in bytes of a queue at 100 Gb/s, in proportion else. */
export interface MarkingThresholds {
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly maxProbability: number;
}

/** A congestion-control algorithm: how to make it for a flow, and the signals that it needs. */
export interface Algorithm {
  readonly name: string;
  readonly signals: Signals;
  /** The published constants; none where the tuning is the drafts'. */
  readonly constants: Constants;
  /** Thresholds of marks, for algorithms whose packets can be marked. */
  readonly marking?: MarkingThresholds;
  /** A maker of one algorithm's state for each flow. */
  readonly factory: (tuning: AlgorithmTuning) => CongestionControlFactory;
}

const SIGNALS_OF_MARKS: Signals = { telemetry: 'none', marks: true, timestamps: false };
const SIGNALS_OF_TIME: Signals = { telemetry: 'none', marks: false, timestamps: true };
const SIGNALS_OF_MARKS_AND_TIME: Signals = { ...SIGNALS_OF_TIME, marks: true };
const SIGNALS_OF_DIGEST: Signals = { telemetry: 'digest', marks: false, timestamps: false };

/** RED on bytes, as the HPCC paper gives it to DCQCN. */
const RED: MarkingThresholds = { minBytes: 400_000, maxBytes: 1_600_000, maxProbability: 0.2 };
/** One threshold: what is marked is what leaves more behind. */
const STEP: MarkingThresholds = { minBytes: 300_000, maxBytes: 300_000, maxProbability: 1 };

/** From a fifth to four fifths of a bandwidth-delay product of 12 us, as `uet-htsim` marks. */
const FIFTHS: MarkingThresholds = { minBytes: 30_000, maxBytes: 120_000, maxProbability: 1 };

const dcqcn = { signals: SIGNALS_OF_MARKS, constants: DCQCN_CONSTANTS, marking: RED };
const timely = { signals: SIGNALS_OF_TIME, constants: TIMELY_CONSTANTS };

/**
 * The congestion-control algorithms by name: scenarios and commands know no more of an algorithm than its
 * name and the tuning that all may read. Another algorithm is another entry (docs/algorithms.md).
 *
 * `none` is the rate of the host's link whatever happens; what is lost is sent again, and nothing else
 * slows a flow down. It is the floor that others are compared with.
 */
const BUILT_IN = {
  hpccpp: {
    signals: SIGNALS_OF_HOPS,
    constants: {},
    factory: ({ constants, ...tuning }) => {
      withChanges('hpccpp', {}, constants);
      return hpccppFactory(tuning);
    },
  },
  'hpccpp-lean': {
    signals: { ...SIGNALS_OF_HOPS, samplesPerWindow: HPCCPP_LEAN_SAMPLES, countsFlows: true },
    constants: HPCCPP_LEAN_CONSTANTS,
    factory: (tuning) => (flow) => new HpccppLean(flow, tuning),
  },
  'hpccpp-spray': {
    signals: { ...SIGNALS_OF_HOPS, samplesPerWindow: HPCCPP_SPRAY_SAMPLES, turns: true },
    constants: HPCCPP_SPRAY_CONSTANTS,
    factory: (tuning) => (flow) => new HpccppSpray(flow, tuning),
  },
  hpcc: {
    signals: SIGNALS_OF_LINKS,
    constants: HPCC_CONSTANTS,
    factory: (tuning) => (flow) => new Hpcc(flow, tuning),
  },
  'hpcc-pint': {
    signals: SIGNALS_OF_DIGEST,
    constants: HPCC_PINT_CONSTANTS,
    factory: (tuning) => (flow) => new HpccPint(flow, tuning.constants),
  },
  dcqcn: {
    ...dcqcn,
    factory: (tuning) => (flow) => new Dcqcn(flow, 'none', tuning.constants),
  },
  'dcqcn-window': {
    ...dcqcn,
    factory: (tuning) => (flow) => new Dcqcn(flow, 'scaled', tuning.constants),
  },
  timely: {
    ...timely,
    factory: (tuning) => (flow) => new Timely(flow, 'none', tuning.constants),
  },
  'timely-window': {
    ...timely,
    factory: (tuning) => (flow) => new Timely(flow, 'scaled', tuning.constants),
  },
  dctcp: {
    signals: SIGNALS_OF_MARKS,
    constants: DCTCP_CONSTANTS,
    marking: STEP,
    factory: (tuning) => (flow) => new Dctcp(flow, tuning.constants),
  },
  swift: {
    signals: SIGNALS_OF_TIME,
    constants: SWIFT_CONSTANTS,
    factory: (tuning) => (flow) => new Swift(flow, tuning.constants),
  },
  powertcp: {
    signals: SIGNALS_OF_LINKS,
    constants: POWERTCP_CONSTANTS,
    factory: (tuning) => withPlausibility((flow) => new PowerTcp(flow, tuning.constants), tuning),
  },
  'theta-powertcp': {
    signals: SIGNALS_OF_TIME,
    constants: POWERTCP_CONSTANTS,
    factory: (tuning) => (flow) => new ThetaPowerTcp(flow, tuning.constants),
  },
  nscc: {
    signals: SIGNALS_OF_MARKS_AND_TIME,
    constants: NSCC_CONSTANTS,
    marking: FIFTHS,
    factory: (tuning) => (flow) => new Nscc(flow, tuning.constants),
  },
  rccc: {
    // Marks are for the choice of entropies.
    signals: { ...SIGNALS_OF_MARKS, credits: true },
    constants: RCCC_CONSTANTS,
    marking: FIFTHS,
    factory: (tuning) => (flow) => new Rccc(flow, tuning.constants),
  },
  none: {
    signals: SIGNALS_OF_NOTHING,
    constants: {},
    factory: ({ constants }) => {
      withChanges('none', {}, constants);
      return (environment) => new FixedRate(environment.linkRate);
    },
  },
} as const satisfies Readonly<Record<string, Omit<Algorithm, 'name'>>>;

export type AlgorithmName = keyof typeof BUILT_IN;

export const ALGORITHMS = Object.keys(BUILT_IN) as [AlgorithmName, ...AlgorithmName[]];

/** Those from files, by the paths that they were loaded from. */
const CUSTOM = new Map<string, Algorithm>();

/** True if the name is that of a file with a custom algorithm. */
export const isCustomAlgorithm = (name: string): boolean => /\.[cm]?js$/.test(name);

/** True if the name is one of the algorithms here, or of a file. */
export const isAlgorithm = (name: string): boolean => isBuiltIn(name) || isCustomAlgorithm(name);

/** Registers an algorithm, so that {@link algorithmNamed} finds it. */
export function registerCustomAlgorithm(algorithm: Algorithm): void {
  CUSTOM.set(algorithm.name, algorithm);
}

/**
 * One of the algorithms that come with the project, or one that was loaded.
 * @throws InputError for another name.
 */
export function algorithmNamed(name: string): Algorithm {
  if (isBuiltIn(name)) return { name, ...BUILT_IN[name] };
  const own = CUSTOM.get(name);
  if (own !== undefined) return own;
  const known = ALGORITHMS.join(', ');
  throw new InputError(`no algorithm '${name}': wanted ${known}, or a file such as ./mine.mjs`);
}

const isBuiltIn = (name: string): name is AlgorithmName => Object.hasOwn(BUILT_IN, name);
