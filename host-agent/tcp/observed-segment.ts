import { readUint48 } from '../../common/wire/bytes';
import { ETHERNET_LENGTH, ETHERTYPE_IPV4, parseEthernet } from '../../common/wire/ip/ethernet';
import { WireFault } from '../../common/wire/fault';
import { parseIpv4, PROTOCOL_TCP } from '../../common/wire/ip/ipv4';
import { parseTcp } from '../../common/wire/ip/tcp';
import type { TcpOption } from '../../common/wire/ip/tcp';
import type { ConnectionKey } from './connection-key';

export const FLAG_FIN = 0x01;
export const FLAG_SYN = 0x02;
export const FLAG_RST = 0x04;
export const FLAG_ACK = 0x10;

/** Bytes of a frame that hold all headers that are looked at: Ethernet, IPv4 and TCP at their longest. */
export const OBSERVED_BYTES = ETHERNET_LENGTH + 60 + 60;

const OPTION_WINDOW_SCALE = 3;
/** RFC 7323 section 2.3: larger shifts count as this one. */
const WINDOW_SCALE_MAX = 14;

/** Header fields of an arriving TCP segment. */
export interface ObservedSegment {
  readonly key: ConnectionKey;
  /** Where frames to this host come from: the next hop on the way back. */
  readonly remoteMac: number;
  readonly localMac: number;
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly payloadBytes: number;
  /** Shift of the window fields that follow a SYN, 0 if it has no such option; undefined elsewhere. */
  readonly windowScale: number | undefined;
}

/**
 * Reads the headers of an arriving frame, of which only the first {@link OBSERVED_BYTES} need to be
 * there. Checksums of TCP are not looked at: the kernel does, and on virtual links they may be
 * missing.
 * @returns undefined for whatever is no TCP over IPv4.
 */
export function observeSegment(frame: Uint8Array): ObservedSegment | undefined {
  const ethernet = parseEthernet(frame);
  if (ethernet instanceof WireFault || ethernet.etherType !== ETHERTYPE_IPV4) return undefined;
  const ip = parseIpv4(frame, ETHERNET_LENGTH, Infinity);
  if (ip instanceof WireFault || ip.protocol !== PROTOCOL_TCP) return undefined;
  const tcp = parseTcp(frame, ETHERNET_LENGTH + ip.headerLength);
  if (tcp instanceof WireFault) return undefined;
  return {
    key: {
      localAddress: ip.destination,
      localPort: tcp.destinationPort,
      remoteAddress: ip.source,
      remotePort: tcp.sourcePort,
    },
    remoteMac: readUint48(frame, 6),
    localMac: readUint48(frame, 0),
    sequence: tcp.sequence,
    acknowledgement: tcp.acknowledgement,
    flags: tcp.flags,
    payloadBytes: Math.max(0, ip.totalLength - ip.headerLength - tcp.headerLength),
    windowScale: (tcp.flags & FLAG_SYN) === 0 ? undefined : windowScale(tcp.options),
  };
}

function windowScale(options: readonly TcpOption[]): number {
  const shift = options.find(({ kind }) => kind === OPTION_WINDOW_SCALE)?.data[0] ?? 0;
  return Math.min(shift, WINDOW_SCALE_MAX);
}
