import type { Packet } from '../../../../common/packet/packet';
import type { Instant } from '../../../../common/units/units';
import type { Agent } from '../../../../host-agent/host/agent';
import { NicLane } from '../../../../host-agent/nics/nic-lane';

const FRAME_BYTES = 976;
const LINK_RATE = 1e9;
const FRAME_TIME = 8 * FRAME_BYTES * 1000;

const frame = (id: number): Packet => ({ bytes: new Uint8Array(60), length: FRAME_BYTES, id });

/** An agent that always has a frame more, and wants no wake-up. */
function busyAgent(): Agent & { readonly asked: Instant[] } {
  const asked: Instant[] = [];
  const own = {
    asked,
    pollTransmit: (now: Instant) => {
      asked.push(now);
      return frame(asked.length);
    },
    pollWakeup: () => undefined,
    handleWakeup: () => undefined,
  };
  return own as unknown as Agent & { readonly asked: Instant[] };
}

const laneOf = (inner: Agent, reroute: (packet: Packet) => boolean): NicLane =>
  new NicLane({ inner, linkRate: LINK_RATE, agentOf: () => inner, reroute });

describe('an interface of several', () => {
  test('sends the frames of its agent, and before them those that it has taken', () => {
    const lane = laneOf(busyAgent(), () => false);
    expect(lane.pollTransmit(0)?.id).toBe(1);
    lane.take(frame(77));
    expect(lane.pollWakeup()).toBe(0);
    expect(lane.pollTransmit(0)?.id).toBe(77);
    expect(lane.pollTransmit(0)?.id).toBe(2);
  });

  test('takes so many frames of other interfaces that none waits for ever', () => {
    const lane = laneOf(busyAgent(), () => false);
    let taken = 0;
    while (lane.take(frame(taken)) && taken < 10_000) taken++;
    expect(taken).toBe(1024);
    lane.pollTransmit(0);
    expect(lane.take(frame(taken))).toBe(true);
  });

  test('has its agent go on at the rate of its link when its frames leave elsewhere', () => {
    const agent = busyAgent();
    const moved: (number | undefined)[] = [];
    const lane = laneOf(agent, ({ id }) => moved.push(id) > 0);
    expect(lane.pollTransmit(0)).toBeUndefined();
    expect(lane.pollWakeup()).toBe(FRAME_TIME);
    expect(lane.pollTransmit(FRAME_TIME - 1)).toBeUndefined();
    lane.handleWakeup(FRAME_TIME);
    expect(lane.pollTransmit(FRAME_TIME)).toBeUndefined();
    expect(agent.asked).toEqual([0, FRAME_TIME]);
    expect(moved).toEqual([1, 2]);
  });
});
