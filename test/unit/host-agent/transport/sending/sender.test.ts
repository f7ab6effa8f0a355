import { responseIntakeOf } from '../../../../../host-agent/transport/sending/switch-responses';
import { TelemetryProbes } from '../../../../../host-agent/transport/sending/telemetry-probes';
import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import { hopRecord } from '../../../../support/telemetry';
import { proves } from '../../../../support/evidence';
import { ackOf, drain, LINK, rig, SPACING, starts } from './sender-rig';

describe('the window of a sender', () => {
  it.each([
    [3000, [0, 1000, 2000]],
    [3001, [0, 1000, 2000, 3000]],
    [2999, [0, 1000, 2000]],
    [1000, [0]],
    [1, [0]],
  ])('lets a segment go while bytes in flight are below %d', (windowBytes, expected) => {
    const { control, sender } = rig();
    control.windowBytes = windowBytes;
    expect(starts(drain(sender, 0).segments)).toEqual(expected);
  });

  proves({ cases: ['window-below-a-packet'] })(
    'always permits one segment with nothing in flight, however small it is',
    () => {
      const { control, sender } = rig({ bytes: 2500 });
      control.windowBytes = 0.01;
      for (const sequence of [0, 1000, 2000]) {
        expect(starts(drain(sender, sequence * 1000).segments)).toEqual([sequence]);
        sender.handleAck(sequence * 1000, ackOf(Math.min(sequence + 1000, 2500)));
      }
      expect(sender.isComplete).toBe(true);
    },
  );

  it('cuts the flow into segments of the maximal size and marks the last', () => {
    const { control, sender } = rig({ bytes: 2500 });
    control.windowBytes = 1e6;
    expect(drain(sender, 0).segments).toEqual([
      { sequence: 0, length: 1000, isLast: false, isRetransmission: false, collects: true },
      { sequence: 1000, length: 1000, isLast: false, isRetransmission: false, collects: true },
      { sequence: 2000, length: 500, isLast: true, isRetransmission: false, collects: true },
    ]);
  });
});

describe('the pacing of a sender', () => {
  it('spaces segments by the wire length of the frame at the rate', () => {
    const { sender } = rig();
    sender.takeSegment(0);
    expect(sender.canSend(SPACING - 1)).toBe(false);
    expect(sender.wakeupAfter(0)).toBe(SPACING);
    expect(sender.canSend(SPACING)).toBe(true);
  });

  it('counts the telemetry that the path will add: first as expected, then as seen', () => {
    const { sender } = rig({ expectedHops: 1 });
    sender.takeSegment(0);
    // (1074 + 32) bytes at 80 ps.
    expect(sender.wakeupAfter(0)).toBe(88_480);
    const telemetry = [hopRecord(), hopRecord(), hopRecord()];
    sender.handleAck(10_000, { ...ackOf(0), sample: { ...NO_TELEMETRY, telemetry } });
    sender.takeSegment(88_480);
    // (1074 + 3 * 32) bytes at 80 ps.
    expect(sender.wakeupAfter(88_480)).toBe(88_480 + 93_600);
  });

  proves({ cases: ['pacing-retimed'] })(
    're-times the segment that waits when the rate changes',
    () => {
      const { control, sender } = rig();
      sender.takeSegment(0);
      control.pacingRate = 50e9;
      sender.handleAck(1000, ackOf(0));
      expect(sender.wakeupAfter(1000)).toBe(2 * SPACING);
      control.pacingRate = 200e9;
      sender.handleAck(2000, ackOf(0));
      expect(sender.wakeupAfter(2000)).toBe(SPACING / 2);
    },
  );

  it('gives no credit for the time in which a lower rate forbade the segment', () => {
    const { control, sender } = rig();
    control.pacingRate = 1e9;
    sender.handleAck(0, ackOf(0));
    sender.takeSegment(0);
    const now = 4_000_000;
    control.pacingRate = 100e9;
    sender.handleAck(now, ackOf(0));
    expect(sender.canSend(now)).toBe(true);
    sender.takeSegment(now);
    expect(sender.wakeupAfter(now)).toBe(now + SPACING);
  });

  it('keeps as credit the time for which a segment has waited for the interface', () => {
    const { sender } = rig();
    sender.takeSegment(0);
    // It may leave from SPACING on; that something is heard meanwhile takes nothing from it.
    sender.handleAck(SPACING + 10_000, ackOf(0));
    sender.takeSegment(SPACING + 20_000);
    expect(sender.wakeupAfter(SPACING + 20_000)).toBe(2 * SPACING);
  });

  it('keeps to the telemetry that it saw last while none comes', () => {
    const { sender } = rig();
    const telemetry = [hopRecord(), hopRecord()];
    sender.handleAck(0, { ...ackOf(0), sample: { ...NO_TELEMETRY, telemetry } });
    sender.handleAck(0, ackOf(0));
    sender.takeSegment(0);
    expect(sender.wakeupAfter(0)).toBe((1074 + 2 * 32) * 80);
  });

  it('counts what a segment saves that asks for no telemetry', () => {
    const { sender } = rig({ collectEvery: 2, plainSaving: 16, expectedHops: 1 });
    sender.takeSegment(0);
    const second = sender.wakeupAfter(0);
    expect(second).toBe((1074 + 32) * 80);
    expect(sender.takeSegment(second).collects).toBe(false);
    expect(sender.wakeupAfter(second) - second).toBe((1074 - 16) * 80);
  });

  it('asks for no wake-up on account of a closed window', () => {
    const { sender } = rig();
    const { now } = drain(sender, 0);
    expect(sender.wakeupAfter(now)).toBe(500_000_000);
  });
});

describe('a sender that goes back', () => {
  it('repeats from the acknowledgement on when it is asked to', () => {
    const { control, sender } = rig();
    const { now } = drain(sender, 0);
    sender.handleAck(now, ackOf(1000, true));
    expect(control.acks[0]).toMatchObject({ ackSequence: 1000, nextSequence: 1000 });
    const { segments } = drain(sender, now + SPACING);
    expect(starts(segments)).toEqual([1000, 2000, 3000]);
    expect(segments.map((s) => s.isRetransmission)).toEqual([true, true, false]);
    expect(sender.counters).toMatchObject({ nacks: 1, segmentsRetransmitted: 2 });
  });

  it('ignores a request that is older than its acknowledgements', () => {
    const { sender } = rig();
    const { now } = drain(sender, 0);
    sender.handleAck(now, ackOf(2000));
    sender.handleAck(now, ackOf(1000, true));
    expect(sender.counters).toMatchObject({ nacks: 0, inflightBytes: 1000 });
  });

  it('repeats everything unacknowledged after the timeout, and backs off', () => {
    const { sender } = rig();
    drain(sender, 0);
    sender.handleWakeup(499_999_999);
    expect(sender.counters.timeouts).toBe(0);
    sender.handleWakeup(500_000_000);
    expect(starts(drain(sender, 500_000_000).segments)).toEqual([0, 1000, 2000]);
    expect(sender.wakeupAfter(501_000_000)).toBe(500_000_000 + 1_000_000_000);
    expect(sender.counters).toMatchObject({ timeouts: 1, segmentsRetransmitted: 3 });
  });

  it('skips what is acknowledged after going back', () => {
    const { sender } = rig();
    const { now } = drain(sender, 0);
    sender.handleAck(now, ackOf(0, true));
    sender.handleAck(now, ackOf(3000));
    expect(starts(drain(sender, now + SPACING).segments)).toEqual([3000, 4000, 5000]);
  });

  proves({ cases: ['silent-path'] })(
    'tells its congestion control that the path was silent for long',
    () => {
      const { control, sender } = rig();
      drain(sender, 0);
      sender.handleWakeup(500_000_000);
      expect(control.restarts).toEqual([500_000_000]);
    },
  );
});

describe('acknowledgements', () => {
  it('complete the flow with the last byte', () => {
    const { sender } = rig({ bytes: 1500 });
    drain(sender, 0);
    sender.handleAck(1, ackOf(1000));
    expect(sender.isComplete).toBe(false);
    sender.handleAck(2, ackOf(1500));
    expect(sender.isComplete).toBe(true);
    expect(sender.wakeupAfter(2)).toBe(Infinity);
  });

  it('are refused beyond what was ever sent, without any effect', () => {
    const { control, sender } = rig();
    sender.takeSegment(0);
    expect(sender.handleAck(1, ackOf(1001))).toBe(false);
    expect(control.acks).toEqual([]);
    expect(sender.counters.acknowledgedBytes).toBe(0);
  });

  it('reach the congestion control with the next sequence, also as duplicates', () => {
    const { control, sender } = rig();
    const { now } = drain(sender, 0);
    for (let i = 0; i < 2; i++) sender.handleAck(now, ackOf(1000));
    expect(control.acks).toHaveLength(2);
    expect(control.acks[1]).toMatchObject({ ackSequence: 1000, nextSequence: 3000, now });
  });
});

describe('an open flow', () => {
  it('completes only after its last bytes were appended and acknowledged', () => {
    const { sender } = rig({ bytes: 500, isOpen: true });
    expect(sender.takeSegment(0).isLast).toBe(false);
    sender.handleAck(1, ackOf(500));
    expect(sender.isComplete).toBe(false);
    sender.append(1_000_000, 700, true);
    expect(drain(sender, 1_000_000).segments).toEqual([
      { sequence: 500, length: 700, isLast: true, isRetransmission: false, collects: true },
    ]);
    sender.handleAck(2_000_000, ackOf(1200));
    expect(sender.isComplete).toBe(true);
  });

  it.each([
    [3 * LINK.baseRtt, 0],
    [3 * LINK.baseRtt + 1, 1],
  ])('restarts its congestion control after %d ps with nothing in flight', (pause, restarts) => {
    const { control, sender } = rig({ bytes: 500, isOpen: true });
    sender.takeSegment(0);
    sender.handleAck(1000, ackOf(500));
    sender.append(1000 + pause, 700, false);
    expect(control.restarts).toHaveLength(restarts);
  });

  it('is not idle while its bytes are in flight, or wait for a slow pace', () => {
    const { control, sender } = rig({ bytes: 2000, isOpen: true });
    control.windowBytes = 1;
    sender.takeSegment(0);
    sender.handleAck(100_000_000, ackOf(1000));
    sender.takeSegment(200_000_000);
    sender.append(300_000_000, 1000, false);
    expect(control.restarts).toEqual([]);
  });
});

describe('a sender that drains', () => {
  it('sends nothing new until it resumes, and is drained when all is acknowledged', () => {
    const { sender } = rig();
    drain(sender, 0);
    sender.handleAck(1_000_000, ackOf(1000));
    sender.drain();
    expect(sender.canSend(2_000_000)).toBe(false);
    expect(sender.isDrained).toBe(false);
    sender.handleAck(2_000_000, ackOf(3000));
    expect(sender.isDrained).toBe(true);
    expect(sender.canSend(2_000_000)).toBe(false);
    sender.resume(3_000_000);
    expect(sender.canSend(3_000_000)).toBe(true);
  });

  it('is drained by its timeout when acknowledgements are lost', () => {
    const { sender } = rig();
    drain(sender, 0);
    sender.drain();
    sender.handleWakeup(500_000_000);
    expect(sender.isDrained).toBe(true);
  });
});

describe('a sender that learns of its path apart from acknowledgements', () => {
  const sample = { kind: 'links', telemetry: [hopRecord()], isIncomplete: false } as const;

  it('tells its congestion control, and does not take bytes for acknowledged', () => {
    const { control, sender } = rig();
    drain(sender, 0);
    expect(sender.handleNotification(1, 1000, sample)).toBe(true);
    expect(control.acks).toHaveLength(1);
    expect(control.acks[0]).toMatchObject({ ackSequence: 1000, nextSequence: 3000 });
    expect(sender.counters.acknowledgedBytes).toBe(0);
    expect(sender.handleNotification(1, 9000, sample)).toBe(false);
  });

  it('says that a response ends a round, once per request', () => {
    const { control, sender } = rig({ collectEvery: 0 });
    const probes = new TelemetryProbes({ sender }, LINK.baseRtt);
    expect(probes.probeAt(0)).toBe(Infinity);
    expect(sender.takeSegment(0).collects).toBe(false);
    expect(probes.probeAt(0)).toBe(0);
    const { id } = probes.takeProbe(0, 74);
    expect(probes.probeAt(0)).toBe(3 * LINK.baseRtt);
    expect(probes.handleResponse(1, id, sample)).toBe('round');
    expect(probes.handleResponse(2, id, sample)).toBe('late');
    expect(probes.handleResponse(2, id + 1, sample)).toBe('unknown');
    expect(control.acks.map(({ endsRound }) => endsRound)).toEqual([true]);
    expect(probes.counters).toEqual({ probesSent: 1, probeTimeouts: 0 });
  });

  it('pays for requests with the rate of its data', () => {
    const { sender } = rig({ collectEvery: 0, expectedHops: 1, hopLength: 32 });
    const probes = new TelemetryProbes({ sender }, LINK.baseRtt);
    sender.takeSegment(0);
    const before = sender.wakeupAfter(0);
    probes.takeProbe(0, 74);
    // 74 bytes and 32 of a switch at 100 Gb/s.
    expect(sender.wakeupAfter(0) - before).toBe((74 + 32) * 80);
  });

  it('takes what a switch says behind a segment that has left, and behind no other', () => {
    const { control, sender } = rig();
    const { segments, now } = drain(sender, 0);
    const end = segments.length * 1000;
    sender.handleNotification(now, 1000, sample);
    const newer = { ...sample.telemetry[0], timestamp: 1000 };
    const beside = responseIntakeOf({ telemetry: 'hops' });
    expect(beside.toFlow(sender, now, { sequence: end, hop: newer })).toBe('acknowledges-unsent');
    expect(beside.toFlow(sender, now, { sequence: end - 1000, hop: newer })).toBe('taken');
    expect(control.acks.at(-1)).toMatchObject({ ackSequence: end - 999, telemetry: [newer] });
  });

  it('repeats a lost segment at the very end of the reordering window', () => {
    const { sender } = rig({ reorderSpan: 1_000_000 });
    drain(sender, 0);
    const now = LINK.baseRtt;
    sender.handleAck(now, { ...ackOf(0), blocks: [{ from: 1000, to: 3000 }] });
    const due = sender.wakeupAfter(now);
    sender.handleWakeup(due - 1);
    expect(sender.canSend(due) && sender.takeSegment(due).isRetransmission).toBe(false);
    sender.handleWakeup(due);
    expect(sender.canSend(due) && sender.takeSegment(due).isRetransmission).toBe(true);
  });
});
