import { LinkRows } from '../../../../emulator/network/link-rows';

describe('the ledgers of channels', () => {
  test('begin empty, with no transmission', () => {
    expect(new LinkRows(1).add().figures()).toEqual({
      sentPackets: 0,
      sentBytes: 0,
      lostPackets: 0,
      lostBytes: 0,
      deliveredPackets: 0,
      deliveredBytes: 0,
      largestPacket: 0,
      firstStart: -1,
      lastEnd: -1,
    });
  });

  test('count each channel by itself, beyond 31 bits', () => {
    const rows = new LinkRows(2);
    const [first, second] = [rows.add(), rows.add()];
    first.noteSent(2 ** 40, 5, Float64Array.of(9));
    first.noteSent(100, 2 ** 50, Float64Array.of(2 ** 51));
    first.noteDelivered(100);
    first.noteLost(2 ** 40);
    second.noteSent(7, 0, Float64Array.of(3));
    expect(first.figures()).toEqual({
      sentPackets: 2,
      sentBytes: 2 ** 40 + 100,
      lostPackets: 1,
      lostBytes: 2 ** 40,
      deliveredPackets: 1,
      deliveredBytes: 100,
      largestPacket: 2 ** 40,
      firstStart: 5,
      lastEnd: 2 ** 51,
    });
    expect(second).toMatchObject({ sentPackets: 1, sentBytes: 7, lostBytes: 0, firstStart: 0 });
  });
});
