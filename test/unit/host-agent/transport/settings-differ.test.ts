import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import { differenceText } from '../../../../host-agent/feedback/loop-check';
import { addressOf, flowTo, testHost } from '../../../support/hosts';
import { hopRecord } from '../../../support/telemetry';
import { pushHop } from '../../../support/int-hop';
import { PairDriver } from '../../../support/pair-driver';

const DELAY = 2_000_000;
const BASE_RTT = 5_000_000;
const US = 1_000_000;

/** Differences that the sender finds to a receiver with another plan, and when it has found one. */
function told(own: FeedbackOptions, peer: FeedbackOptions) {
  const hosts = [testHost(1, { feedback: own }), testHost(2, { feedback: peer })] as const;
  const driver = new PairDriver(hosts, {
    delay: DELAY,
    network(from, packet, now) {
      // DSCP 0: a packet that asks for no telemetry.
      if (from === 1 || packet.bytes[15] === 0) return packet;
      const timestamp = Math.floor(now / 1000);
      return pushHop(packet, hopRecord({ timestamp, txBytes: Math.floor(now / 100) }));
    },
  });
  hosts[0].startFlow(0, flowTo(2, 7, 400_000));
  let at: number | undefined = undefined;
  for (let end = US; end <= 500 * US; end += US) {
    driver.run(end);
    if (driver.events[0].some(({ kind }) => kind === 'settings-differ')) at ??= end;
  }
  return { at, found: driver.events[0].filter(({ kind }) => kind === 'settings-differ') };
}

const ACK: FeedbackOptions = {};
const NOTIFICATION: FeedbackOptions = { returnBy: 'notification' };
const PROBE: FeedbackOptions = { collectBy: 'probe' };
const RECEIVER: FeedbackOptions = { algorithmAt: 'receiver' };
const RECEIVER_PROBE: FeedbackOptions = { algorithmAt: 'receiver', collectBy: 'probe' };
const HIDDEN: FeedbackOptions = { hidesLinks: true };
const COUNTED: FeedbackOptions = { countsFlows: true };

describe('a receiver that runs another loop', () => {
  test.each([
    [RECEIVER, ACK, 'controlAt', 'receiver', 'sender'],
    [RECEIVER, NOTIFICATION, 'controlAt', 'receiver', 'sender'],
    [RECEIVER_PROBE, PROBE, 'controlAt', 'receiver', 'sender'],
    [ACK, RECEIVER, 'controlAt', 'sender', 'receiver'],
    [NOTIFICATION, RECEIVER, 'controlAt', 'sender', 'receiver'],
    [PROBE, RECEIVER_PROBE, 'controlAt', 'sender', 'receiver'],
    [ACK, NOTIFICATION, 'return', 'ack', 'notification'],
    [NOTIFICATION, ACK, 'return', 'notification', 'ack'],
    [ACK, HIDDEN, 'links', 'shown', 'hidden'],
    [HIDDEN, ACK, 'links', 'hidden', 'shown'],
    [ACK, COUNTED, 'flowCount', 'fixed', 'receiver'],
    [COUNTED, ACK, 'flowCount', 'receiver', 'fixed'],
  ])(
    'is named within 2 T, with the setting and both values: %o, %o',
    (own, peer, ...difference) => {
      const [setting, here, there] = difference;
      const { at, found } = told(own, peer);
      expect(found).toEqual([
        {
          kind: 'settings-differ',
          flow: 7,
          peerAddress: addressOf(2),
          setting,
          own: here,
          peer: there,
        },
      ]);
      expect(at).toBeLessThanOrEqual(2 * BASE_RTT);
    },
  );

  test.each([
    ACK,
    NOTIFICATION,
    PROBE,
    RECEIVER,
    RECEIVER_PROBE,
    HIDDEN,
    COUNTED,
    { acknowledgeEvery: 4 },
    { collectEvery: 8 },
  ])('is none if it has the same settings: %o', (plan) => {
    expect(told(plan, plan).found).toEqual([]);
  });

  test('is told in a sentence with what to do', () => {
    expect(
      differenceText({ setting: 'controlAt', own: 'receiver', peer: 'sender' }, '10.0.0.2'),
    ).toBe(
      'controlAt is receiver here and sender at 10.0.0.2: start both hosts with the same --feedback or --control-at',
    );
  });
});
