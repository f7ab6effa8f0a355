import { InputError } from '../../common/errors';
import type { Duration } from '../../common/units/units';
import { checkParameter } from '../algorithm/check-parameter';
import { SIGNALS_OF_HOPS } from '../algorithm/signals';
import type { Signals } from '../algorithm/signals';
import type { RoundEnd } from './round-clock';

/** Packets that collect telemetry: data packets (each, or one in k), or one probe per round trip. */
export const COLLECTORS = ['data', 'probe'] as const;
/**
 * Packets that return feedback: the acknowledgements of data (of each packet, or one for n), also of what
 * probes have collected, notifications of their own, the responses to probes, or windows that the receiver has computed.
 */
export const RETURNS = ['ack', 'notification', 'response', 'window'] as const;
/** Ends at which the algorithm can run. */
export const CONTROL_PLACES = ['sender', 'receiver'] as const;

/** The way of telemetry from the switches to the algorithm, and of what follows from it to the sender. */
export interface FeedbackRoute {
  readonly collectBy: (typeof COLLECTORS)[number];
  readonly returnBy: (typeof RETURNS)[number];
  readonly algorithmAt: (typeof CONTROL_PLACES)[number];
}

/** Ways that have a name of their own in scenarios and on command lines. */
export const FEEDBACK_PRESETS = {
  ack: { collectBy: 'data', returnBy: 'ack', algorithmAt: 'sender' },
  notification: { collectBy: 'data', returnBy: 'notification', algorithmAt: 'sender' },
  probe: { collectBy: 'probe', returnBy: 'response', algorithmAt: 'sender' },
  'probe-ack': { collectBy: 'probe', returnBy: 'ack', algorithmAt: 'sender' },
  receiver: { collectBy: 'data', returnBy: 'window', algorithmAt: 'receiver' },
  'receiver-probe': { collectBy: 'probe', returnBy: 'window', algorithmAt: 'receiver' },
} as const satisfies Record<string, FeedbackRoute>;

const MEANT = undefined;
const ONLY_PROBES_ARE_ANSWERED = 'responses are answers to probes: data brings none';
const ANSWERS_BRING_IT =
  'notifications are of data: responses and acknowledgements bring probes back';
const NOTHING_TO_TELL = 'windows come from an algorithm at the receiver';
const STAYS_THERE = 'an algorithm at the receiver keeps the telemetry and returns windows';

/** Every combination of the three settings: meant, or why it is refused. */
const ROUTES: Readonly<
  Record<
    FeedbackRoute['collectBy'],
    Record<FeedbackRoute['returnBy'], Record<FeedbackRoute['algorithmAt'], string | typeof MEANT>>
  >
> = {
  data: {
    ack: { sender: MEANT, receiver: STAYS_THERE },
    notification: { sender: MEANT, receiver: STAYS_THERE },
    response: { sender: ONLY_PROBES_ARE_ANSWERED, receiver: ONLY_PROBES_ARE_ANSWERED },
    window: { sender: NOTHING_TO_TELL, receiver: MEANT },
  },
  probe: {
    ack: { sender: MEANT, receiver: STAYS_THERE },
    notification: { sender: ANSWERS_BRING_IT, receiver: STAYS_THERE },
    response: { sender: MEANT, receiver: STAYS_THERE },
    window: { sender: NOTHING_TO_TELL, receiver: MEANT },
  },
};

/**
 * Packets that carry telemetry and feedback, in both directions. Both hosts of a flow need the same plan.
 * The default is the basic one of the draft: telemetry in every data packet, echoed by every
 * acknowledgement, the algorithm at the sender.
 */
export interface FeedbackOptions extends Partial<FeedbackRoute> {
  /** One of so many data packets asks. Default 1: each. */
  readonly collectEvery?: number;
  /** So many data packets of each window ask, in place of one in so many. Default 0: that counts. */
  readonly samplesPerWindow?: number;
  /** One acknowledgement for so many packets in order. Default 1. */
  readonly acknowledgeEvery?: number;
  /** Longest time that an acknowledgement waits for more packets. Default: one base RTT. */
  readonly acknowledgeDelay?: Duration;
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
  /**
   * Switches of the profile hpcc-sparse choose which of the packets that ask get telemetry: so many per
   * flow and time, and all while their queue is long. Default false.
   */
  readonly switchesChoose?: boolean;
  /** The receiver tells load and interval of the bottleneck, not the links. Default false. */
  readonly hidesLinks?: boolean;
  /**
   * Event that ends a round of an algorithm at the receiver: the sender's marks, or T since the last one
   * (line 29), for senders that mark nothing. Default: epoch.
   */
  readonly roundsEndBy?: RoundEnd;
}

export type FeedbackPlan = Required<FeedbackOptions>;

/** Fills in defaults. Throws InputError for a plan that contradicts itself. */
export function checkFeedback(options: FeedbackOptions, baseRtt: Duration): FeedbackPlan {
  const count = { low: 1, high: 65_535, integer: true };
  const route = checkRoute(options);
  return {
    ...route,
    roundsEndBy: options.roundsEndBy ?? 'epoch',
    collectEvery: checkParameter('collectEvery', options.collectEvery ?? 1, count),
    samplesPerWindow: checkParameter('samplesPerWindow', options.samplesPerWindow ?? 0, {
      ...count,
      low: 0,
    }),
    acknowledgeEvery: checkParameter('acknowledgeEvery', options.acknowledgeEvery ?? 1, count),
    acknowledgeDelay: checkParameter('acknowledgeDelay', options.acknowledgeDelay ?? baseRtt, {
      low: 0,
      high: Number.MAX_SAFE_INTEGER,
      exclusiveLow: true,
    }),
    countsFlows: options.countsFlows ?? false,
    asksSwitches: options.asksSwitches ?? false,
    asksSojourn: options.asksSojourn ?? false,
    switchesChoose: options.switchesChoose ?? false,
    hidesLinks: options.hidesLinks ?? false,
  };
}

/**
 * The three settings without gaps: what is left open follows from the others. Throws InputError with
 * the reason for a combination that is refused.
 */
export function checkRoute(given: Partial<FeedbackRoute>): FeedbackRoute {
  const { collectBy = 'data', algorithmAt = 'sender' } = given;
  const usual = algorithmAt === 'receiver' ? 'window' : collectBy === 'probe' ? 'response' : 'ack';
  const { returnBy = usual } = given;
  const refusal = ROUTES[collectBy][returnBy][algorithmAt];
  if (refusal === undefined) return { collectBy, returnBy, algorithmAt };
  const asked = `collectBy: ${collectBy}, returnBy: ${returnBy}, algorithmAt: ${algorithmAt}`;
  throw new InputError(`${refusal} (${asked})`);
}

/** True if every data packet collects telemetry. */
export const everyPacketCollects = (plan: FeedbackPlan): boolean =>
  plan.collectBy === 'data' && plan.collectEvery === 1 && plan.samplesPerWindow === 0;

/** True if acknowledgements of data bring what probes have collected. */
export const acksAnswerProbes = ({ collectBy, returnBy }: FeedbackRoute): boolean =>
  collectBy === 'probe' && returnBy === 'ack';

/** True if an acknowledgement without telemetry means that telemetry was lost. */
export function everyAckHasTelemetry(plan: FeedbackPlan): boolean {
  const isWritten = everyPacketCollects(plan) && !plan.switchesChoose;
  return plan.returnBy === 'ack' && isWritten && !plan.hidesLinks;
}

/** The options with what an algorithm wants besides, where they leave it open. */
export function withSignals(
  options: FeedbackOptions,
  { samplesPerWindow = 0, countsFlows = false }: Signals = SIGNALS_OF_HOPS,
): FeedbackOptions {
  const { collectEvery = 1 } = options;
  return {
    ...options,
    samplesPerWindow: options.samplesPerWindow ?? (collectEvery === 1 ? samplesPerWindow : 0),
    countsFlows: options.countsFlows === true || countsFlows,
  };
}
