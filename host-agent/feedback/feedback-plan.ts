import { InputError } from '../../common/errors';
import type { Bytes, Duration } from '../../common/units/units';
import { HP_DOMAIN, HP_WIDE_DOMAIN } from '../../common/wire/int/int-md';
import { checkParameter } from '../algorithm/check-parameter';

/**
 * Which packets carry telemetry and its consequences, in both directions. Both hosts of a flow need
 * the same plan. The default is the basic one of the draft: telemetry in every data packet, echoed by
 * every acknowledgement, the algorithm at the sender.
 */
export interface FeedbackOptions {
  /** What asks the switches for telemetry: data packets, or one probe per round trip. */
  readonly collectBy?: 'data' | 'probe';
  /** One of so many data packets asks. Default 1: each. */
  readonly collectEvery?: number;
  /** What brings the telemetry of data back: acknowledgements, or packets of their own. */
  readonly returnBy?: 'ack' | 'notification';
  /** One acknowledgement for so many packets in order. Default 1. */
  readonly acknowledgeEvery?: number;
  /** For how long an acknowledgement may wait for more packets. Default: one base RTT. */
  readonly acknowledgeDelay?: Duration;
  /** Where the algorithm runs. The receiver tells the sender its window once per round trip. */
  readonly algorithmAt?: 'sender' | 'receiver';
  /** The receiver counts the flows on its link, from which both ends take W_ai. Default false. */
  readonly countsFlows?: boolean;
  /**
   * Switches that offer it answer at once when data leaves a long queue behind it. Such answers have
   * no signature: hosts with keys refuse them. Default false.
   */
  readonly asksSwitches?: boolean;
  /**
   * Switches with several queues per port are asked how long packets wait, which tells more than the
   * length of one queue. Default false.
   */
  readonly asksSojourn?: boolean;
  /** The receiver tells load and interval of the fullest link, not the links. Default false. */
  readonly hidesLinks?: boolean;
}

export type FeedbackPlan = Required<FeedbackOptions>;

/** Fills in defaults. Throws InputError for a plan that contradicts itself. */
export function checkFeedback(options: FeedbackOptions, baseRtt: Duration): FeedbackPlan {
  const count = { low: 1, high: 65_535, integer: true };
  const plan: FeedbackPlan = {
    collectBy: options.collectBy ?? 'data',
    collectEvery: checkParameter('collectEvery', options.collectEvery ?? 1, count),
    returnBy: options.returnBy ?? 'ack',
    acknowledgeEvery: checkParameter('acknowledgeEvery', options.acknowledgeEvery ?? 1, count),
    acknowledgeDelay: checkParameter('acknowledgeDelay', options.acknowledgeDelay ?? baseRtt, {
      low: 0,
      high: Number.MAX_SAFE_INTEGER,
      exclusiveLow: true,
    }),
    algorithmAt: options.algorithmAt ?? 'sender',
    countsFlows: options.countsFlows ?? false,
    asksSwitches: options.asksSwitches ?? false,
    asksSojourn: options.asksSojourn ?? false,
    hidesLinks: options.hidesLinks ?? false,
  };
  if (plan.algorithmAt === 'receiver' && plan.collectBy === 'probe') {
    throw new InputError('an algorithm at the receiver needs telemetry in data, not in probes');
  }
  return plan;
}

/** Bytes that a switch adds to a packet which collects telemetry. */
export function hopLength({ asksSojourn }: Pick<FeedbackPlan, 'asksSojourn'>): Bytes {
  return asksSojourn ? HP_WIDE_DOMAIN.hopLength : HP_DOMAIN.hopLength;
}

/** Whether an acknowledgement without telemetry means that telemetry was lost. */
export function everyAckHasTelemetry(plan: FeedbackPlan): boolean {
  const isByAck = plan.returnBy === 'ack' && plan.algorithmAt === 'sender' && !plan.hidesLinks;
  return isByAck && plan.collectBy === 'data' && plan.collectEvery === 1;
}
