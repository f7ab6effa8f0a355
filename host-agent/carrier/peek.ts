import { readUint16 } from '../../common/wire/bytes';
import { WireFault } from '../../common/wire/fault';
import { ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { IPV4_LENGTH, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import type { Carrier } from './carrier';

const ETHERTYPE_AT = 12;
const PROTOCOL_AT = ETHERNET_LENGTH + 9;
const SHORTEST = ETHERNET_LENGTH + IPV4_LENGTH + UDP_LENGTH;

/** Returns the destination port of a frame's UDP datagram, or -1 for everything else. */
export type DestinationPort = (frame: Uint8Array) => number;

/**
 * Returns the UDP port for IPv4 without anything around it: a look at three fields, so that other traffic
 * of an interface costs next to nothing.
 */
export function plainUdpPort(frame: Uint8Array): number {
  if (frame.length < SHORTEST || readUint16(frame, ETHERTYPE_AT) !== ETHERTYPE_IPV4) return -1;
  if (frame[PROTOCOL_AT] !== PROTOCOL_UDP) return -1;
  const udpAt = ETHERNET_LENGTH + ((frame[ETHERNET_LENGTH] as number) & 0xf) * 4;
  return udpAt + UDP_LENGTH <= frame.length ? readUint16(frame, udpAt + 2) : -1;
}

/** The same for frames in which headers of the carrier may come before UDP. */
export function destinationPort(carrier: Carrier): DestinationPort {
  const { linkHeaders, network, networkHeaders } = carrier;
  const isPlain = linkHeaders === undefined && networkHeaders === undefined;
  if (isPlain && network.etherType === ETHERTYPE_IPV4) return plainUdpPort;
  return (frame) => {
    if (frame.length < SHORTEST) return -1;
    const hasLink = readUint16(frame, ETHERTYPE_AT) === linkHeaders?.etherType;
    const ipAt = ETHERNET_LENGTH + (hasLink ? linkHeaders.length : 0);
    if (readUint16(frame, ipAt - 2) !== network.etherType) return -1;
    const ip = network.parse(frame, ipAt, frame.length);
    if (ip === undefined || ip instanceof WireFault) return -1;
    const skip = skipOf(frame, ip, networkHeaders);
    const udpAt = ip.payloadAt + skip;
    return skip >= 0 && udpAt + UDP_LENGTH <= frame.length ? readUint16(frame, udpAt + 2) : -1;
  };
}

/** Bytes between IP and UDP, or -1. */
function skipOf(
  frame: Uint8Array,
  { protocol, payloadAt, end }: { protocol: number; payloadAt: number; end: number },
  headers: Carrier['networkHeaders'],
): number {
  if (protocol === PROTOCOL_UDP) return 0;
  if (protocol !== headers?.protocol) return -1;
  const found = headers.find(frame, payloadAt, end);
  return found instanceof WireFault ? -1 : found.skip;
}
