import { gigabitsPerSecond } from '../../../../../common/units/units';
import { Pacer } from '../../../../../host-agent/transport/sending/pacer';

describe('pacing', () => {
  it('lets the first packet start at any time, whatever the rate', () => {
    const pacer = new Pacer(gigabitsPerSecond(100));
    pacer.setRate(1);
    expect(pacer.nextStart).toBe(0);
  });

  // 1074 bytes at 100 Gb/s: 1074 * 80 ps = 85,920 ps.
  it('spaces packets by the time that the last one takes at the rate', () => {
    const pacer = new Pacer(gigabitsPerSecond(100));
    pacer.onSend(1_000_000, 1074);
    expect(pacer.nextStart).toBe(1_085_920);
  });

  it.each([
    [50, 1_171_840],
    [100, 1_085_920],
    [10, 1_859_200],
  ])('re-times the waiting packet from the same start at %d Gb/s', (rate, nextStart) => {
    const pacer = new Pacer(gigabitsPerSecond(40));
    pacer.onSend(1_000_000, 1074);
    pacer.setRate(gigabitsPerSecond(25));
    pacer.setRate(gigabitsPerSecond(rate));
    expect(pacer.nextStart).toBe(nextStart);
  });

  it('measures from the latest start', () => {
    const pacer = new Pacer(gigabitsPerSecond(100));
    pacer.onSend(0, 1074);
    pacer.onSend(500_000, 100);
    pacer.setRate(gigabitsPerSecond(50));
    expect(pacer.nextStart).toBe(516_000);
  });

  it('gives credit of one packet at most for the time that the interface was busy', () => {
    const pacer = new Pacer(50e9);
    pacer.onSend(0, 1000);
    const spacing = pacer.nextStart;
    // Half a packet late: the one after it is due when it would have been.
    pacer.onSend(1.5 * spacing, 1000, spacing);
    expect(pacer.nextStart).toBe(2 * spacing);
    // Ten packets late: nine are lost.
    pacer.onSend(12 * spacing, 1000, 2 * spacing);
    expect(pacer.nextStart).toBe(12 * spacing);
  });

  it('gives none to the first packet, before which there was no rate', () => {
    const pacer = new Pacer(50e9);
    pacer.onSend(100_000, 1000, 0);
    expect(pacer.nextStart).toBe(100_000 + 160_000);
  });

  it('lets other bytes of the flow use its rate', () => {
    const pacer = new Pacer(100e9);
    pacer.onSend(0, 1000);
    pacer.charge(100);
    expect(pacer.nextStart).toBe(88_000);
  });
});
