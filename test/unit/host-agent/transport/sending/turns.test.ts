import { ackOf, drain, LINK, rig, SPACING, starts } from './sender-rig';

/** A sender that repeats single segments, with a window of three. */
const turning = (given: Parameters<typeof rig>[0] = {}) =>
  rig({ reorderSpan: 100_000, takesTurns: true, ...given });
const asks = (sequence: number) => ({ sequence, isRepeated: false, isHeld: false });
const LATER = 100 * SPACING;

describe('a receiver that has a flow wait for its turn', () => {
  test('lets nothing new leave until it asks, and then one segment, whatever window and rate are', () => {
    const { sender, control } = turning();
    const { segments } = drain(sender, 0);
    expect(starts(segments)).toEqual([0, 1000, 2000]);
    sender.awaitTurn(LATER, 3000);
    sender.handleAck(LATER, ackOf(2000));
    expect(sender.canSend(LATER)).toBe(false);
    control.windowBytes = 1;
    control.pacingRate = 1;
    sender.takeTurn(LATER, 3000);
    expect(sender.canSend(LATER)).toBe(true);
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 3000, collects: false });
    expect(sender.canSend(LATER)).toBe(false);
  });

  test('is obeyed until the segment of the turn is acknowledged without another one', () => {
    const { sender } = turning();
    drain(sender, 0);
    sender.awaitTurn(LATER, 3000);
    sender.takeTurn(LATER, 3000);
    sender.takeSegment(LATER);
    sender.handleAck(LATER, ackOf(3000));
    expect(sender.canSend(2 * LATER)).toBe(false);
    sender.awaitTurn(2 * LATER, 4000);
    sender.handleAck(2 * LATER, ackOf(4000));
    expect(sender.canSend(3 * LATER)).toBe(false);
    sender.takeTurn(3 * LATER, 4000);
    sender.takeSegment(3 * LATER);
    sender.handleAck(4 * LATER, ackOf(5000));
    expect(sender.canSend(4 * LATER)).toBe(true);
  });

  test('asks for trimmed segments first', () => {
    const { sender, control } = turning();
    drain(sender, 0);
    const held = { sequence: 1000, isRepeated: false, isHeld: true };
    sender.handleTrimmed(LATER, held, undefined);
    sender.awaitTurn(LATER, 3000);
    control.windowBytes = 1;
    sender.handleTrimmed(LATER, asks(1000), undefined);
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 1000, isRetransmission: true });
    expect(sender.canSend(LATER)).toBe(false);
    sender.takeTurn(LATER, 3000);
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 3000 });
  });

  test('is waited for as long as for trimmed data, then the flow goes back', () => {
    const { sender } = turning();
    drain(sender, 0);
    sender.handleAck(LATER, ackOf(3000));
    sender.awaitTurn(LATER, 3000);
    const rto = 500_000_000;
    sender.handleWakeup(LATER + rto);
    expect(sender.counters.timeouts).toBe(0);
    for (let turn = 2; turn < 70; turn++) sender.handleWakeup(LATER + turn * rto);
    expect(sender.counters.timeouts).toBeGreaterThan(0);
    expect(sender.canSend(LATER + 70 * rto)).toBe(true);
  });

  test('is control, also where each of its words is of another trimmed segment', () => {
    const { sender, control } = turning({ bytes: 20_000, needsTelemetry: true });
    control.windowBytes = 10_000;
    drain(sender, 0);
    sender.awaitTurn(LATER, 10_000);
    for (let i = 0; i < 10; i++) {
      const held = { sequence: 1000 * i, isRepeated: false, isHeld: true };
      sender.handleTrimmed(LATER + 2 * (i + 1) * LINK.baseRtt, held, undefined);
    }
    expect(sender.counters.uncontrolledTime).toBe(0);
  });

  test('is no turn where the header of a segment comes that it asks for at once', () => {
    const { sender, control } = turning();
    drain(sender, 0);
    sender.awaitTurn(LATER, 3000);
    sender.handleTrimmed(LATER, asks(1000), undefined);
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 1000, isRetransmission: true });
    control.windowBytes = 10_000;
    expect(sender.canSend(LATER)).toBe(false);
    sender.takeTurn(LATER, 3000);
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 3000 });
  });

  test('is not used up by a segment that is sent again', () => {
    const { sender, control } = turning();
    drain(sender, 0);
    sender.awaitTurn(LATER, 3000);
    sender.takeTurn(LATER, 3000);
    sender.handleTrimmed(LATER, asks(1000), undefined);
    control.windowBytes = 1;
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 1000, isRetransmission: true });
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 3000 });
    expect(sender.canSend(LATER)).toBe(false);
  });

  test('is waited for with a timer, too, where all that was in flight is acknowledged afterwards', () => {
    const { sender } = turning();
    drain(sender, 0);
    sender.awaitTurn(LATER, 3000);
    sender.handleAck(LATER, ackOf(3000));
    expect(sender.wakeupAfter(LATER)).toBeLessThan(Infinity);
  });

  test('is not waited for where its request has come before', () => {
    const { sender } = turning();
    drain(sender, 0);
    sender.handleAck(LATER, ackOf(2000));
    sender.takeTurn(LATER, 3000);
    sender.awaitTurn(LATER, 3000);
    expect(sender.canSend(LATER)).toBe(true);
    expect(sender.takeSegment(LATER)).toMatchObject({ sequence: 3000, isRetransmission: false });
    sender.awaitTurn(LATER, 4000);
    expect(sender.canSend(LATER)).toBe(false);
  });

  test('has nothing to say to a flow that has sent all, or whose algorithm takes no turns', () => {
    const { sender } = turning({ bytes: 3000 });
    drain(sender, 0);
    sender.awaitTurn(LATER, 3000);
    sender.takeTurn(LATER, 3000);
    expect(sender.canSend(LATER)).toBe(false);
    const other = turning({ takesTurns: false });
    drain(other.sender, 0);
    other.control.windowBytes = 1;
    other.sender.handleTrimmed(LATER, { ...asks(1000), isHeld: true }, undefined);
    other.sender.handleTrimmed(LATER, asks(1000), undefined);
    expect(other.sender.canSend(LATER)).toBe(false);
  });
});
