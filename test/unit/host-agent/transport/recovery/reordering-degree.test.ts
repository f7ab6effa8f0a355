import { ReorderingDegree } from '../../../../../host-agent/transport/recovery/reordering-degree';

const T = 1000;

describe('the reordering degree', () => {
  it('calls a segment overtaken when one that left later has arrived', () => {
    const degree = new ReorderingDegree(T);
    expect(degree.isOvertaken(0, 0)).toBe(false);
    degree.onArrival(1000, 100, 5000);
    expect(degree.isOvertaken(99, 9000)).toBe(true);
    // The one of two at once that has the higher sequence left later.
    expect(degree.isOvertaken(100, 4000)).toBe(true);
    expect(degree.isOvertaken(100, 5000)).toBe(false);
    expect(degree.isOvertaken(101, 0)).toBe(false);
  });

  it('waits one base RTT longer than the segment took that overtook it', () => {
    const degree = new ReorderingDegree(T);
    degree.onArrival(1300, 100, 5000);
    expect(degree.lostFrom(40)).toBe(40 + 1200 + T);
    // One that left earlier says nothing new.
    degree.onArrival(1400, 50, 0);
    expect(degree.lostFrom(40)).toBe(40 + 1200 + T);
  });

  it.each([
    [[0], 2],
    [[0, 999], 2],
    [[0, 1000], 4],
    [[0, 1000, 2000, 3000], 4],
  ])('doubles for late segments at %j, up to %d base RTTs', (instants, rtts) => {
    const degree = new ReorderingDegree(T);
    for (const now of instants) degree.onLateArrival(now);
    expect(degree.window).toBe(rtts * T);
  });

  it('takes a repeated segment that comes sooner than any other for its original', () => {
    const degree = new ReorderingDegree(T);
    degree.onArrival(1200, 200, 0);
    degree.onRepeatedArrival(3000, 2000, 1000);
    expect(degree.window).toBe(T);
    degree.onRepeatedArrival(3999, 3000, 2000);
    expect(degree.window).toBe(2 * T);
  });

  it('compares a repeated segment with the shortest round trip, not with the last one', () => {
    const degree = new ReorderingDegree(T);
    degree.onArrival(1000, 0, 0);
    degree.onArrival(2100, 100, 1000);
    degree.onRepeatedArrival(3500, 2000, 2000);
    expect(degree.window).toBe(T);
  });

  it('takes a repeated segment for nothing else while no other has arrived', () => {
    const degree = new ReorderingDegree(T);
    degree.onRepeatedArrival(3000, 2000, 1000);
    expect(degree.window).toBe(T);
    expect(degree.isOvertaken(1999, 0)).toBe(true);
  });

  it('keeps what it has learnt when T is known better', () => {
    const degree = new ReorderingDegree(T);
    degree.onLateArrival(0);
    degree.onBaseRtt(T / 4);
    expect(degree.window).toBe(T / 2);
    degree.onLateArrival(T);
    degree.onLateArrival(2 * T);
    expect(degree.window).toBe(T);
  });
});
