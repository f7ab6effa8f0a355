import { RetransmissionTimer } from '../../../../../host-agent/transport/recovery/retransmission-timer';

describe('the retransmission timer', () => {
  it('runs from the first outstanding packet, not from the last', () => {
    const timer = new RetransmissionTimer(100);
    timer.onSend(10);
    timer.onSend(50);
    expect(timer.deadline).toBe(110);
  });

  it('restarts on progress and stops when nothing is outstanding', () => {
    const timer = new RetransmissionTimer(100);
    timer.onSend(10);
    timer.onProgress(60, true);
    expect(timer.deadline).toBe(160);
    timer.onProgress(70, false);
    expect(timer.deadline).toBe(Infinity);
  });

  it('fires once, at its deadline and not before', () => {
    const timer = new RetransmissionTimer(100);
    timer.onSend(10);
    expect([109, 110, 111].map((now) => timer.hasFired(now))).toEqual([false, true, false]);
  });

  it('doubles up to 64 times the timeout, until there is progress', () => {
    const timer = new RetransmissionTimer(100);
    const waits: number[] = [];
    for (let now = 0; waits.length < 9;) {
      timer.onSend(now);
      const { deadline } = timer;
      waits.push(deadline - now);
      expect(timer.hasFired(deadline)).toBe(true);
      now = deadline;
    }
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 6400, 6400]);
    timer.onProgress(0, true);
    expect(timer.deadline).toBe(100);
    timer.stop();
    timer.onSend(10);
    expect(timer.deadline).toBe(110);
  });

  it('waits for longer by as long as the host did not run', () => {
    const timer = new RetransmissionTimer(100);
    timer.handleStandstill(7);
    expect(timer.deadline).toBe(Infinity);
    timer.onSend(10);
    timer.handleStandstill(1000);
    expect(timer.hasFired(1109)).toBe(false);
    expect(timer.hasFired(1110)).toBe(true);
  });

  it('keeps its back-off when it is stopped by going back', () => {
    const timer = new RetransmissionTimer(100);
    timer.onSend(0);
    timer.hasFired(100);
    timer.onSend(100);
    timer.stop();
    expect(timer.deadline).toBe(Infinity);
    timer.onSend(150);
    expect(timer.deadline).toBe(350);
  });

  it.each([
    [10, 100],
    [34, 102],
    [1000, 3000],
  ])('waits for at least three round trips of %d that were measured', (roundTrip, timeout) => {
    const timer = new RetransmissionTimer(100);
    timer.allowFor(roundTrip);
    timer.onSend(0);
    expect(timer.deadline).toBe(timeout);
  });
});
