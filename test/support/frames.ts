import type { Packet } from '../../common/packet/packet';
import type { Agent } from '../../host-agent/host/agent';
import type { HostEvent } from '../../host-agent/host/host-events';
import { flowTo, testHost } from './hosts';
import { pushHop } from './int-hop';

export const HOP = {
  switchId: 9,
  portId: 3,
  timestamp: 77,
  txBytes: 5,
  queueBytes: 6,
  capacity: 100e9,
};

/** The frame, which the test relies on. */
export function must(packet: Packet | undefined): Packet {
  if (packet === undefined) throw new Error('a frame was expected');
  return packet;
}

/** All events that wait. */
export function eventsOf(host: Agent): HostEvent[] {
  const events: HostEvent[] = [];
  for (let event = host.pollEvent(); event !== undefined; event = host.pollEvent()) {
    events.push(event);
  }
  return events;
}

/** Reasons of the packets that the host has refused, of all events that wait. */
export const rejections = (host: Agent): string[] =>
  eventsOf(host).flatMap((event) => (event.kind === 'packet-rejected' ? [event.reason] : []));

/** A data frame of 1000 bytes from host 1 to host 2, after `hops` switches. */
export function dataFrame(hops = 1): Packet {
  const sender = testHost(1);
  sender.startFlow(0, flowTo(2, 7, 5000));
  let packet = must(sender.pollTransmit(0));
  for (let hop = 0; hop < hops; hop++) packet = pushHop(packet, { ...HOP, switchId: hop + 1 });
  return packet;
}

/** The packet with one byte changed and its checksums left as they were. */
export function patched(packet: Packet, at: number, value: number): Packet {
  const bytes = packet.bytes.slice();
  bytes[at] = value;
  return { bytes, length: packet.length };
}

/** As {@link patched}, with the UDP checksum switched off. */
export const patchedUnchecked = (packet: Packet, at: number, value: number): Packet =>
  patched(patched(patched(packet, at, value), 40, 0), 41, 0);
