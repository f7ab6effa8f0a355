import { FlowCount, newFlowMark } from '../../../../host-agent/feedback/flow-count';
import { proves } from '../../../support/evidence';

const T = 1000;
const PERIOD = 8 * T;

describe('counting the flows of a link', () => {
  it('counts each flow once, from its first packet on', () => {
    const count = new FlowCount(T);
    const marks = Array.from({ length: 3 }, newFlowMark);
    expect(count.count(0)).toBe(1);
    marks.forEach((mark, i) => {
      count.onPacket(i, mark);
      count.onPacket(i, mark);
      expect(count.count(i)).toBe(i + 1);
    });
  });

  proves({ cases: ['flow-count-hysteresis'] })(
    'forgets a flow between one and two periods after its last packet',
    () => {
      const count = new FlowCount(T);
      const [lasting, ending] = [newFlowMark(), newFlowMark()];
      count.onPacket(0, lasting);
      count.onPacket(0, ending);
      for (const now of [PERIOD, 2 * PERIOD - 1]) {
        count.onPacket(now, lasting);
        expect(count.count(now)).toBe(2);
      }
      count.onPacket(2 * PERIOD, lasting);
      expect(count.count(2 * PERIOD)).toBe(1);
    },
  );

  it('starts anew after a pause of all flows', () => {
    const count = new FlowCount(T);
    for (let i = 0; i < 5; i++) count.onPacket(0, newFlowMark());
    expect(count.count(10 * PERIOD)).toBe(1);
  });

  proves({ cases: ['flow-count-bounds'] })('is between 1 and 65,535', () => {
    const count = new FlowCount(T);
    for (let i = 0; i < 70_000; i++) count.onPacket(0, newFlowMark());
    expect(count.count(0)).toBe(65_535);
  });
});
