import type { MarkingThresholds } from '../../host-agent/algorithm/library/algorithms';
import type { Evidence } from './evidence';
import { FAIR_JAIN } from './evidence';
import { lastStartUs, workUs } from './trial';
import type { Trial } from './trial';

/** Outcome of a trial: facts for the laws, or why there are none. */
export type Finding = { readonly evidence: Evidence } | { readonly failure: string };

/** Properties that an algorithm announces and laws take into account. */
export interface Claims {
  readonly marking?: MarkingThresholds | undefined;
}

/** Something that every congestion control keeps to in every trial. */
export interface Law {
  readonly name: string;
  /** The bar in one sentence. */
  readonly about: string;
  /** Returns what broke it, or undefined. */
  readonly breach: (trial: Trial, finding: Finding, claims: Claims) => string | undefined;
}

/** Completion may take so many times the time of the link, and so many base RTTs beside. */
const SLOW = 2;
const SLOW_RTTS = 100;
/** Headers and telemetry, as a share of payload. */
const FRAMES = 1.25;
/** Base RTTs after which flows are to be fair. */
const FAIR_RTTS = 200;
/** Shares are looked at where flows were open together for so many base RTTs. */
const TOGETHER_RTTS = 100;
const STARVED_SHARE = 0.05;
const LATE_JAIN = 0.7;
/** A queue that stands may be so many bandwidth-delay products long, beside what marks ask for. */
const QUEUE_BDPS = 8;
const SEGMENTS_EACH = 4;
const SEGMENT = 1000;

/** A law about the network; it says nothing where the algorithm's code went wrong. */
const ofNetwork =
  (breach: (trial: Trial, evidence: Evidence, claims: Claims) => string | undefined) =>
  (trial: Trial, finding: Finding, claims: Claims): string | undefined =>
    'failure' in finding ? undefined : breach(trial, finding.evidence, claims);

const us = (value: number): string => `${value.toPrecision(3)} us`;

/** The laws, in the order in which they are told. */
export const LAWS: readonly Law[] = [
  {
    name: 'runs',
    about: 'calls return, throw nothing, leave window and rate above 0, and time goes on',
    breach: (_trial, finding) => ('failure' in finding ? finding.failure : undefined),
  },
  {
    name: 'no collapse',
    about: `all flows are complete within ${SLOW} times the time of the link, and ${SLOW_RTTS} T`,
    breach: ofNetwork((trial, { endUs, unfinished, baseRttUs }) => {
      const work = lastStartUs(trial) + FRAMES * workUs(trial);
      const bar = SLOW * work + SLOW_RTTS * baseRttUs + lossUs(trial);
      if (unfinished > 0) return `${unfinished} of ${trial.flows} flows were never complete`;
      if (endUs <= bar) return undefined;
      return `complete after ${us(endUs)}; the link needs ${us(work)}`;
    }),
  },
  {
    name: 'no starvation',
    about: `beside others, a flow gets ${STARVED_SHARE * 100} % of its fair part at least`,
    breach: ofNetwork((_trial, { togetherUs, baseRttUs, leastShare }) => {
      if (togetherUs < TOGETHER_RTTS * baseRttUs || leastShare >= STARVED_SHARE) return undefined;
      return `a flow got ${(leastShare * 100).toPrecision(2)} % of its fair part in ${us(togetherUs)}`;
    }),
  },
  {
    name: 'convergence',
    about: `flows are fair (Jain's index ${FAIR_JAIN}) for 20 T within ${FAIR_RTTS} T after the last has begun`,
    breach: ofNetwork(({ flows }, { togetherUs, baseRttUs, fairAfterUs }) => {
      const bar = FAIR_RTTS * baseRttUs;
      if (flows < 2 || togetherUs < bar || (fairAfterUs ?? Infinity) <= bar) return undefined;
      const after = fairAfterUs === null ? `never in ${us(togetherUs)}` : us(fairAfterUs);
      return `fair after: ${after}`;
    }),
  },
  {
    name: 'fairness',
    about: `long flows share equally in the end: Jain's index ${LATE_JAIN} at least`,
    breach: ofNetwork(({ flows }, { togetherUs, baseRttUs, lateJain }) => {
      const isShort = flows < 2 || togetherUs < FAIR_RTTS * baseRttUs;
      if (isShort || lateJain === null || lateJain >= LATE_JAIN) return undefined;
      return `Jain's index of the second half of ${us(togetherUs)} is ${lateJain.toPrecision(2)}`;
    }),
  },
  {
    name: 'bounded queue',
    about: `a queue that stands has ${QUEUE_BDPS} bandwidth-delay products at most, beside marks and segments`,
    breach: ofNetwork(({ flows, rateGbps }, { bdpBytes, lateQueueBytes }, { marking }) => {
      const marks = ((marking?.maxBytes ?? 0) * rateGbps) / 100;
      const bar = QUEUE_BDPS * bdpBytes + 2 * marks + SEGMENTS_EACH * SEGMENT * flows;
      if (lateQueueBytes <= bar) return undefined;
      const bdps = (lateQueueBytes / bdpBytes).toPrecision(3);
      return `the queue stood at ${Math.round(lateQueueBytes / 1000)} KB, ${bdps} bandwidth-delay products`;
    }),
  },
];

/** Time that losses may cost: the last packets of a flow wait for its timer. */
const LOSS_TIMER_US = 2000;
const lossUs = ({ lossRate }: Trial): number => (lossRate > 0 ? LOSS_TIMER_US : 0);
