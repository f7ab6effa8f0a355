import { readUint16, readUint32 } from '../../wire/bytes';
import { CCM_TAG_LENGTH } from '../../wire/coordination/ccm-tag';
import { CSIG_LENGTH, CSIG_WIDE } from '../../wire/csig/csig';
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../wire/ip/ethernet';
import { ETHERTYPE_SERVICE_VLAN, ETHERTYPE_VLAN, VLAN_LENGTH } from '../../wire/ip/ethernet';
import { WireFault, truncated } from '../../wire/fault';
import { IFA_HEADER_LENGTH, parseIfaHeader } from '../../wire/ifa/ifa2';
import type { IfaHeader } from '../../wire/ifa/ifa2';
import { parseIpv4, PROTOCOL_TCP, PROTOCOL_UDP } from '../../wire/ip/ipv4';
import { IPV6_LENGTH, NEXT_DESTINATION_OPTIONS, NEXT_HOP_BY_HOP } from '../../wire/ip/ipv6';
import { parseIpv6, parseIpv6Options } from '../../wire/ip/ipv6';
import type { Ipv6Option, Ipv6Address } from '../../wire/ip/ipv6';
import { ETHERTYPE_NSH } from '../../wire/ip/nsh';
import type { DecodeSettings } from './decode-settings';
import { parseNshChain } from './nsh-chain';
import { byVersion, parseLink } from './link-layer';
import type { FramePlace, LinkPayload } from './link-layer';
import { parseTcp } from '../../wire/ip/tcp';
import { UDP_LENGTH, parseUdpHeader } from '../../wire/ip/udp';

/** Headers between link and IP that are telemetry, or may have some. */
export type FrameTag = 'csig' | 'csig-wide' | 'ccm' | 'nsh';

/** Offsets of a frame's headers, down to the transport header, which is not read here. */
export interface FrameLayers {
  /** CSIG and CCM tags, and NSH, outermost first. */
  readonly tags: readonly { readonly kind: FrameTag; readonly offset: number }[];
  readonly ip: IpLayer | undefined;
}

/** The IP headers of a frame. Offsets count bytes from its start. */
export interface IpLayer {
  readonly offset: number;
  readonly source: string;
  readonly destination: string;
  readonly dscp: number;
  /** Protocol number of the header behind all IP headers and, if there is one, IFA's. */
  readonly protocol: number;
  readonly options: readonly Ipv6Option[];
  readonly ifa: IfaHeader | undefined;
  readonly payloadOffset: number;
  /** End of the datagram, or of its captured part. */
  readonly end: number;
  /** Where the datagram ends on the wire, by its header. */
  readonly wireEnd: number;
}

/** Reads link and network layers; a fault says that the frame is no whole IP packet. */
export function parseLayers(place: FramePlace, settings: DecodeSettings): FrameLayers | WireFault {
  const link = parseLink(place);
  if (link instanceof WireFault) return link;
  const { bytes } = place;
  const tags: { kind: FrameTag; offset: number }[] = [];
  let { etherType, offset } = link;
  for (;;) {
    if (etherType === ETHERTYPE_NSH) {
      tags.push({ kind: 'nsh', offset });
      const nsh = parseNshChain(bytes, offset);
      // What is cut or damaged is the fault of its telemetry.
      if (nsh instanceof WireFault) return { tags, ip: undefined };
      ({ etherType, offset } = nsh.behind);
      continue;
    }
    const kind = tagKind(etherType, settings);
    if (kind === undefined) {
      const ip = parseIp({ etherType, offset }, place, settings);
      return ip instanceof WireFault ? ip : { tags, ip };
    }
    // Its EtherType is in front of it, and that of what follows at its end.
    const at = offset - 2;
    const need = TAG_LENGTH[kind] + 2;
    if (bytes.length < at + need) return truncated(kind, at, need, bytes.length);
    if (kind !== 'vlan') tags.push({ kind, offset: at });
    etherType = readUint16(bytes, at + TAG_LENGTH[kind]);
    offset = at + need;
  }
}

const TAG_LENGTH = {
  vlan: VLAN_LENGTH,
  csig: CSIG_LENGTH,
  'csig-wide': CSIG_WIDE.size,
  ccm: CCM_TAG_LENGTH,
} as const;

function tagKind(etherType: number, settings: DecodeSettings): keyof typeof TAG_LENGTH | undefined {
  if (etherType === ETHERTYPE_VLAN || etherType === ETHERTYPE_SERVICE_VLAN) return 'vlan';
  if (etherType === settings.csigTpid) return 'csig';
  if (etherType === settings.csigWideTpid) return 'csig-wide';
  return etherType === settings.ccmTpid ? 'ccm' : undefined;
}

const ETHERTYPES_MPLS: readonly number[] = [0x8847, 0x8848];
const MPLS_LENGTH = 4;

/** Finds the packet behind the bottom label of a stack of MPLS (RFC 3032): IP where its version says so. */
function behindMpls(bytes: Uint8Array, offset: number): LinkPayload | WireFault {
  for (let at = offset; ; at += MPLS_LENGTH) {
    if (bytes.length < at + MPLS_LENGTH) return truncated('mpls', at, MPLS_LENGTH, bytes.length);
    const isBottom = ((bytes[at + 2] as number) & 1) === 1;
    if (isBottom) return byVersion(bytes, at + MPLS_LENGTH);
  }
}

function parseIp(
  link: LinkPayload,
  { bytes, wireEnd }: FramePlace,
  settings: DecodeSettings,
): IpLayer | WireFault | undefined {
  const isMpls = ETHERTYPES_MPLS.includes(link.etherType);
  const network = isMpls ? behindMpls(bytes, link.offset) : link;
  if (network instanceof WireFault) return network;
  const { etherType, offset } = network;
  const frameEnd = Math.max(bytes.length, wireEnd);
  if (etherType !== ETHERTYPE_IPV4 && etherType !== ETHERTYPE_IPV6) return undefined;
  const ip =
    etherType === ETHERTYPE_IPV4
      ? ipv4Layer(bytes, offset, frameEnd)
      : ipv6Layer(bytes, offset, frameEnd);
  return ip instanceof WireFault ? ip : withIfa(bytes, ip, settings);
}

function ipv4Layer(bytes: Uint8Array, offset: number, frameEnd: number): IpLayer | WireFault {
  const header = parseIpv4(bytes, offset, frameEnd);
  if (header instanceof WireFault) return header;
  return {
    offset,
    source: ipv4Text(header.source),
    destination: ipv4Text(header.destination),
    dscp: header.dscp,
    protocol: header.protocol,
    options: [],
    ifa: undefined,
    payloadOffset: offset + header.headerLength,
    end: Math.min(bytes.length, offset + header.totalLength),
    wireEnd: offset + header.totalLength,
  };
}

function ipv6Layer(bytes: Uint8Array, offset: number, frameEnd: number): IpLayer | WireFault {
  if (bytes.length < offset + IPV6_LENGTH) {
    return truncated('ipv6', offset, IPV6_LENGTH, bytes.length);
  }
  const header = parseIpv6(bytes, offset, frameEnd);
  if (header instanceof WireFault) return header;
  const wireEnd = offset + IPV6_LENGTH + header.payloadLength;
  const end = Math.min(bytes.length, wireEnd);
  const options: Ipv6Option[] = [];
  let at = offset + IPV6_LENGTH;
  let protocol = header.nextHeader;
  while (protocol === NEXT_HOP_BY_HOP || protocol === NEXT_DESTINATION_OPTIONS) {
    const extension = parseIpv6Options(bytes, at, end);
    if (extension instanceof WireFault) return extension;
    options.push(...extension.options);
    protocol = extension.nextHeader;
    at += extension.length;
  }
  return {
    offset,
    source: ipv6Text(header.source),
    destination: ipv6Text(header.destination),
    dscp: header.trafficClass >>> 2,
    protocol,
    options,
    ifa: undefined,
    payloadOffset: at,
    end,
    wireEnd,
  };
}

/** The IFA header lies between IP and the transport header, whose protocol it names. */
function withIfa(bytes: Uint8Array, ip: IpLayer, settings: DecodeSettings): IpLayer | WireFault {
  if (!settings.ifaProtocols.includes(ip.protocol)) return ip;
  const ifa = parseIfaHeader(bytes, ip.payloadOffset, ip.end);
  if (ifa instanceof WireFault) return ifa;
  const payloadOffset = ip.payloadOffset + IFA_HEADER_LENGTH;
  return { ...ip, ifa, protocol: ifa.nextHeader, payloadOffset };
}

/** True if the two given words start at `at`. */
export const startsWith = (
  bytes: Uint8Array,
  { at, end }: { readonly at: number; readonly end: number },
  [first, second]: readonly [number, number],
): boolean =>
  end >= at + 8 && readUint32(bytes, at) === first && readUint32(bytes, at + 4) === second;

/** Dotted decimal. PERF: a capture has few addresses; their texts are kept, of so many at a time. */
function ipv4Text(address: number): string {
  const known = IPV4_TEXTS.get(address);
  if (known !== undefined) return known;
  const text = [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
  if (IPV4_TEXTS.size >= IPV4_TEXTS_MAX) IPV4_TEXTS.clear();
  IPV4_TEXTS.set(address, text);
  return text;
}

const IPV4_TEXTS = new Map<number, string>();
const IPV4_TEXTS_MAX = 4096;

/** The canonical form of RFC 5952: the longest run of two or more zero groups becomes `::`. */
export function ipv6Text(address: Ipv6Address): string {
  const groups = address.flatMap((word) => [word >>> 16, word & 0xffff]);
  const run = longestZeroRun(groups);
  const hex = (part: readonly number[]): string =>
    part.map((group) => group.toString(16)).join(':');
  if (run.length < 2) return hex(groups);
  return `${hex(groups.slice(0, run.at))}::${hex(groups.slice(run.at + run.length))}`;
}

function longestZeroRun(groups: readonly number[]): { at: number; length: number } {
  let best = { at: 0, length: 0 };
  let length = 0;
  groups.forEach((group, i) => {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { at: i + 1 - length, length };
  });
  return best;
}

/** The UDP or TCP header of a frame. Offsets count bytes from its start. */
export interface TransportLayer {
  readonly protocol: 'tcp' | 'udp';
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly offset: number;
  readonly payloadOffset: number;
  /** End of what was captured of the payload. */
  readonly end: number;
  /** End of the payload on the wire. */
  readonly wireEnd: number;
  /** True if its DSCP says that a switch has cut the packet to its headers; absent: no. */
  readonly isTrimmed?: boolean;
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
    const ports = { sourcePort, destinationPort, offset, payloadOffset };
    return { protocol: 'tcp', ...ports, end: ip.end, wireEnd: ip.wireEnd };
  }
  if (ip.protocol !== PROTOCOL_UDP) return undefined;
  if (ip.end < offset + UDP_LENGTH) return truncated('udp', offset, UDP_LENGTH, ip.end);
  // The length may reach beyond what was captured, and IFA's metadata beyond the length.
  const udp = parseUdpHeader(bytes, offset, offset + 0xffff);
  if (udp instanceof WireFault) return udp;
  const { sourcePort, destinationPort } = udp;
  const payloadOffset = offset + UDP_LENGTH;
  const ports = { sourcePort, destinationPort, offset, payloadOffset };
  return { protocol: 'udp', ...ports, end: ip.end, wireEnd: ip.wireEnd };
}

/** Addresses, ports and DSCP of a frame's IP packet; undefined where it has none. */
export function flowOf({
  ip,
  transport,
}: {
  readonly ip: IpLayer | undefined;
  readonly transport: TransportLayer | undefined;
}): object | undefined {
  if (ip === undefined) return undefined;
  const { source, destination, dscp, protocol } = ip;
  if (transport === undefined) return { source, destination, protocol, dscp };
  const { sourcePort, destinationPort } = transport;
  const name = transport.protocol;
  return { source, destination, protocol: name, sourcePort, destinationPort, dscp };
}
