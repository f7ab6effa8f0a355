import { FlowWatch } from '../../../../emulator/coordination/flow-watch';

const CLEAR = { congestionControl: false, reroutingPoint: undefined };
const SET = { congestionControl: true, reroutingPoint: undefined };
const BASE_RTT = 100;

/** A packet comes to switch s and leaves at once. */
function pass(watch: FlowWatch, packet: number, port: number, tag = CLEAR) {
  watch.onSwitchArrival('s', packet);
  return watch.onSwitchDeparture('s', packet, { port, tag, at: packet });
}

const fair = (rate: number) => ({ baseRtt: BASE_RTT, fairRate: () => rate });

describe('what is remembered of a flow', () => {
  it('counts changes of path, and those of tagged packets apart', () => {
    const watch = new FlowWatch(1);
    pass(watch, 1, 5);
    pass(watch, 2, 5);
    pass(watch, 3, 6);
    pass(watch, 4, 6, SET);
    pass(watch, 5, 7, SET);
    expect(watch.record).toMatchObject({ reroutes: 2, taggedReroutes: 1 });
  });

  it('tells what is new: the first path and tag, and each other one', () => {
    const watch = new FlowWatch(1);
    const news = [pass(watch, 1, 5), pass(watch, 2, 5), pass(watch, 3, 6), pass(watch, 4, 6, SET)];
    expect(
      news.map((each) => each.map(({ isNewPath, isNewTag }) => [isNewPath, isNewTag])),
    ).toEqual([[[true, true]], [], [[true, false]], [[false, true]]]);
  });

  it('takes another path of sprayed packets for no news, and that of packets with CC for some', () => {
    const watch = new FlowWatch(1, true);
    const news = [
      pass(watch, 1, 5),
      pass(watch, 2, 6),
      pass(watch, 3, 7, SET),
      pass(watch, 4, 7, SET),
    ];
    expect(
      news.map((each) => each.map(({ isNewPath, isNewTag }) => [isNewPath, isNewTag])),
    ).toEqual([[[true, true]], [], [[false, true]], []]);
    expect(watch.record).toMatchObject({ reroutes: 0, taggedReroutes: 0 });
    pass(watch, 5, 8, SET);
    pass(watch, 6, 5);
    pass(watch, 7, 7, SET);
    expect(watch.record).toMatchObject({ reroutes: 1, taggedReroutes: 1 });
  });

  it('counts packets that arrive behind later ones', () => {
    const watch = new FlowWatch(1);
    for (const packet of [1, 2, 5, 3, 4, 6]) watch.onArrival(packet);
    expect(watch.record).toMatchObject({ packets: 6, reordered: 2 });
  });

  it('counts falls below three quarters of the fair rate, tagged or not, one per round trip', () => {
    const watch = new FlowWatch(1);
    watch.onRate(0, 100, fair(100));
    watch.onRate(10, 76, fair(100));
    expect(watch.record.reductionsBelowFair).toBe(0);
    watch.onRate(20, 74, fair(100));
    watch.onRate(30, 70, fair(100));
    watch.onRate(140, 72, fair(100));
    expect(watch.record.reductionsBelowFair).toBe(1);
    watch.onRate(150, 60, fair(80));
    watch.onRate(160, 59, fair(80));
    expect(watch.record.reductionsBelowFair).toBe(2);
    watch.onTag(true);
    watch.onRate(500, 50, fair(80));
    expect(watch.record).toMatchObject({ reductionsBelowFair: 3, tagged: 1 });
  });

  it('finds a rate worth a line when it differs by a tenth from that of the last line', () => {
    const watch = new FlowWatch(1);
    const lines = [100, 95, 89, 92, 99].map((rate, i) => watch.onRate(i, rate, fair(0)));
    expect(lines).toEqual([true, false, true, false, true]);
  });
});
