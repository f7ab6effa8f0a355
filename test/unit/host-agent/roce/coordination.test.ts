import type { Packet } from '../../../../common/packet/packet';
import { BTH_CNP } from '../../../../common/wire/roce/bth';
import { emitWindowRecord } from '../../../../common/wire/hpcc/feedback-records';
import { RESPONSE_FLAG_WINDOW } from '../../../../common/wire/roce/telemetry-messages';
import { readUint16 } from '../../../../common/wire/bytes';
import type { CongestionControl } from '../../../../host-agent/algorithm/congestion-control';
import type { CoordinationEvent } from '../../../../host-agent/coordination/coordination-options';
import { tagOf, withoutTag } from '../../../../common/wire/coordination/tagged-frame';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { initiatorQpn } from '../../../../host-agent/roce/packets/connection-numbers';
import { MeteredControl } from '../../../../host-agent/traffic/metered-control';
import type { RoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import { rejections } from '../../../support/frames';
import { flowTo } from '../../../support/hosts';
import { networkKeys, notificationFrame } from '../../../support/notifications';
import { PairDriver } from '../../../support/pair-driver';
import { asksForTelemetry, marked, pushingSwitch, roceHost } from '../../../support/roce-hosts';
import { FLOW, RawPeer, sentBy, summary, TARGET_QP } from '../../../support/roce-peer';
import type { SentPacket } from '../../../support/roce-peer';

const MICROSECOND = 1_000_000;
const BASE_RTT = 5 * MICROSECOND;
const DS_FLAGS_AT = 56;
/** AR valid, with the source host as the point of adaptive routing. */
const FREE = 0x4000 | 0x1ffe;
const CONTROLLED = 0x8000 | FREE;
const PEER_PORT = 50_000;

const dsFlags = ({ bytes }: Packet): number => readUint16(bytes, DS_FLAGS_AT);
const ecn = ({ bytes }: Packet): number => (bytes[15] as number) & 3;

function coordinated(given: Partial<RoceConfig> = {}, reroutes = true) {
  const told: CoordinationEvent[] = [];
  const observe = (event: CoordinationEvent): number => told.push(event);
  const host = roceHost(1, { coordination: { keys: networkKeys(), observe, reroutes }, ...given });
  return { host, told };
}

/** A host that writes, and its packets so far. */
function writing(given: Partial<RoceConfig> = {}) {
  const { host, told } = coordinated(given);
  host.startFlow(0, flowTo(2, FLOW, 1_000_000));
  const [first] = sentBy(host, 0, 2) as [SentPacket];
  return { host, told, first, port: first.sourcePort };
}

/** A host that host 2 reads from, and its first response. */
function serving(given: Partial<RoceConfig> = {}) {
  const { host, told } = coordinated(given);
  const reader = new RawPeer(2, 1, TARGET_QP);
  host.handlePacket(0, reader.read(firstPsn, 1_000_000));
  const [first] = sentBy(host, 0, 2) as [SentPacket];
  return { host, told, reader, first, port: first.sourcePort };
}

const firstPsn = 0;
const AT_ZERO: Partial<RoceConfig> = { initialPsn: () => firstPsn };

/** The next packets of data that leave from `from` on, within a microsecond. */
function dataFrom(host: ReturnType<typeof roceHost>, from: number): SentPacket[] {
  const sent: SentPacket[] = [];
  for (let now = from; now <= from + MICROSECOND; now += 50_000) {
    host.handleWakeup(now);
    sent.push(...sentBy(host, now, 2).filter(({ frame }) => asksForTelemetry(frame)));
  }
  return sent;
}

const type = (name: 'required' | 'released', number: number, sourcePort: number): Packet =>
  notificationFrame({ type: `control-${name}`, number, sourcePort });
const type3 = (number: number, sourcePort: number): Packet =>
  notificationFrame({ type: 'rerouting-required', number, sourcePort });

describe('data over RoCEv2 under coordination', () => {
  test.each([
    ['WRITE', () => writing().first],
    ['a READ response', () => serving(AT_ZERO).first],
  ])('is tagged, and can be marked by ECN: %s', (_name, first) => {
    expect(dsFlags(first().frame)).toBe(FREE);
    expect(ecn(first().frame)).toBe(2);
  });

  test('says that its source cannot re-route where that is so', () => {
    const { host } = coordinated({}, false);
    host.startFlow(0, flowTo(2, FLOW, 1000));
    expect(sentBy(host, 0, 2).map(({ frame }) => dsFlags(frame))[0]).toBe(0);
  });

  test('is as ever without coordination', () => {
    const host = roceHost(1);
    host.startFlow(0, flowTo(2, FLOW, 1000));
    const [first] = sentBy(host, 0, 2) as [SentPacket];
    expect([dsFlags(first.frame), ecn(first.frame)]).toEqual([0, 0]);
    expect(host.coordination()).toBeUndefined();
  });

  test('has neither tag nor ECN in what carries no data of the flow', () => {
    const { host } = coordinated(AT_ZERO);
    host.startFlow(0, { ...flowTo(2, FLOW, 1000), operation: 'read' });
    const [request] = sentBy(host, 0, 2) as [SentPacket];
    expect(summary(request)).toBe('read-request 0');
    expect([asksForTelemetry(request.frame), ecn(request.frame)]).toEqual([false, 0]);
  });

  test.each([
    ['WRITE', () => writing()],
    ['READ', () => serving(AT_ZERO)],
  ])('gets CC with type 1 and loses it with type 2, by %s', (_name, start) => {
    const { host, told, port } = start();
    host.handlePacket(1000, type('required', 1, port));
    expect(dsFlags((dataFrom(host, 1000)[0] as SentPacket).frame)).toBe(CONTROLLED);
    host.handlePacket(2 * MICROSECOND, type('released', 2, port));
    expect(dsFlags((dataFrom(host, 2 * MICROSECOND)[0] as SentPacket).frame)).toBe(FREE);
    expect(told).toEqual([
      { kind: 'tagged', at: 1000, flow: FLOW },
      { kind: 'released', at: 2 * MICROSECOND, flow: FLOW },
    ]);
    expect(host.coordination()).toMatchObject({ controlRequired: 1, controlReleased: 1 });
  });

  test.each([
    ['WRITE', () => writing()],
    ['READ', () => serving(AT_ZERO)],
  ])('loses CC when nobody has asked for long enough, by %s', (_name, start) => {
    const { host, told, port } = start();
    host.handlePacket(0, type('required', 1, port));
    const end = 10 * BASE_RTT;
    for (let at = host.pollWakeup() ?? end; at < end; at = host.pollWakeup() ?? end) {
      host.handleWakeup(at);
      sentBy(host, at, 2);
    }
    host.handleWakeup(end);
    expect(told.at(-1)).toEqual({ kind: 'expired', at: end, flow: FLOW });
  });

  test('refuses and counts notifications as every host does', () => {
    const { host, port } = writing();
    host.handlePacket(0, type('required', 1, port));
    host.handlePacket(0, type('required', 1, port));
    host.handlePacket(0, type('required', 2, port + 1));
    expect(rejections(host)).toEqual(['replayed', 'unknown-flow']);
    expect(host.coordination()).toMatchObject({ replayed: 1, unknownFlow: 1 });
  });

  test('is forgotten with its flow', () => {
    const { host, port } = writing(AT_ZERO);
    const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
    host.handlePacket(1000, peer.acknowledge(0, 'nak', 1));
    expect(host.flowMetrics(FLOW)).toBeUndefined();
    host.handlePacket(2000, type('required', 1, port));
    expect(host.coordination()).toMatchObject({ unknownFlow: 1 });
  });
});

describe('with telemetry by probes', () => {
  const PROBES: Partial<RoceConfig> = { ...AT_ZERO, feedback: { collectBy: 'probe' } };

  /** Frames that leave a host which sends to host 2, after a request to control it. */
  function framesOf(start: (host: ReturnType<typeof roceHost>) => void): Packet[] {
    const { host } = coordinated(PROBES);
    start(host);
    const frames: Packet[] = [];
    for (let now = 0; now < MICROSECOND; now += 50_000) {
      if (now === 500_000) host.handlePacket(now, type('required', 1, PEER_PORT));
      host.handleWakeup(now);
      for (let each = host.pollTransmit(now); each !== undefined; each = host.pollTransmit(now)) {
        frames.push(each);
      }
    }
    return frames;
  }

  test.each<[string, (host: ReturnType<typeof roceHost>) => void]>([
    ['WRITE', (host) => host.startFlow(0, { ...flowTo(2, FLOW, 1e6), sourcePort: PEER_PORT })],
    ['READ', (host) => host.handlePacket(0, new RawPeer(2, 1, TARGET_QP).read(0, 1e6))],
  ])('data has the stand-alone tag, and probes that of INT: %s', (_name, start) => {
    const frames = framesOf(start);
    const tags = frames.flatMap((frame) => tagOf(frame) ?? []);
    const free = { congestionControl: false, reroutingPoint: 0x1ffe };
    expect(tags[0]).toEqual(free);
    expect(tags.at(-1)).toEqual({ ...free, congestionControl: true });
    const probes = frames.filter(asksForTelemetry);
    expect(probes.length).toBeGreaterThan(0);
    expect(probes.map(dsFlags)[0]).toBe(FREE);
    expect(tags.length + probes.length).toBe(frames.length);
    const ports = frames.map((frame) => readUint16(withoutTag(frame).bytes, 34));
    expect(new Set(ports)).toEqual(new Set([PEER_PORT]));
    expect(frames.map((frame) => ecn(withoutTag(frame)))).toEqual(frames.map(() => 2));
  });

  test('a host takes data whose tag no switch has taken out', () => {
    const hosts = [1, 2].map((n) =>
      roceHost(n, { ...PROBES, coordination: { keys: networkKeys() } }),
    );
    const [starter, peer] = hosts as [ReturnType<typeof roceHost>, ReturnType<typeof roceHost>];
    const driver = new PairDriver([starter, peer], { delay: 2e6, network: pushingSwitch() });
    starter.startFlow(0, flowTo(2, FLOW, 20_000));
    driver.run(1e12);
    expect(driver.sent.some(({ packet }) => tagOf(packet) !== undefined)).toBe(true);
    expect(driver.events[1].map(({ kind }) => kind)).toEqual(['flow-received']);
  });
});

describe('source ports under coordination', () => {
  test('are those of no other queue pair to the peer', () => {
    const { host, port } = serving(AT_ZERO);
    expect(port).toBe(PEER_PORT);
    host.startFlow(0, { ...flowTo(2, 9, 1000), sourcePort: PEER_PORT });
    const ports = new Map(
      dataFrom(host, 0).map(({ bth, sourcePort }) => [bth.destinationQp & 0xffff, sourcePort]),
    );
    expect(ports.get(9)).toBe(49152 + ((PEER_PORT + 4099) % 16384));
  });

  test.each([
    ['WRITE', () => writing(AT_ZERO)],
    ['READ', () => serving(AT_ZERO)],
  ])('change with type 3, when nothing is in flight, by %s', (_name, start) => {
    const { host, told, port } = start();
    host.handlePacket(1000, type3(1, port));
    expect(told).toEqual([{ kind: 'rerouted', at: 1000, flow: FLOW }]);
    expect(dataFrom(host, 1000)).toEqual([]);
    acknowledgeAll(host, 2 * MICROSECOND);
    const ports = dataFrom(host, 2 * MICROSECOND).map(({ sourcePort }) => sourcePort);
    expect(ports.length).toBeGreaterThan(0);
    expect(new Set(ports).size).toBe(1);
    expect(ports[0]).not.toBe(port);
    expect(host.flowMetrics(FLOW)?.moves).toBe(1);
    // Notifications about the old path that are still on their way count.
    host.handlePacket(4 * MICROSECOND, type('required', 2, port));
    expect(told.at(-1)?.kind).toBe('tagged');
  });

  test('change after a packet that asks for what is in flight, if acknowledgements are few', () => {
    const feedback = { acknowledgeEvery: 64 };
    const { host, port } = writing({ ...AT_ZERO, feedback });
    host.handlePacket(1000, type3(1, port));
    const [last, ...more] = dataFrom(host, 1000);
    expect([last?.sourcePort, last?.bth.ackRequest, more]).toEqual([port, true, []]);
  });

  test('are followed by the peer, whose answers go to the new one', () => {
    const host = roceHost(2, AT_ZERO);
    const from = (sourcePort: number, psn: number): Packet => {
      const { host: sender } = coordinated(AT_ZERO);
      sender.startFlow(0, { ...flowTo(2, FLOW, 100_000), sourcePort });
      let packet = sentBy(sender, 0, 2)[0] as SentPacket;
      for (let now = 0; packet.bth.psn < psn; now += 10_000) {
        packet = sentBy(sender, now, 2)[0] ?? packet;
      }
      return packet.frame;
    };
    const ports = [50_001, 60_001].map((port, psn) => {
      host.handlePacket(psn, from(port, psn));
      return (sentBy(host, psn, 1)[0] as SentPacket).sourcePort;
    });
    expect(ports).toEqual([50_001, 60_001]);
  });
});

describe('congestion notification packets', () => {
  const cnpsOf = (sent: readonly SentPacket[]) =>
    sent.filter(({ bth }) => bth.opcode === BTH_CNP).map(({ bth }) => bth);

  test('tell the sender of marked data, once per base RTT', () => {
    const host = roceHost(2, AT_ZERO);
    const { first } = writing(AT_ZERO);
    const times = [0, 1000, BASE_RTT - 1, BASE_RTT];
    const cnps = times.map((now) => {
      host.handlePacket(now, marked(first.frame));
      return cnpsOf(sentBy(host, now, 1));
    });
    expect(cnps.map(({ length }) => length)).toEqual([1, 0, 0, 1]);
    expect(cnps[0]?.[0]).toMatchObject({
      destinationQp: initiatorQpn(TARGET_QP),
      psn: 0,
      becn: true,
      fecn: false,
      migration: false,
      solicited: false,
      ackRequest: false,
      padCount: 0,
    });
    host.handlePacket(2 * BASE_RTT, first.frame);
    expect(cnpsOf(sentBy(host, 2 * BASE_RTT, 1))).toEqual([]);
  });

  test.each([
    ['WRITE', () => writing(), initiatorQpn(TARGET_QP)],
    ['READ', () => serving(AT_ZERO), TARGET_QP],
  ])('bring data under control for two base RTTs, by %s', (_name, start, qpn) => {
    const { host, told } = start();
    host.handlePacket(1000, cnpTo(qpn));
    expect(told).toEqual([{ kind: 'tagged', at: 1000, flow: FLOW }]);
    expect(host.coordination()).toMatchObject({ marked: 1 });
    expect(dsFlags((dataFrom(host, 1000)[0] as SentPacket).frame)).toBe(CONTROLLED);
    dataFrom(host, 1000 + 2 * BASE_RTT);
    expect(told.at(-1)?.kind).toBe('expired');
  });

  test('are refused by a host that does not coordinate, or sends nothing there', () => {
    const host = roceHost(1);
    host.startFlow(0, flowTo(2, FLOW, 1000));
    host.handlePacket(0, cnpTo(initiatorQpn(TARGET_QP)));
    host.handlePacket(0, cnpTo(TARGET_QP));
    expect(rejections(host)).toEqual(['unrequested', 'unknown-flow']);
  });

  test('are signed where feedback is, and refused without a code', () => {
    const keyRing = new KeyRing(hmacSha256, 1, new Uint8Array(32));
    const { host, told, first } = writing({ ...AT_ZERO, keyRing });
    host.handlePacket(0, cnpTo(initiatorQpn(TARGET_QP)));
    expect(rejections(host)).toEqual(['unauthenticated']);
    const receiver = roceHost(2, { ...AT_ZERO, keyRing });
    receiver.handlePacket(0, marked(first.frame));
    const cnp = sentBy(receiver, 0, 1).find(({ bth }) => bth.opcode === BTH_CNP) as SentPacket;
    host.handlePacket(1000, cnp.frame);
    host.handlePacket(1000, cnp.frame);
    expect(told.map(({ kind }) => kind)).toEqual(['tagged']);
    expect(rejections(host)).toEqual(['replayed']);
  });
});

test.each(['write', 'read', 'send'] as const)(
  'marks on the way bring %s under control, and all of it arrives',
  (operation) => {
    const told: string[] = [];
    const sides = [1, 2].map((n) => {
      const observe = ({ kind }: CoordinationEvent): number => told.push(`${n} ${kind}`);
      return roceHost(n, { operation, coordination: { keys: networkKeys(), observe } });
    });
    const [starter, peer] = sides as [ReturnType<typeof roceHost>, ReturnType<typeof roceHost>];
    const push = pushingSwitch();
    const network = (from: 0 | 1, packet: Packet, now: number): Packet =>
      ecn(packet) === 2 && now > 5 * MICROSECOND && now < 10 * MICROSECOND
        ? marked(push(from, packet, now))
        : push(from, packet, now);
    const driver = new PairDriver([starter, peer], { delay: 2 * MICROSECOND, network });
    starter.startFlow(0, flowTo(2, FLOW, 500_000));
    driver.run(1e12);
    const sender = operation === 'read' ? 2 : 1;
    expect(told).toEqual([`${sender} tagged`, `${sender} expired`]);
    expect(driver.events[0].map(({ kind }) => kind)).toContain('flow-completed');
    expect([rejections(starter), rejections(peer)]).toEqual([[], []]);
  },
);

/** Says to host 1 that host 2 has all that was sent: to both ends, of which one has sent it. */
function acknowledgeAll(host: ReturnType<typeof roceHost>, now: number): void {
  host.handlePacket(now, new RawPeer(2, 1, initiatorQpn(TARGET_QP)).acknowledge(0));
  host.handlePacket(now, new RawPeer(2, 1, TARGET_QP).telemetry(0, { requestId: 0, hopCount: 0 }));
}

const cnpTo = (qpn: number): Packet =>
  new RawPeer(2, 1, qpn).frame({
    opcode: BTH_CNP,
    psn: 0,
    body: new Uint8Array(16),
    becn: true,
  });

test('a flow under a meter keeps the window that it had at its release', () => {
  // Hosts on interfaces meter each flow.
  const meter = (control: CongestionControl) => new MeteredControl(control);
  const feedback = { algorithmAt: 'receiver' } as const;
  const { host, port } = writing({ ...AT_ZERO, feedback, meter });
  const window = () => host.flowMetrics(FLOW)?.congestion.windowBytes;
  const peer = new RawPeer(2, 1, initiatorQpn(TARGET_QP));
  const tell = (now: number, epoch: number, windowBytes: number): void => {
    const record = new Uint8Array(16);
    emitWindowRecord({ epoch, flows: 0, windowBytes }, record, 0);
    const told = { requestId: 0, flags: RESPONSE_FLAG_WINDOW, hopCount: 0 };
    host.handlePacket(now, peer.telemetry(firstPsn, told, record));
  };
  host.handlePacket(1000, type('required', 1, port));
  tell(2000, 1, 20_000);
  expect(window()).toBe(20_000);
  host.handlePacket(3000, type('released', 2, port));
  expect(window()).toBe(20_000);
  tell(4000, 2, 10_000);
  expect(window()).toBe(20_000);
});
