import { ackOf, drain, FixedControl, LINK, rig } from './sender-rig';

const TIMEOUT = 500_000_000;

/** A sender with segments 0 to 2 in flight since about 0. */
function inFlight(given: Parameters<typeof rig>[0] = {}) {
  const made = rig(given);
  drain(made.sender, 0);
  return made;
}

describe('the timeout of a sender', () => {
  it('begins anew with bytes that are acknowledged for the first time, and with no others', () => {
    const { sender } = inFlight();
    sender.handleAck(100_000_000, ackOf(1000));
    sender.handleAck(400_000_000, ackOf(1000));
    sender.handleWakeup(100_000_000 + TIMEOUT - 1);
    expect(sender.timeouts).toBe(0);
    sender.handleWakeup(100_000_000 + TIMEOUT);
    expect(sender.timeouts).toBe(1);
    expect(sender.acknowledgedSequence).toBe(1000);
  });

  it('begins anew when the peer is at work on what is in flight', () => {
    const { sender } = inFlight();
    sender.notePeerAtWork(400_000_000);
    sender.handleWakeup(400_000_000 + TIMEOUT - 1);
    expect(sender.timeouts).toBe(0);
    sender.handleWakeup(400_000_000 + TIMEOUT);
    expect(sender.timeouts).toBe(1);
  });

  it('does not begin when the peer is at work, but has nothing more to acknowledge', () => {
    const { sender } = inFlight({ bytes: 3000, isOpen: true });
    sender.handleAck(1_000_000, ackOf(3000));
    sender.notePeerAtWork(2_000_000);
    expect(sender.wakeupAfter(2_000_000)).toBe(Infinity);
  });

  it.each([
    [3 * LINK.baseRtt - 1, 0],
    [3 * LINK.baseRtt, 1],
  ])('after %d ps makes telemetry history as often as %d times', (timeout, restarts) => {
    const { control, sender } = inFlight({ retransmissionTimeout: timeout });
    sender.handleWakeup(timeout);
    expect(sender.timeouts).toBe(1);
    expect(control.restarts).toHaveLength(restarts);
  });

  it('becomes three round trips where a longer T is measured, whatever the algorithm', () => {
    const { sender } = rig();
    const baseRtt = 400_000_000;
    sender.handleBaseRtt(0, baseRtt);
    sender.takeSegment(0);
    sender.handleWakeup(3 * baseRtt - 1);
    expect(sender.timeouts).toBe(0);
    sender.handleWakeup(3 * baseRtt);
    expect(sender.timeouts).toBe(1);
  });

  it('wakes an algorithm that only wants the flow to be looked at then', () => {
    const control = Object.assign(new FixedControl(), { wakeupAt: 7_000_000 });
    const { sender } = inFlight({ congestionControl: control });
    expect(sender.wakeupAfter(1_000_000)).toBe(7_000_000);
    expect(() => sender.handleWakeup(7_000_000)).not.toThrow();
    expect(sender.timeouts).toBe(0);
  });
});

describe('the timeout of a sender that repeats single segments', () => {
  const block = (from: number, to: number) => ({ ...ackOf(0), blocks: [{ from, to }] });

  it('begins anew with segments that have arrived out of order', () => {
    const { sender } = inFlight({ reorderSpan: 1_000_000 });
    sender.handleAck(400_000_000, block(1000, 2000));
    sender.handleWakeup(400_000_000 + TIMEOUT - 1);
    expect(sender.timeouts).toBe(0);
    sender.handleWakeup(400_000_000 + TIMEOUT);
    expect(sender.timeouts).toBe(1);
  });

  it('begins anew with what one block says, also if the next one says nothing new', () => {
    const { sender } = inFlight({ reorderSpan: 1_000_000 });
    sender.handleAck(100_000_000, block(1000, 2000));
    const blocks = [2000, 1000].map((from) => ({ from, to: from + 1000 }));
    sender.handleAck(400_000_000, { ...ackOf(0), blocks });
    sender.handleWakeup(400_000_000 + TIMEOUT - 1);
    expect(sender.timeouts).toBe(0);
  });

  it('goes on when it hears only what it knew', () => {
    const { sender } = inFlight({ reorderSpan: 1_000_000 });
    sender.handleAck(100_000_000, block(1000, 2000));
    sender.handleAck(400_000_000, block(1000, 2000));
    sender.handleWakeup(100_000_000 + TIMEOUT);
    expect(sender.timeouts).toBe(1);
  });
});
