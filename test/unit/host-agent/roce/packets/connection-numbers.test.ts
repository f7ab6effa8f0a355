import {
  extendPsn,
  flowOfQpn,
  initialPsn,
  initiatorQpn,
  isConnectionQpn,
  isInitiatorQpn,
  isNewerUse,
  peerQpn,
  remoteKey,
  targetQpn,
  wirePsn,
} from '../../../../../host-agent/roce/packets/connection-numbers';

describe('a connection', () => {
  test.each([
    [5, 0, 0x01_0005],
    [5, 1, 0x02_0005],
    [0xffff, 126, 0x7f_ffff],
    [0xffff, 127, 0x01_ffff],
  ])('of flow %d in its use %d has the number %d at its target', (flow, use, qpn) => {
    expect(targetQpn(flow, use)).toBe(qpn);
    expect(flowOfQpn(qpn)).toBe(flow);
    expect(isConnectionQpn(qpn)).toBe(true);
  });

  test('has another number at its initiator, from which both are found', () => {
    expect(initiatorQpn(0x01_0005)).toBe(0x81_0005);
    expect(peerQpn(0x81_0005)).toBe(0x01_0005);
    expect(peerQpn(0x01_0005)).toBe(0x81_0005);
    expect([0x81_0005, 0x01_0005].map(isInitiatorQpn)).toEqual([true, false]);
  });

  test('does not take the numbers of management', () => {
    expect([0, 1, 0xffff].map(isConnectionQpn)).toEqual([false, false, false]);
  });

  test('is newer than those of earlier uses, over the end of the count too', () => {
    expect(isNewerUse(targetQpn(5, 1), targetQpn(5, 0))).toBe(true);
    expect(isNewerUse(targetQpn(5, 0), targetQpn(5, 1))).toBe(false);
    expect(isNewerUse(targetQpn(5, 127), targetQpn(5, 126))).toBe(true);
    expect(isNewerUse(targetQpn(5, 3), targetQpn(5, 3))).toBe(false);
  });

  test('has a first PSN of 24 bits and a key of 32 that differ from use to use', () => {
    const psns = [0, 1, 2].map((use) => initialPsn(targetQpn(5, use)));
    const keys = [0, 1, 2].map((use) => remoteKey(targetQpn(5, use)));
    expect(psns.every((psn) => psn >= 0 && psn < 2 ** 24)).toBe(true);
    expect(keys.every((key) => key >= 0 && key < 2 ** 32)).toBe(true);
    expect(new Set(psns).size + new Set(keys).size).toBe(6);
  });
});

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
});
