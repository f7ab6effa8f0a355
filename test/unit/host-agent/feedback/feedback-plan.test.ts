import {
  checkFeedback,
  checkRoute,
  COLLECTORS,
  CONTROL_PLACES,
  everyAckHasTelemetry,
  FEEDBACK_PRESETS,
  RETURNS,
  withSignals,
} from '../../../../host-agent/feedback/feedback-plan';
import { testHost } from '../../../support/hosts';
import { SIGNALS_OF_HOPS } from '../../../../host-agent/algorithm/signals';
import type { FeedbackRoute } from '../../../../host-agent/feedback/feedback-plan';

const every = COLLECTORS.flatMap((collectBy) =>
  RETURNS.flatMap((returnBy) =>
    CONTROL_PLACES.map((algorithmAt): FeedbackRoute => ({ collectBy, returnBy, algorithmAt })),
  ),
);
const nameOf = ({ collectBy, returnBy, algorithmAt }: FeedbackRoute) =>
  `${collectBy} ${returnBy} ${algorithmAt}`;

/** The plans that are allowed; all others are refused with their reasons. */
const MEANT = new Set([
  'data ack sender',
  'data notification sender',
  'probe response sender',
  'probe ack sender',
  'data window receiver',
  'probe window receiver',
]);
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^data response/u, 'data brings none'],
  [/receiver$/u, 'keeps the telemetry and returns windows'],
  [/window sender$/u, 'windows come from an algorithm at the receiver'],
  [/^probe notification sender$/u, 'notifications are of data'],
];

describe('the way of telemetry', () => {
  it.each(every.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
    if (MEANT.has(name)) {
      expect(checkRoute(route)).toEqual(route);
      return;
    }
    const reason = REASONS.find(([pattern]) => pattern.test(name))?.[1];
    expect(reason).toBeDefined();
    expect(() => checkRoute(route)).toThrow(reason);
    expect(() => checkRoute(route)).toThrow(`returnBy: ${route.returnBy}`);
  });

  it('is one that is meant under each of its old names', () => {
    const names = Object.values(FEEDBACK_PRESETS).map((route) => nameOf(checkRoute(route)));
    expect(new Set(names)).toEqual(MEANT);
  });

  it.each<[Partial<FeedbackRoute>, string]>([
    [{}, 'data ack sender'],
    [{ collectBy: 'probe' }, 'probe response sender'],
    [{ algorithmAt: 'receiver' }, 'data window receiver'],
    [{ returnBy: 'notification' }, 'data notification sender'],
  ])('follows from %j', (given, name) => {
    expect(nameOf(checkRoute(given))).toBe(name);
  });
});

it('ends rounds by T only where the receiver ends them', () => {
  const plan = checkFeedback({ algorithmAt: 'receiver', roundsEndBy: 'timer' }, 1);
  expect(plan.roundsEndBy).toBe('timer');
  expect(checkFeedback({}, 1).roundsEndBy).toBe('epoch');
  expect(() => testHost(1, { feedback: { roundsEndBy: 'timer' } })).toThrow(
    'roundsEndBy: timer is about rounds at the receiver: it needs controlAt: receiver',
  );
});

it.each([
  [{}, true],
  [{ acknowledgeEvery: 4 }, true],
  [{ collectEvery: 2 }, false],
  [{ samplesPerWindow: 4 }, false],
  [{ hidesLinks: true }, false],
  [FEEDBACK_PRESETS.notification, false],
  [FEEDBACK_PRESETS.probe, false],
  [FEEDBACK_PRESETS.receiver, false],
])('with %j every acknowledgement has telemetry: %p', (options, expected) => {
  expect(everyAckHasTelemetry(checkFeedback(options, 1))).toBe(expected);
});

describe('what an algorithm wants besides', () => {
  const signals = { ...SIGNALS_OF_HOPS, samplesPerWindow: 4, countsFlows: true };
  const plan = (options: Parameters<typeof checkFeedback>[0], of = signals) =>
    checkFeedback(withSignals(options, of), 1);

  it('holds where the plan leaves it open', () => {
    expect(plan({ collectEvery: 1, countsFlows: false })).toMatchObject({
      samplesPerWindow: 4,
      countsFlows: true,
    });
  });

  it('gives way to a plan that says how many packets collect', () => {
    expect(plan({ collectEvery: 16 }).samplesPerWindow).toBe(0);
    expect(plan({ samplesPerWindow: 9 }).samplesPerWindow).toBe(9);
  });

  it('is nothing for most', () => {
    const { samplesPerWindow, countsFlows } = checkFeedback(withSignals({}), 1);
    expect([samplesPerWindow, countsFlows]).toEqual([0, false]);
  });

  it('is refused out of range', () => {
    expect(() => plan({ samplesPerWindow: 0.5 })).toThrow(/samplesPerWindow/);
  });
});
