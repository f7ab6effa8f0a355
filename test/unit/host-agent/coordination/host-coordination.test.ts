import { readUint16 } from '../../../../common/wire/bytes';
import { WireFault } from '../../../../common/wire/fault';
import { HPCC_FLAG_MARKED } from '../../../../common/wire/hpcc/hpcc-transport';
import { emitIpv4, ipv4Bytes, parseIpv4 } from '../../../../common/wire/ip/ipv4';
import { mendUdpChecksum } from '../../../../common/wire/ip/plain-frame';
import type { Packet } from '../../../../common/packet/packet';
import { IP_LAYERS } from '../../../../host-agent/carrier/network-layer';
import type { IpVersion } from '../../../../host-agent/carrier/network-layer';
import type { CoordinationEvent } from '../../../../host-agent/coordination/coordination-options';
import type { HostAgent } from '../../../../host-agent/transport/host';
import { eventsOf, must } from '../../../support/frames';
import { addressOf, flowTo, testHost } from '../../../support/hosts';
import {
  frameAround,
  networkKeys,
  NOTIFICATION_AT,
  notificationFrame,
} from '../../../support/notifications';
import { seenFrame } from '../../../support/transport-frames';

const PORT = 49152 + 7;
const DS_FLAGS_AT = 56;
const BASE_RTT = 5_000_000;

const dsFlags = ({ bytes }: Packet): number => readUint16(bytes, DS_FLAGS_AT);

function host(given: { readonly reroutes?: boolean } = {}, ipVersion: IpVersion = 'ipv4') {
  const told: CoordinationEvent[] = [];
  const observe = (event: CoordinationEvent): number => told.push(event);
  const coordination = { keys: networkKeys(), observe, ...given };
  const agent = testHost(1, { coordination, carrier: { name: 'int', ipVersion } });
  agent.startFlow(0, flowTo(2, 7, 100_000));
  return { agent, told };
}

/** The next frame that leaves at `at` or soon after. */
function frameAt(agent: HostAgent, at: number): Packet {
  agent.handleWakeup(at);
  for (let now = at; now < at + 1_000_000; now += 10_000) {
    const packet = agent.pollTransmit(now);
    if (packet !== undefined) return packet;
  }
  throw new Error(`no frame left within 1 us of ${at}`);
}

const type = (name: 'required' | 'released', number: number, sourcePort = PORT): Packet =>
  notificationFrame({ type: `control-${name}`, number, sourcePort });
const type3 = (number: number, sourcePort = PORT): Packet =>
  notificationFrame({ type: 'rerouting-required', number, sourcePort });

describe('a host under coordination', () => {
  it('tags its data: CC clear, itself as the point where the flow can be moved', () => {
    const { agent } = host();
    expect(dsFlags(must(agent.pollTransmit(0)))).toBe(0x4000 | 0x1ffe);
    const fixed = host({ reroutes: false }).agent;
    expect(dsFlags(must(fixed.pollTransmit(0)))).toBe(0);
  });

  it('lets switches mark its data, and others only where the flow is under coordination', () => {
    const ecn = ({ bytes }: Packet): number => (bytes[15] as number) & 3;
    expect(ecn(must(host().agent.pollTransmit(0)))).toBe(2);
    const plain = testHost(1);
    plain.startFlow(0, flowTo(2, 7, 100_000));
    expect(ecn(must(plain.pollTransmit(0)))).toBe(0);
  });

  it('sets CC with type 1 and clears it with type 2', () => {
    const { agent, told } = host();
    agent.handlePacket(1000, type('required', 1));
    expect(dsFlags(frameAt(agent, 1000))).toBe(0x8000 | 0x4000 | 0x1ffe);
    agent.handlePacket(2_000_000, type('released', 2));
    expect(dsFlags(frameAt(agent, 2_000_000))).toBe(0x4000 | 0x1ffe);
    expect(told).toEqual([
      { kind: 'tagged', at: 1000, flow: 7 },
      { kind: 'released', at: 2_000_000, flow: 7 },
    ]);
    expect(agent.coordination()).toMatchObject({ controlRequired: 1, controlReleased: 1 });
  });

  it('heeds over IPv6 what is about its flows over IPv6, and nothing else', () => {
    const { agent, told } = host({}, 'ipv6');
    const about = { type: 'control-required', sourcePort: PORT } as const;
    const version = 'ipv6';
    agent.handlePacket(1000, notificationFrame({ ...about, number: 1 }));
    agent.handlePacket(1000, notificationFrame({ ...about, number: 2, version, to: 2 }));
    const addressBytes = IP_LAYERS.ipv4.addressBytes;
    const [source, destination] = [addressBytes(addressOf(1)), addressBytes(addressOf(2))];
    const foreign = { ...about, number: 3, version, source, destination } as const;
    agent.handlePacket(1000, notificationFrame(foreign));
    expect(told).toEqual([]);
    expect(agent.coordination()).toMatchObject({ controlRequired: 0, unknownFlow: 1 });
    agent.handlePacket(2000, notificationFrame({ ...about, number: 4, version }));
    expect(told).toEqual([{ kind: 'tagged', at: 2000, flow: 7 }]);
    expect(readUint16(frameAt(agent, 2000).bytes, DS_FLAGS_AT + 20)).toBe(0x8000 | 0x4000 | 0x1ffe);
    agent.handlePacket(3000, notificationFrame({ ...about, number: 4, version }));
    const { bytes, length } = notificationFrame({ ...about, number: 5, version });
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] as number) ^ 1;
    mendUdpChecksum(bytes);
    agent.handlePacket(3000, { bytes, length });
    expect(agent.coordination()).toMatchObject({ replayed: 1, unauthenticated: 1 });
  });

  it('wakes up to clear CC when nobody asks any more', () => {
    const { agent, told } = host();
    agent.handlePacket(0, type('required', 1));
    while (agent.pollTransmit(0) !== undefined);
    let wakeup = agent.pollWakeup() ?? Infinity;
    while (wakeup < 10 * BASE_RTT) {
      agent.handleWakeup(wakeup);
      while (agent.pollTransmit(wakeup) !== undefined);
      wakeup = agent.pollWakeup() ?? Infinity;
    }
    expect(wakeup).toBe(10 * BASE_RTT);
    agent.handleWakeup(wakeup);
    expect(told.at(-1)).toEqual({ kind: 'expired', at: 10 * BASE_RTT, flow: 7 });
    expect(agent.coordination()?.expired).toBe(1);
  });

  it('leaves from another source port after type 3, and is still known by the old one', () => {
    const { agent, told } = host();
    agent.handlePacket(0, type3(1));
    expect(told).toEqual([{ kind: 'rerouted', at: 0, flow: 7 }]);
    const port = seenFrame(frameAt(agent, 0)).sourcePort;
    expect(port).not.toBe(PORT);
    agent.handlePacket(1_500_000, type('required', 2));
    expect(dsFlags(frameAt(agent, 1_500_000))).toBe(0x8000 | 0x4000 | 0x1ffe);
    expect(agent.flowMetrics(7)?.moves).toBe(1);
  });

  it('finishes what is in flight before it changes the path, so that nothing is overtaken', () => {
    const { agent } = host();
    must(agent.pollTransmit(0));
    agent.handlePacket(1000, type3(1));
    for (let now = 1000; now < 1_000_000; now += 50_000) {
      expect(agent.pollTransmit(now)).toBeUndefined();
    }
  });

  it('ignores type 3 for a flow under control, and one addressed to a switch', () => {
    const { agent, told } = host();
    const forSwitch = { type: 'rerouting-required', reroutingPoint: 3, sourcePort: PORT } as const;
    agent.handlePacket(0, notificationFrame({ ...forSwitch, number: 1 }));
    agent.handlePacket(0, type('required', 2));
    agent.handlePacket(0, type3(3));
    expect(told.map(({ kind }) => kind)).toEqual(['tagged']);
    expect(seenFrame(frameAt(agent, 0)).sourcePort).toBe(PORT);
    expect(agent.coordination()).toMatchObject({ ignored: 2, reroutes: 0 });
  });

  it('counts what it refuses, by reason, and stays as it was', () => {
    const { agent, told } = host();
    const genuine = type('required', 1);
    const forged = genuine.bytes.slice(NOTIFICATION_AT);
    forged[23] = 200;
    agent.handlePacket(0, frameAround(forged));
    agent.handlePacket(0, frameAround(genuine.bytes.slice(NOTIFICATION_AT, -4)));
    agent.handlePacket(0, type('required', 2, 50000));
    const foreign = { source: ipv4Bytes(addressOf(3)), number: 3, sourcePort: PORT };
    agent.handlePacket(0, notificationFrame({ type: 'control-required', ...foreign }));
    expect(told).toEqual([]);
    agent.handlePacket(0, genuine);
    agent.handlePacket(0, genuine);
    expect(told).toHaveLength(1);
    expect(agent.coordination()).toMatchObject({
      unauthenticated: 1,
      malformed: 1,
      unknownFlow: 2,
      replayed: 1,
      controlRequired: 1,
    });
    const reasons = eventsOf(agent).flatMap((event) =>
      event.kind === 'packet-rejected' ? [event.reason] : [],
    );
    expect(reasons).toEqual([
      'unauthenticated',
      'malformed',
      'unknown-flow',
      'unknown-flow',
      'replayed',
    ]);
  });

  it('refuses a notification of which any one byte was changed, and then takes it as it was', () => {
    const { agent, told } = host();
    const genuine = type('required', 1);
    const message = genuine.bytes.subarray(NOTIFICATION_AT);
    for (let at = 0; at < message.length; at++) {
      for (let bit = 1; bit < 256; bit <<= 1) {
        const forged = message.slice();
        forged[at] = (forged[at] as number) ^ bit;
        agent.handlePacket(0, frameAround(forged));
      }
    }
    const { malformed = 0, unauthenticated = 0 } = agent.coordination() ?? {};
    expect(malformed + unauthenticated).toBe(8 * message.length);
    expect(told).toEqual([]);
    agent.handlePacket(0, genuine);
    expect(told).toEqual([{ kind: 'tagged', at: 0, flow: 7 }]);
  });

  it('comes under control when its receiver tells of a CE mark, and only for a while', () => {
    const { agent, told } = host();
    const receiver = testHost(2);
    const data = must(agent.pollTransmit(0));
    const marked = data.bytes.slice();
    const ipv4 = parseIpv4(marked, 14, data.length);
    if (ipv4 instanceof WireFault) throw new Error(ipv4.toString());
    emitIpv4({ ...ipv4, ecn: 3 }, marked, 14);
    receiver.handlePacket(1000, { bytes: marked, length: data.length });
    const ack = must(receiver.pollTransmit(1000));
    expect(seenFrame(ack).flags & HPCC_FLAG_MARKED).toBe(HPCC_FLAG_MARKED);
    agent.handlePacket(2000, ack);
    expect(told).toEqual([{ kind: 'tagged', at: 2000, flow: 7 }]);
    expect(agent.coordination()).toMatchObject({ marked: 1, controlRequired: 0 });
    frameAt(agent, 2000 + 2 * BASE_RTT);
    expect(told.at(-1)?.kind).toBe('expired');
    // The mark is told once: later acknowledgements are of other packets.
    receiver.handlePacket(3000, data);
    expect(seenFrame(must(receiver.pollTransmit(3000))).flags & HPCC_FLAG_MARKED).toBe(0);
  });

  it('does not listen unless it was told to', () => {
    const agent = testHost(1);
    agent.startFlow(0, flowTo(2, 7, 100_000));
    agent.handlePacket(0, type('required', 1));
    expect(dsFlags(must(agent.pollTransmit(0)))).toBe(0);
    expect(agent.coordination()).toBeUndefined();
    expect(agent.counters().packetsRejected['other-protocol']).toBe(1);
  });

  it('refuses plans that contradict it', () => {
    const coordination = { keys: networkKeys() };
    expect(() => testHost(1, { coordination, pathSelection: { paths: 4 } })).toThrow(
      'coordination needs one path per flow: switches choose among paths',
    );
    expect(() => testHost(1, { coordination: { ...coordination, holdTime: 0 } })).toThrow(
      'holdTime must be a number above 0',
    );
  });
});
