import { extendPsn, wirePsn } from '../../../../../host-agent/roce/packets/extended-psn';
import { packetCount } from '../../../../../host-agent/roce/packets/path-mtu';

describe('PSNs without wrap-around', () => {
  test.each([
    [5, 5, 5],
    [6, 5, 6],
    [4, 5, 4],
    // Ahead over the end, and behind it.
    [0x000001, 0xff_ffff, 0x100_0001],
    [0xff_ffff, 0x100_0001, 0xff_ffff],
    [0xff_fffe, 0, -2],
    // 2^23 - 1 ahead is ahead; 2^23 is behind.
    [0x7f_ffff, 0, 0x7f_ffff],
    [0x80_0000, 0, -0x80_0000],
    [3, 5 * 0x100_0000, 5 * 0x100_0000 + 3],
  ])('PSN %d near %d is %d', (psn, near, extended) => {
    expect(extendPsn(psn, near)).toBe(extended);
    expect(wirePsn(extended)).toBe(psn);
  });

  test.each([
    [0, 1],
    [1, 1],
    [256, 1],
    [257, 2],
    [2 ** 31, 2 ** 23],
  ])('a message of %d bytes takes %d of them at an MTU of 256', (length, packets) => {
    expect(packetCount(length, 256)).toBe(packets);
  });
});
