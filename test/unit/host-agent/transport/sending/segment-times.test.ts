import { SegmentTimes } from '../../../../../host-agent/transport/sending/segment-times';

const T = 150;

describe('the round trips that a sender measures by its own clock', () => {
  it('are of the last segment that an acknowledgement is for', () => {
    const times = new SegmentTimes();
    for (const i of [1, 2, 3]) times.onSend(100 * i, 1000 * i, false);
    expect(times.onAck(500, 2000, T)).toBe(300);
    expect(times.onAck(600, 2000, T)).toBeUndefined();
    expect(times.onAck(650, 2999, T)).toBeUndefined();
    expect(times.onAck(700, 3000, T)).toBe(400);
  });

  it('are none of segments that were in flight when something was sent again', () => {
    const times = new SegmentTimes();
    times.onSend(100, 1000, false);
    times.onSend(200, 2000, false);
    times.onSend(900, 1000, true);
    expect(times.onAck(1000, 1000, T)).toBeUndefined();
    expect(times.onAck(1000, 2000, T)).toBeUndefined();
    times.onSend(1100, 3000, false);
    expect(times.onAck(1500, 3000, T)).toBe(400);
  });

  it('are of the repeat of a segment unless no path is so short', () => {
    const times = new SegmentTimes();
    times.onSend(100, 1000, false);
    times.onSend(200, 2000, false);
    for (const [at, end] of [
      [900, 1000],
      [910, 2000],
    ] as const)
      times.onSend(at, end, true);
    expect(times.onAck(900 + T - 1, 1000, T)).toBeUndefined();
    expect(times.onAck(910 + T, 2000, T)).toBe(T);
  });
});
