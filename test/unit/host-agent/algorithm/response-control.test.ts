import type { HopRecord } from '../../../../common/hop/hop';
import { gigabitsPerSecond, microseconds } from '../../../../common/units/units';
import { withResponsesAlone } from '../../../../host-agent/algorithm/response-control';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';

const LINK = { linkRate: gigabitsPerSecond(100), baseRtt: microseconds(4) };
/** 100 Gb/s for 4 us. */
const BDP = 50_000;
const ETA = 0.95;
/** W_ai of the default N. */
const WAI = (BDP * (1 - ETA)) / 100;

const hop = (queueBytes: number, portId = 1): HopRecord => ({
  switchId: 1,
  portId,
  queueId: 0,
  queueBytes,
  timestamp: 0,
  timestampModulus: 2 ** 48,
  txBytes: 0,
  txBytesModulus: 2 ** 48,
  capacity: gigabitsPerSecond(100),
});

/** A flow whose every round sends 1000 bytes, and lasts T. */
function rig() {
  const control = withResponsesAlone(hpccppFactory(), 0.95)(LINK);
  let now = 0;
  let sent = 1000;
  const plain = { isIncomplete: false, telemetry: [] };
  const at = (ackSequence: number) => ({ ackSequence, nextSequence: sent, now });
  return {
    control,
    /** Acknowledges what was sent, T later, and sends 1000 bytes more. */
    round: () => {
      now += LINK.baseRtt;
      control.onAck({ ...plain, ...at(sent) });
      sent += 1000;
    },
    /** Answers the latest packet as a switch does, or an earlier one, or one of another flow. */
    respond: (record: HopRecord, back = 0, endsRound?: false) =>
      control.onAck({
        ...plain,
        ...at(sent - back),
        telemetry: [record],
        isOneLink: true,
        endsRound,
      }),
    lose: () => control.onLoss?.({ kind: 'gap', sequence: sent - 1000, nextSequence: sent, now }),
    send: () => (sent += 1000),
    wait: (T: number) => (now += T * LINK.baseRtt),
  };
}

describe('a flow under responses of switches alone', () => {
  it('begins with the whole window, and stays there while nobody answers', () => {
    const { control, round } = rig();
    for (let i = 0; i < 20; i++) round();
    expect(control.windowBytes).toBe(BDP);
    expect(control.metrics().switchResponses).toBe(0);
  });

  it('takes one record for U: a link with a queue is full', () => {
    const { control, respond } = rig();
    // U = 1 + 50,000 / (B * T) = 2.
    respond(hop(BDP));
    expect(control.windowBytes).toBeCloseTo((BDP * ETA) / 2 + WAI, 9);
    expect(control.metrics()).toMatchObject({ switchResponses: 1, normalizedInflight: 2 });
  });

  it('divides the same window by the largest U of a round, and not twice', () => {
    const { control, respond } = rig();
    respond(hop(BDP));
    respond(hop(BDP / 2), 500);
    expect(control.windowBytes).toBeCloseTo((BDP * ETA) / 2 + WAI, 9);
    respond(hop(3 * BDP), 200);
    expect(control.windowBytes).toBeCloseTo((BDP * ETA) / 4 + WAI, 9);
  });

  it('divides again once data that left after the reduction is answered, but not before T', () => {
    const { control, respond, send, wait } = rig();
    respond(hop(BDP));
    const first = control.windowBytes;
    wait(1);
    respond(hop(BDP));
    expect(control.windowBytes).toBe(first);
    wait(-0.5);
    send();
    respond(hop(BDP));
    expect(control.windowBytes).toBe(first);
    wait(0.5);
    respond(hop(BDP));
    expect(control.windowBytes).toBeCloseTo((first * ETA) / 2 + WAI, 9);
  });

  it('adds W_ai in a round without an answer, and divides by eta after maxStage of them', () => {
    const { control, respond, round } = rig();
    respond(hop(9 * BDP));
    // Its own end, which makes the reduction the reference.
    round();
    round();
    let expected = (BDP * ETA) / 10 + WAI;
    expect(control.windowBytes).toBeCloseTo(expected, 9);
    for (let i = 0; i < 5; i++) {
      round();
      expected += WAI;
      expect(control.windowBytes).toBeCloseTo(expected, 9);
    }
    round();
    expect(control.windowBytes).toBeCloseTo(expected / ETA + WAI, 9);
  });

  it('takes a loss for a queue of T that nobody has answered', () => {
    const { control, lose } = rig();
    lose();
    lose();
    expect(control.windowBytes).toBeCloseTo((BDP * ETA) / 2 + WAI, 9);
  });

  it('takes answers to other flows of links that have answered it, until it was idle', () => {
    const { control, respond } = rig();
    expect(respond(hop(BDP), 0, false)).toBe('ignored');
    expect(control.windowBytes).toBe(BDP);
    respond(hop(BDP / 10));
    expect(respond(hop(BDP, 2), 0, false)).toBe('ignored');
    expect(respond(hop(BDP), 0, false)).toBe('fast');
    expect(control.windowBytes).toBeCloseTo((BDP * ETA) / 2 + WAI, 9);
    control.onIdleRestart(0);
    expect(respond(hop(2 * BDP), 0, false)).toBe('ignored');
  });

  it('takes no answer without a capacity', () => {
    const { control, respond } = rig();
    expect(respond({ ...hop(BDP), capacity: 0 })).toBe('ignored');
    expect(control.windowBytes).toBe(BDP);
  });

  it('follows T', () => {
    const { control, respond } = rig();
    control.onBaseRtt?.(2 * LINK.baseRtt);
    respond(hop(2 * BDP));
    expect(control.windowBytes).toBeCloseTo(BDP * ETA + 2 * WAI, 9);
  });
});
