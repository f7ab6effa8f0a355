import { gigabitsPerSecond, serialisationTime } from '../../../../common/units/units';

describe('serialisation time', () => {
  test.each([
    [1, 100, 80],
    [1090, 100, 87_200],
    [1106, 100, 88_480],
    [1, 400, 20],
    [1500, 10, 1_200_000],
    [9000, 25, 2_880_000],
    // 8e12 / 30e9 = 266.67 ps per byte: rounded up once per packet, never per byte.
    [3, 30, 800],
    [1, 30, 267],
  ])('of %d bytes at %d Gb/s is %d ps', (bytes, gbps, ps) => {
    expect(serialisationTime(bytes, gigabitsPerSecond(gbps))).toBe(ps);
  });
});
