import type { Packet } from '../../../../../common/packet/packet';
import { microseconds } from '../../../../../common/units/units';
import { readUint16 } from '../../../../../common/wire/bytes';
import { HPCC_PROBE, readFlowId } from '../../../../../common/wire/hpcc/hpcc-transport';
import type { HostAgent } from '../../../../../host-agent/transport/host';
import { hopNetwork } from '../../../../support/feedback-run';
import { must } from '../../../../support/frames';
import { flowTo, testHost } from '../../../../support/hosts';
import { networkKeys, notificationFrame } from '../../../../support/notifications';
import { PairDriver } from '../../../../support/pair-driver';
import { seenFrame } from '../../../../support/transport-frames';

const FLOW = 7;
/**
 * Source ports of the flow's first path, of the next one, and so on: 4099 apart, within the dynamic ports.
 */
const portOf = (path: number): number => 49_152 + ((49_152 + FLOW + 4099 * path) % 16_384);
const HOLD = 20_000_000;
const DS_FLAGS_AT = 56;
const OFFERS_REROUTING = 0x5ffe;

const host = (): HostAgent => testHost(1, { coordination: { keys: networkKeys() } });
const control = (name: 'required' | 'released', number: number): Packet =>
  notificationFrame({ type: `control-${name}`, number, sourcePort: portOf(0) });
const reroute = (number: number, sourcePort = portOf(0)): Packet =>
  notificationFrame({ type: 'rerouting-required', number, sourcePort });

/** A host whose flow has all of its window in flight over a link with a long queue, and the driver. */
function congested() {
  const sender = host();
  const options = { delay: microseconds(2), network: hopNetwork(300_000) };
  const driver = new PairDriver([sender, testHost(2)], options);
  sender.startFlow(0, flowTo(2, FLOW, 10_000_000));
  const window = (): number => sender.flowMetrics(FLOW)?.congestion.windowBytes ?? NaN;
  const runFor = (time: number): void => void driver.run(driver.now + time);
  const tell = (packet: Packet): void => sender.handlePacket(driver.now, packet);
  return { window, runFor, tell };
}

describe('the congestion control of a flow under coordination', () => {
  it('acts only while a switch requires it, and leaves the window as it is then', () => {
    const { window, runFor, tell } = congested();
    const initial = window();
    runFor(microseconds(50));
    expect(window()).toBe(initial);
    tell(control('required', 1));
    runFor(microseconds(30));
    const reduced = window();
    expect(reduced).toBeLessThan(initial / 2);
    tell(control('released', 2));
    expect(window()).toBe(reduced);
    runFor(microseconds(30));
    expect(window()).toBe(reduced);
  });
});

describe('a flow that switches ask to leave its path', () => {
  /** Port of the next frame of the flow from `at` on. */
  const nextPort = (agent: HostAgent, at: number): number | undefined => {
    agent.handleWakeup(at);
    for (let now = at; now < at + 1_000_000; now += 10_000) {
      for (let sent = agent.pollTransmit(now); sent !== undefined; sent = agent.pollTransmit(now)) {
        if (readFlowId(sent.bytes, 58) === FLOW) return seenFrame(sent).sourcePort;
      }
    }
    return undefined;
  };
  /** The flow, and others to the same host whose ports are those of its paths. */
  const hostWithout = (free: (path: number) => boolean): HostAgent => {
    const agent = host();
    agent.startFlow(0, flowTo(2, FLOW, 100_000));
    for (let path = 1; path <= 64; path++) {
      const spec = { ...flowTo(2, 1000 + path, 1000), sourcePort: portOf(path) };
      if (!free(path)) agent.startFlow(0, spec);
    }
    agent.handlePacket(0, reroute(1));
    return agent;
  };

  it.each([1, 2, 64])('takes the first port that no other flow has: path %d', (path) => {
    expect(
      nextPort(
        hostWithout((one) => one >= path),
        0,
      ),
    ).toBe(portOf(path));
  });

  it('stays where it is when other flows have all ports that it tries', () => {
    const agent = hostWithout(() => false);
    expect(nextPort(agent, 0)).toBe(portOf(0));
    expect(agent.flowMetrics(FLOW)?.moves).toBe(0);
  });

  it('is known by its new port, and goes on from there when it is asked again', () => {
    const agent = host();
    agent.startFlow(0, flowTo(2, FLOW, 100_000));
    agent.handlePacket(0, reroute(1));
    agent.handlePacket(HOLD, reroute(2, portOf(1)));
    expect(agent.coordination()).toMatchObject({ unknownFlow: 0, reroutes: 2 });
    expect(nextPort(agent, HOLD)).toBe(portOf(2));
  });

  it('offers no other path in its packets once none has helped', () => {
    const agent = host();
    agent.startFlow(0, flowTo(2, FLOW, 100_000));
    for (const number of [0, 1]) agent.handlePacket(number * HOLD, reroute(number + 1));
    const at = 2 * HOLD;
    expect(readUint16(must(agent.pollTransmit(at)).bytes, DS_FLAGS_AT)).toBe(OFFERS_REROUTING);
    agent.handlePacket(at, reroute(3));
    expect(agent.coordination()).toMatchObject({ reroutes: 2, exhausted: 1 });
    const next = must(agent.pollTransmit(at + 1_000_000));
    expect(readUint16(next.bytes, DS_FLAGS_AT)).toBe(0);
  });
});

describe('a flow under coordination that waits until its path has room', () => {
  it('asks with the tag of its data, so that both are routed alike', () => {
    const agent = host();
    agent.startFlow(0, { ...flowTo(2, FLOW, 100_000), admission: {} });
    const probe = must(agent.pollTransmit(0));
    expect(seenFrame(probe).type).toBe(HPCC_PROBE);
    expect(readUint16(probe.bytes, DS_FLAGS_AT)).toBe(OFFERS_REROUTING);
  });
});

describe('a flow under coordination that has ended', () => {
  it('is unknown, and its port is free for others', () => {
    const [agent, receiver] = [host(), testHost(2)];
    agent.startFlow(0, { ...flowTo(2, 1, 1000), sourcePort: portOf(1) });
    receiver.handlePacket(0, must(agent.pollTransmit(0)));
    agent.handlePacket(0, must(receiver.pollTransmit(0)));
    agent.handlePacket(
      0,
      notificationFrame({
        type: 'control-required',
        number: 1,
        sourcePort: portOf(1),
      }),
    );
    expect(agent.coordination()?.unknownFlow).toBe(1);
    agent.startFlow(0, flowTo(2, FLOW, 100_000));
    agent.handlePacket(0, reroute(2));
    expect(seenFrame(must(agent.pollTransmit(0))).sourcePort).toBe(portOf(1));
  });
});
