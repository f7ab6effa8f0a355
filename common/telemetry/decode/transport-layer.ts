import { WireFault, truncated } from '../../wire/fault';
import { PROTOCOL_TCP, PROTOCOL_UDP } from '../../wire/ip/ipv4';
import { parseTcp } from '../../wire/ip/tcp';
import { UDP_LENGTH, parseUdpHeader } from '../../wire/ip/udp';
import type { IpLayer } from './frame-layers';

export interface TransportLayer {
  readonly protocol: 'tcp' | 'udp';
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly offset: number;
  readonly payloadOffset: number;
  /** End of what was captured of the payload. */
  readonly end: number;
}

/** TCP or UDP under an IP packet; undefined for other protocols. Checksums are not verified. */
export function parseTransport(
  bytes: Uint8Array,
  ip: IpLayer,
): TransportLayer | WireFault | undefined {
  const offset = ip.payloadOffset;
  if (ip.protocol === PROTOCOL_TCP) {
    const tcp = parseTcp(bytes, offset, ip.end);
    if (tcp instanceof WireFault) return tcp;
    const { sourcePort, destinationPort, headerLength } = tcp;
    const payloadOffset = offset + headerLength;
    return { protocol: 'tcp', sourcePort, destinationPort, offset, payloadOffset, end: ip.end };
  }
  if (ip.protocol !== PROTOCOL_UDP) return undefined;
  if (ip.end < offset + UDP_LENGTH) return truncated('udp', offset, UDP_LENGTH, ip.end);
  // The length may reach beyond what was captured, and IFA's metadata beyond the length.
  const udp = parseUdpHeader(bytes, offset, offset + 0xffff);
  if (udp instanceof WireFault) return udp;
  const { sourcePort, destinationPort } = udp;
  const payloadOffset = offset + UDP_LENGTH;
  return { protocol: 'udp', sourcePort, destinationPort, offset, payloadOffset, end: ip.end };
}
