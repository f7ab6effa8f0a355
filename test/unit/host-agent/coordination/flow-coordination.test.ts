import type { CcmNotification } from '../../../../common/wire/coordination/ccm-notification';
import { FlowCoordination } from '../../../../host-agent/coordination/flow-coordination';

const PLAN = { holdTime: 1000, markTime: 200, rerouteHold: 400, reroutes: true };

const flow = (given: Partial<typeof PLAN> = {}): FlowCoordination =>
  new FlowCoordination({ ...PLAN, ...given });

const from = (
  senderNode: number,
  type: CcmNotification['type'],
  low: number,
): Pick<CcmNotification, 'type' | 'senderNode' | 'sequence'> => ({
  type,
  senderNode,
  sequence: { high: 1, low },
});

describe('what the network wants of a flow', () => {
  it('is control from type 1 to type 2', () => {
    const state = flow();
    expect(state.isControlled).toBe(false);
    expect(state.handle(0, from(7, 'control-required', 1))).toBe('tagged');
    expect(state.isControlled).toBe(true);
    expect(state.handle(100, from(7, 'control-required', 2))).toBe('renewed');
    expect(state.handle(200, from(7, 'control-released', 3))).toBe('released');
    expect(state.isControlled).toBe(false);
    expect(state.deadline).toBe(Infinity);
  });

  it('ends by itself when a type 2 is lost', () => {
    const state = flow();
    state.handle(0, from(7, 'control-required', 1));
    state.handle(300, from(7, 'control-required', 2));
    expect(state.deadline).toBe(1300);
    expect(state.expire(1299)).toBe(false);
    expect(state.expire(1300)).toBe(true);
    expect(state.isControlled).toBe(false);
    expect(state.expire(9999)).toBe(false);
  });

  it('does not come back with a type 1 that was sent before the type 2', () => {
    const state = flow();
    state.handle(0, from(7, 'control-required', 1));
    state.handle(10, from(7, 'control-released', 3));
    expect(state.handle(20, from(7, 'control-required', 2))).toBe('ignored');
    expect(state.isControlled).toBe(false);
    expect(state.handle(30, from(7, 'control-required', 4))).toBe('tagged');
  });

  it('stays while another switch still asks', () => {
    const state = flow();
    state.handle(0, from(7, 'control-required', 1));
    state.handle(10, from(8, 'control-required', 1));
    expect(state.handle(20, from(7, 'control-released', 2))).toBe('renewed');
    expect(state.isControlled).toBe(true);
    expect(state.deadline).toBe(1010);
    expect(state.handle(30, from(8, 'control-released', 2))).toBe('released');
  });

  it('is nothing that a type 2 for a free flow could end', () => {
    const state = flow();
    expect(state.handle(0, from(7, 'control-released', 1))).toBe('ignored');
    expect(state.isControlled).toBe(false);
  });

  it('is another path by type 3, but not again at once, and not for a flow under control', () => {
    const state = flow();
    expect(state.handle(0, from(7, 'rerouting-required', 1))).toBe('reroute');
    expect(state.handle(399, from(7, 'rerouting-required', 2))).toBe('ignored');
    expect(state.handle(400, from(7, 'rerouting-required', 3))).toBe('reroute');
    state.handle(500, from(7, 'control-required', 4));
    expect(state.handle(5000, from(7, 'rerouting-required', 5))).toBe('ignored');
  });

  it('is no other path when two have not helped, and AR is given up until that may have changed', () => {
    const state = flow();
    const asked = (now: number) => state.handle(now, from(7, 'rerouting-required', 1));
    expect([asked(0), asked(400), state.offersRerouting]).toEqual(['reroute', 'reroute', true]);
    expect([asked(800), state.offersRerouting]).toEqual(['exhausted', false]);
    expect([state.deadline, asked(900), state.offerAgain(1799)]).toEqual([1800, 'ignored', false]);
    expect([state.offerAgain(1800), state.offersRerouting]).toEqual([true, true]);
    expect(state.deadline).toBe(Infinity);
    expect([asked(1800), asked(2200), asked(2600)]).toEqual(['reroute', 'reroute', 'exhausted']);
    // Twice as long as before.
    expect(state.deadline).toBe(4600);
  });

  it('is another path again and again where requests are far apart', () => {
    const state = flow();
    for (let i = 0; i < 10; i++) {
      expect(state.handle(1001 * i, from(7, 'rerouting-required', i))).toBe('reroute');
    }
  });

  it('is never another path where the host cannot offer one', () => {
    const state = flow({ reroutes: false });
    expect(state.handle(0, from(7, 'rerouting-required', 1))).toBe('ignored');
  });

  it('is control for a while after a mark, and no less because a type 2 comes meanwhile', () => {
    const state = flow();
    expect(state.onMark(0)).toBe('tagged');
    expect(state.deadline).toBe(200);
    expect(state.onMark(100)).toBe('renewed');
    expect(state.handle(150, from(7, 'control-released', 1))).toBe('renewed');
    expect(state.expire(300)).toBe(true);
    expect(state.isControlled).toBe(false);
  });

  it('is released by a type 2 that comes after the last mark has lost its force', () => {
    const state = flow();
    state.handle(0, from(7, 'control-required', 1));
    state.onMark(100);
    expect(state.handle(350, from(7, 'control-released', 2))).toBe('released');
    expect(state.isControlled).toBe(false);
  });

  it('holds for the longer of mark and type 1', () => {
    const state = flow();
    state.handle(0, from(7, 'control-required', 1));
    state.onMark(10);
    expect(state.deadline).toBe(1000);
    state.onMark(900);
    expect(state.deadline).toBe(1100);
  });

  it('is forgotten switch by switch when too many have asked, the oldest word first', () => {
    const state = flow();
    for (let node = 1; node <= 40; node++) state.handle(node, from(node, 'control-required', 1));
    expect(state.deadline).toBe(1040);
    // Node 1 is forgotten, so that an old number counts as news; it is refused by the replay window.
    expect(state.handle(50, from(1, 'control-released', 1))).toBe('renewed');
    expect(state.handle(50, from(40, 'control-required', 1))).toBe('ignored');
  });
});
