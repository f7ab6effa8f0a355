import type { Packet } from '../../common/packet/packet';
import type { BitsPerSecond, Bytes, Instant } from '../../common/units/units';
import { PS_PER_NS, serialisationTime } from '../../common/units/units';
import { readUint16 } from '../../common/wire/bytes';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { WireFault } from '../../common/wire/fault';
import { emitHops, HP_DOMAIN, INT_DSCP, INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { emitIpv4, IPV4_LENGTH, parseIpv4 } from '../../common/wire/ip/ipv4';
import { emitUdp, UDP_LENGTH } from '../../common/wire/ip/udp';
import type { Agent } from '../host/agent';
import { HostAgent } from '../transport/host';
import type { HostConfig } from '../host/host-config';
import type { HostCounters } from '../host/host-events';

/** What both hosts of a warm-up have counted. */
interface WarmUp {
  readonly sender: HostCounters;
  readonly receiver: HostCounters;
}

/**
 * Sends a flow of so many full segments from one host to another inside the process, in virtual time,
 * over one link that adds its telemetry. Both are configured like the host that `config` is of, which
 * should name nobody who looks on or takes payload.
 *
 * Code that handles packets is compiled while it runs, during its first thousands of packets. Meanwhile
 * threads of the compiler hold up those that send, for milliseconds each time where processors are few,
 * and a host that has just begun does not fill a link of 100 Mb/s for a quarter of a second.
 */
export function warmUp(config: HostConfig, segments: number): WarmUp {
  const [sender, receiver] = [newHost(config, SENDER), newHost(config, RECEIVER)];
  const to = { destinationAddress: RECEIVER, destinationMac: MAC };
  sender.startFlow(0, { id: 0, ...to, bytes: segments * (config.mss ?? MSS) });
  const link = new Link(config.linkRate);
  let now: Instant = 0;
  for (;;) {
    const packet = sender.pollTransmit(now);
    if (packet !== undefined) {
      now += serialisationTime(packet.length, config.linkRate);
      receiver.handlePacket(now, link.carry(now, packet));
    } else {
      const next = Math.min(sender.pollWakeup() ?? Infinity, receiver.pollWakeup() ?? Infinity);
      if (next === Infinity) return { sender: sender.counters(), receiver: receiver.counters() };
      now = Math.max(now, next);
      sender.handleWakeup(now);
      receiver.handleWakeup(now);
    }
    answer(now, receiver, sender);
  }
}

/** Addresses for examples (RFC 5737); the frames never leave the process. */
const SENDER = 0xc000_0201;
const RECEIVER = 0xc000_0202;
const MAC = 0x0200_0000_0000;
const MSS: Bytes = 1000;
const UDP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const INT_AT = UDP_AT + UDP_LENGTH;
const STACK_AT = INT_AT + INT_FIXED_LENGTH;
const REMAINING_HOPS_AT = INT_AT + 7;
const COUNTER_MODULUS = 2 ** 48;

function newHost(config: HostConfig, address: number): HostAgent {
  return new HostAgent({ ...config, address, mac: MAC });
}

/** What one host has to say, and what happened at both. */
function answer(now: Instant, from: Agent, to: Agent): void {
  for (let packet = from.pollTransmit(now); packet !== undefined;) {
    to.handlePacket(now, packet);
    packet = from.pollTransmit(now);
  }
  for (const host of [from, to]) while (host.pollEvent() !== undefined);
}

/** The port of a switch whose queue is always empty. */
class Link {
  readonly #capacity: BitsPerSecond;
  #sentBytes: Bytes = 0;

  constructor(capacity: BitsPerSecond) {
    this.#capacity = capacity;
  }

  /** The frame in one piece, as interfaces deliver it, and with telemetry if it asks for any. */
  carry(now: Instant, packet: Packet): Packet {
    const asks = (packet.bytes[ETHERNET_LENGTH + 1] as number) >>> 2 === INT_DSCP;
    const added = asks ? HP_DOMAIN.hopLength : 0;
    const bytes = new Uint8Array(packet.length + added);
    const split = asks ? STACK_AT : 0;
    bytes.set(packet.bytes.subarray(0, split));
    bytes.set(packet.bytes.subarray(split), split + added);
    if (asks) this.#addHop(now, bytes);
    this.#sentBytes = (this.#sentBytes + bytes.length) % COUNTER_MODULUS;
    return { bytes, length: bytes.length };
  }

  #addHop(now: Instant, bytes: Uint8Array): void {
    const hop = {
      ...{ switchId: 1, portId: 1, queueBytes: 0, capacity: this.#capacity },
      ...{ timestamp: Math.floor(now / PS_PER_NS), timestampModulus: COUNTER_MODULUS },
      ...{ txBytes: this.#sentBytes, txBytesModulus: COUNTER_MODULUS },
    };
    emitHops([hop], bytes, INT_AT);
    bytes[REMAINING_HOPS_AT] = (bytes[REMAINING_HOPS_AT] as number) - 1;
    mendLengths(bytes);
  }
}

/** Makes the headers of IPv4 and UDP fit the length that the frame has now. */
function mendLengths(bytes: Uint8Array): void {
  const grown = HP_DOMAIN.hopLength;
  const ipv4 = parseIpv4(bytes, ETHERNET_LENGTH, bytes.length - grown);
  if (ipv4 instanceof WireFault) throw new Error(`Internal error: ${ipv4.toString()}`);
  emitIpv4({ ...ipv4, totalLength: ipv4.totalLength + grown }, bytes, ETHERNET_LENGTH);
  const udp = {
    sourcePort: readUint16(bytes, UDP_AT),
    destinationPort: readUint16(bytes, UDP_AT + 2),
    length: readUint16(bytes, UDP_AT + 4) + grown,
  };
  const { source, destination } = ipv4;
  emitUdp(udp, bytes, { source, destination, offset: UDP_AT, end: bytes.length });
}
