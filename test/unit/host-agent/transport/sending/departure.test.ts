import { clockOf, elapsedSince } from '../../../../../host-agent/transport/sending/departure';

const MODULUS = 2 ** 48;

describe('the clock that packets show', () => {
  it('counts whole nanoseconds, and begins again after 48 bits of them', () => {
    expect([999, 1000, 1999].map(clockOf)).toEqual([0, 1, 1]);
    expect(clockOf((MODULUS + 5) * 1000)).toBe(5);
  });

  it('tells for how long a packet has been on its way, across a new beginning too', () => {
    expect(elapsedSince(3, 8000)).toBe(5000);
    expect(elapsedSince(MODULUS - 2, (MODULUS + 3) * 1000)).toBe(5000);
    expect(elapsedSince(8, 8000)).toBe(0);
  });

  it('tells nothing of a packet that cannot have left yet', () => {
    expect(elapsedSince(9, 8000)).toBeUndefined();
    expect(elapsedSince(0, (MODULUS / 2) * 1000)).toBe((MODULUS / 2) * 1000);
    expect(elapsedSince(0, (MODULUS / 2 + 1) * 1000)).toBeUndefined();
  });
});
