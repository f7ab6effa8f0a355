import type { Packet } from '../../../../../common/packet/packet';
import { mendUdpChecksum } from '../../../../../common/wire/ip/plain-frame';
import { computeIcrc, readIcrc } from '../../../../../common/wire/roce/icrc';
import { newCarrier } from '../../../../../host-agent/carrier/carriers';
import { INT_CARRIER } from '../../../../../host-agent/carrier/int-carrier';
import { parsePacket } from '../../../../../host-agent/roce/packets/received-packet';
import { addressOf, flowTo } from '../../../../support/hosts';
import { pushHop } from '../../../../support/int-hop';
import { roceHost, writeBytes } from '../../../../support/roce-hosts';
import { FLOW, RawPeer, TARGET_QP } from '../../../../support/roce-peer';
import { VECTORS, vectorFrame } from '../../../../support/wire/vectors';

const IPV6_CARRIER = newCarrier(
  { name: 'int', ipVersion: 'ipv6' },
  { linkRate: 25e9, hopLimit: 8, asksSojourn: false },
);
const HOP = { switchId: 3, portId: 4, timestamp: 77, txBytes: 5, queueBytes: 6, capacity: 25e9 };
const TO = addressOf(2);

/** The first packet of a flow: `bytes` of payload, stored or virtual. */
function dataPacket(bytes: number, isStored: boolean): Packet {
  const host = roceHost(1);
  host.startFlow(0, { ...flowTo(2, FLOW, bytes), ...(isStored && { payload: writeBytes }) });
  const packet = host.pollTransmit(0);
  if (packet === undefined) throw new Error('a flow begins with a packet');
  return packet;
}

const zeros = (packet: Packet): Packet => {
  const bytes = new Uint8Array(packet.length);
  bytes.set(packet.bytes);
  if (packet.tail !== undefined) bytes.set(packet.tail, packet.length - packet.tail.length);
  return { bytes, length: packet.length };
};

const reasonOf = (packet: Packet): string => {
  const parsed = parsePacket(packet, TO, INT_CARRIER);
  return 'reason' in parsed ? parsed.reason : 'taken';
};

describe('a RoCEv2 packet', () => {
  test('of scapy is taken', () => {
    const vector = VECTORS.find(({ name }) => name === 'R1');
    if (vector === undefined) throw new Error('no vector R1');
    const bytes = vectorFrame(vector);
    const parsed = parsePacket({ bytes, length: bytes.length }, TO, INT_CARRIER);
    expect(parsed).toMatchObject({
      bth: { opcode: 4, destinationQp: 0x123456, psn: 0xabcdef, ackRequest: true },
      content: { kind: 'send', position: 'only', payloadLength: 16 },
    });
  });

  test.each([1, 2, 3, 4, 255, 256])('has an ICRC over %d bytes and their padding', (bytes) => {
    const packet = new RawPeer(1, 2, TARGET_QP).write(9, 'only', bytes);
    expect(packet.length % 4).toBe(2);
    expect(computeIcrc(packet.bytes, 14, packet.length - 4)).toBe(
      readIcrc(packet.bytes, packet.length - 4),
    );
    expect(parsePacket(packet, TO, INT_CARRIER)).toMatchObject({
      content: { payloadLength: bytes },
    });
  });

  test.each([1, 4, 256])('over IPv6 has an ICRC over %d bytes, and no UDP checksum', (bytes) => {
    const peer = new RawPeer(1, 2, TARGET_QP, IPV6_CARRIER);
    const packet = peer.write(9, 'only', bytes);
    const icrcAt = packet.length - 4;
    expect(computeIcrc(packet.bytes, 14, icrcAt)).toBe(readIcrc(packet.bytes, icrcAt));
    expect([...packet.bytes.subarray(60, 62)]).toEqual([0, 0]);
    const expected = { sourceAddress: addressOf(1), content: { payloadLength: bytes } };
    expect(parsePacket(packet, TO, IPV6_CARRIER)).toMatchObject(expected);
    expect(parsePacket(packet, TO, INT_CARRIER)).toEqual({ reason: 'other-protocol' });
    const damaged = { ...packet, bytes: packet.bytes.slice() };
    damaged.bytes[icrcAt - 5] = (damaged.bytes[icrcAt - 5] as number) ^ 1;
    expect(parsePacket(damaged, TO, IPV6_CARRIER)).toEqual({ reason: 'bad-icrc' });
  });

  test('over IPv6 is taken with a UDP checksum only if that is right', () => {
    const { bytes, length } = new RawPeer(1, 2, TARGET_QP, IPV6_CARRIER).write(9, 'only', 8);
    mendUdpChecksum(bytes);
    expect(parsePacket({ bytes, length }, TO, IPV6_CARRIER)).not.toHaveProperty('reason');
    bytes[60] = (bytes[60] as number) ^ 1;
    expect(parsePacket({ bytes, length }, TO, IPV6_CARRIER)).toMatchObject({ reason: 'malformed' });
  });

  test.each([1, 100, 255, 256])(
    'has with %d virtual bytes the ICRC that it would have with stored zeros',
    (bytes) => {
      const virtual = dataPacket(bytes, false);
      expect(virtual.bytes.length).toBeLessThan(virtual.length - bytes);
      expect(virtual.tail).toHaveLength(4);
      expect(reasonOf(virtual)).toBe('taken');
      expect(reasonOf(zeros(virtual))).toBe('taken');
    },
  );

  test.each([true, false])(
    'has an ICRC that telemetry does not touch, payload stored: %s',
    (isStored) => {
      const grown = pushHop(pushHop(dataPacket(256, isStored), HOP), { ...HOP, switchId: 5 });
      const parsed = parsePacket(grown, TO, INT_CARRIER);
      expect(parsed).toMatchObject({
        content: { payloadLength: 256 },
        telemetryLength: 16 + 2 * 32,
      });
    },
  );

  test('is dropped with any bit of it wrong that the network must not change', () => {
    const good = zeros(dataPacket(100, false));
    const counts = new Map<string, number>();
    // From the IPv4 identification to the last byte, without what routers and switches change.
    const isMasked = (at: number) => [22, 24, 25, 40, 41, 62].includes(at) || (at >= 42 && at < 58);
    for (let at = 18; at < good.bytes.length; at++) {
      if (isMasked(at)) continue;
      const bytes = good.bytes.slice();
      bytes[at] = (bytes[at] as number) ^ 0x10;
      const reason = reasonOf({ bytes, length: bytes.length });
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    expect(counts.has('taken')).toBe(false);
    expect(counts.get('bad-icrc')).toBeGreaterThan(100);
  });

  test('is dropped when virtual payload has lost what follows it', () => {
    const { bytes, length } = dataPacket(100, false);
    expect(reasonOf({ bytes, length })).toBe('bad-icrc');
    expect(reasonOf({ bytes, length, tail: new Uint8Array(4) })).toBe('bad-icrc');
    expect(reasonOf({ bytes, length: length + 6, tail: new Uint8Array(4) })).toBe('bad-icrc');
  });

  test.each([
    ['another host', { at: 33, value: 3 }, 'malformed'],
    ['a wrong IPv4 checksum', { at: 24, value: 0 }, 'malformed'],
    ['a BTH of another version', { at: 43, value: 0x41 }, 'malformed'],
  ])('is dropped with %s', (_what, { at, value }, reason) => {
    const { bytes, length } = new RawPeer(1, 2, TARGET_QP).write(9, 'only', 8);
    const changed = bytes.slice();
    changed[at] = value;
    expect(reasonOf({ bytes: changed, length })).toBe(reason);
  });

  test('is dropped when it is for another host, too short for its opcode, or of another service', () => {
    const peer = new RawPeer(1, 2, TARGET_QP);
    const other = parsePacket(peer.write(9, 'only', 8), addressOf(3), INT_CARRIER);
    expect(other).toEqual({ reason: 'not-for-this-host' });
    const empty = (opcode: number): Packet =>
      peer.frame({ opcode, psn: 0, body: new Uint8Array(0) });
    const short = [0x06, 0x0b, 0x0c, 0x0f, 0x11, 0x81, 0xc0, 0xc1];
    expect(short.map((code) => reasonOf(empty(code)))).toEqual(short.map(() => 'malformed'));
    expect(reasonOf(empty(0x64))).toBe('other-protocol');
    // A packet with the opcode of a CNP without its bit is something else.
    const unset = peer.frame({ opcode: 0x81, psn: 0, body: new Uint8Array(16) });
    expect(reasonOf(unset)).toBe('other-protocol');
  });

  test('that is damaged is counted, and nothing answers it', () => {
    const host = roceHost(2);
    const { bytes, length } = new RawPeer(1, 2, TARGET_QP).write(9, 'only', 8);
    const damaged = bytes.slice();
    damaged[length - 6] = 1;
    host.handlePacket(0, { bytes: damaged, length });
    expect(host.counters().packetsRejected['bad-icrc']).toBe(1);
    expect(host.pollTransmit(0)).toBeUndefined();
  });

  test('with padding of Ethernet behind it is taken', () => {
    const { bytes, length } = new RawPeer(1, 2, TARGET_QP).write(9, 'only', 0);
    const padded = new Uint8Array(length + 10);
    padded.set(bytes);
    expect(reasonOf({ bytes: padded, length: padded.length })).toBe('taken');
  });
});
