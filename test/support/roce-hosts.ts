import type { Packet } from '../../common/packet/packet';
import type { Random } from '../../common/random/random';
import { readUint16 } from '../../common/wire/bytes';
import { WireFault } from '../../common/wire/fault';
import { emitIpv4, ipv4Bytes, parseIpv4 } from '../../common/wire/ip/ipv4';
import { emitUdpHeader } from '../../common/wire/ip/udp';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import type { RoceConfig } from '../../host-agent/roce/queue-pair/roce-config';
import { RoceHost } from '../../host-agent/roce/roce-host';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import { addressOf, macOf } from './hosts';
import { notificationFrame } from './notifications';
import { pushHop } from './int-hop';
import type { Delayed, Side } from './pair-driver';

/** Host `n` of a test over RoCEv2: as `testHost`, with an MTU of 256 bytes. */
export function roceHost(n: number, given: Partial<RoceConfig> = {}): RoceHost {
  return new RoceHost({
    address: addressOf(n),
    mac: macOf(n),
    linkRate: 100e9,
    baseRtt: 5_000_000,
    congestionControl: hpccppFactory(),
    mss: 256,
    ...given,
  });
}

/** Every byte of a flow by its sequence, so that the receiver can tell them apart. */
export const byteAt = (sequence: number): number => sequence % 251;

export const writeBytes = (sequence: number, into: Uint8Array): void =>
  into.forEach((_, i) => (into[i] = byteAt(sequence + i)));

/** True if a frame asks switches for telemetry. */
export const asksForTelemetry = ({ bytes }: Packet): boolean =>
  (bytes[15] as number) >>> 2 === 0x17;

/** A switch that adds its record to what asks for it, in both directions. */
export function pushingSwitch(capacity = 100e9) {
  const txBytes = [0, 0];
  return (from: Side, packet: Packet, now: number): Packet => {
    if (!asksForTelemetry(packet)) return packet;
    const timestamp = Math.floor(now / 1000);
    const sent = txBytes[from] as number;
    txBytes[from] = sent + packet.length + 32;
    const hop = {
      switchId: 9,
      portId: from + 1,
      timestamp,
      txBytes: sent,
      queueBytes: 0,
      capacity,
    };
    return pushHop(packet, hop);
  };
}

/** Probabilities of what a network does to a packet. */
export interface Faults {
  readonly lost: number;
  readonly repeated: number;
  readonly reordered: number;
  readonly corrupted: number;
}

/** The switch of {@link pushingSwitch} on a network with faults; late packets are up to `late` ps late. */
export function faultyNetwork(random: Random, faults: Faults, late: number) {
  const through = pushingSwitch();
  const happens = (fault: keyof Faults): boolean => random.uniform() < faults[fault];
  return (from: Side, packet: Packet, now: number): readonly Delayed[] => {
    const grown = through(from, packet, now);
    const copies: Delayed[] = [];
    const add = (by: number): void => {
      copies.push({ packet: happens('corrupted') ? corrupted(grown, random) : grown, by });
    };
    if (!happens('lost')) add(happens('reordered') ? random.below(late) : 0);
    if (happens('repeated')) add(random.below(late));
    return copies;
  };
}

/**
 * The network with switches that coordinate: now and then they mark data, or tell the host that it
 * comes from to control it, to release it, or to take another path. The last one takes tags out.
 */
export function coordinatingNetwork(
  through: (from: Side, packet: Packet, now: number) => readonly Delayed[],
  random: Random,
) {
  const ports: [number, number] = [0, 0];
  let count = 0;
  return (from: Side, packet: Packet, now: number): readonly Delayed[] => {
    const plain = withoutTag(packet);
    const isMarkable = ((plain.bytes[15] as number) & 3) === 2;
    if (isMarkable) ports[from] = readUint16(plain.bytes, 34);
    const isMarked = isMarkable && random.uniform() < 0.005;
    const delivered = through(from, isMarked ? marked(plain) : plain, now);
    if (random.uniform() >= 0.05) return delivered;
    const notification = notificationFrame({
      type: TYPES[random.below(TYPES.length)] ?? 'control-required',
      number: ++count,
      sourcePort: ports[1 - from] as number,
      to: 2 - from,
      source: ipv4Bytes(addressOf(2 - from)),
      destination: ipv4Bytes(addressOf(1 + from)),
    });
    return [...delivered, { packet: notification, by: 0 }];
  };
}

/** Flows under control stay on their paths, so few of them shall be. */
const TYPES: readonly CcmNotification['type'][] = [
  'control-required',
  'control-released',
  'control-released',
  ...Array.from({ length: 9 }, () => 'rerouting-required' as const),
];

/** The packet with one bit changed. */
export function corrupted(packet: Packet, random: Random): Packet {
  const bytes = packet.bytes.slice();
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
  return { ...packet, bytes };
}

/** The packet as a switch marks it that has met congestion (ECN CE). */
export function marked(packet: Packet): Packet {
  const bytes = packet.bytes.slice();
  const ipv4 = parseIpv4(bytes, 14, packet.length);
  if (ipv4 instanceof WireFault) throw new Error(ipv4.toString());
  emitIpv4({ ...ipv4, ecn: 3 }, bytes, 14);
  return { ...packet, bytes };
}

/** Returns the frame as a NIC hands it on: INT taken out, lengths and DSCP as they were before. */
export function withoutInt(packet: Packet): Packet {
  if (!asksForTelemetry(packet)) return packet;
  const shim = 42;
  const skip = 4 + 4 * (packet.bytes[shim + 1] as number);
  const bytes = new Uint8Array(packet.bytes.length - skip);
  bytes.set(packet.bytes.subarray(0, shim));
  bytes.set(packet.bytes.subarray(shim + skip), shim);
  const ipv4 = parseIpv4(packet.bytes, 14, packet.length);
  if (ipv4 instanceof WireFault) throw new Error(ipv4.toString());
  emitIpv4({ ...ipv4, dscp: 0, totalLength: ipv4.totalLength - skip }, bytes, 14);
  const udp = { sourcePort: readUint16(bytes, 34), destinationPort: readUint16(bytes, 36) };
  const length = readUint16(bytes, 38) - skip;
  emitUdpHeader({ ...udp, length, checksum: 0 }, bytes, 34);
  return { bytes, length: bytes.length };
}
