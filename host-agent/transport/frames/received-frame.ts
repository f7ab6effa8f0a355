import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { readUint16 } from '../../../common/wire/bytes';
import { ETHERNET_LENGTH, parseEthernet } from '../../../common/wire/ip/ethernet';
import { WireFault } from '../../../common/wire/fault';
import type { HpccTransportHeader } from '../../../common/wire/hpcc/hpcc-transport';
import {
  hpccTransportLength,
  HPCC_TRANSPORT_PORT,
  parseHpccTransport,
} from '../../../common/wire/hpcc/hpcc-transport';
import {
  parsePathShim,
  PATH_SHIM_LENGTH,
  PATH_SHIM_PORT,
} from '../../../common/wire/hpcc/path-shim';
import { PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { parseUdp, UDP_LENGTH } from '../../../common/wire/ip/udp';
import type { Carrier, FoundHeaders } from '../../carrier/carrier';
import { INT_CARRIER } from '../../carrier/int-carrier';
import type { IpFacts } from '../../carrier/network-layer';

/** A frame of our transport whose lengths and checksums are right. */
export interface ReceivedFrame {
  readonly transport: HpccTransportHeader;
  readonly sourceAddress: number;
  readonly sourcePort: number;
  readonly sourceMac: number;
  /** A switch has set the ECN field to "congestion experienced". */
  readonly isMarked: boolean;
  /** Offset of the payload (DATA) or the echo (ACK). */
  readonly bodyAt: number;
  /** What switches have written, or the shim that others have in its place; length 0: neither is there. */
  readonly telemetryAt: number;
  readonly telemetryLength: Bytes;
  /** Why telemetry was refused, although the data behind them could be found. */
  readonly telemetryFault: WireFault | undefined;
}

/** Why a frame was dropped. */
export type FrameRejection =
  | { readonly reason: 'malformed'; readonly fault: WireFault }
  | { readonly reason: 'not-for-this-host' }
  | { readonly reason: 'other-protocol' };

/**
 * Checks every length and checksum of a frame for the host at `address`. After this step nothing
 * about the frame's bytes can fail except the contents of an echo.
 *
 * @param carrier what the host's frames ask switches with. Default: INT.
 */
export function parseFrame(
  packet: Packet,
  address: number,
  carrier: Carrier = INT_CARRIER,
): ReceivedFrame | FrameRejection {
  const { bytes, length: frameEnd } = packet;
  const ethernet = parseEthernet(bytes);
  if (ethernet instanceof WireFault) return malformed(ethernet);
  const link = openLink(bytes, ethernet.etherType, carrier);
  if (link instanceof WireFault) return malformed(link);
  if (link.etherType !== carrier.network.etherType) return OTHER_PROTOCOL;
  const ip = carrier.network.parse(bytes, ETHERNET_LENGTH + link.skip, frameEnd);
  if (ip instanceof WireFault) return malformed(ip);
  if (ip === undefined) return OTHER_PROTOCOL;
  if (ip.destination !== address) return NOT_FOR_THIS_HOST;
  const network = openNetwork(bytes, ip, carrier);
  if (network instanceof WireFault) return malformed(network);
  if (network === undefined) return OTHER_PROTOCOL;
  return openDatagram(bytes, { ethernet, ip, link, network, carrier });
}

interface Outside {
  readonly ethernet: { readonly source: number };
  readonly ip: IpFacts;
  readonly link: FoundHeaders;
  readonly network: FoundHeaders;
  readonly carrier: Carrier;
}

function openDatagram(bytes: Uint8Array, outside: Outside): ReceivedFrame | FrameRejection {
  const { ethernet, ip, network, carrier } = outside;
  const udpAt = ip.payloadAt + network.skip;
  const datagramAt = udpAt + UDP_LENGTH;
  // What UDP does not count lies only where headers behind IP announce it.
  const isUncounted = carrier.datagramHeaders?.isCounted === false && network.skip > 0;
  const uncounted = isUncounted
    ? (carrier.datagramHeaders?.find(bytes, datagramAt, ip.end) ?? NOTHING)
    : NOTHING;
  if (uncounted instanceof WireFault) return malformed(uncounted);
  const { prefixSum } = carrier.network;
  const udp = parseUdp(bytes, {
    ...{ source: ip.source, destination: ip.destination, offset: udpAt, end: ip.end },
    gap: uncounted.skip,
    ...(prefixSum !== 0 && { prefixSum }),
  });
  if (udp instanceof WireFault) return malformed(udp);
  const hasShim = udp.destinationPort === PATH_SHIM_PORT;
  if (udp.destinationPort !== HPCC_TRANSPORT_PORT && !hasShim) return OTHER_PROTOCOL;
  const end = udpAt + uncounted.skip + udp.length;
  const counted = hasShim
    ? locateShim(bytes, datagramAt)
    : isUncounted
      ? uncounted
      : findMarked(bytes, datagramAt, { end, dscp: ip.dscp, carrier });
  if (counted instanceof WireFault) return malformed(counted);
  const transportAt = datagramAt + counted.skip;
  const transport = parseHpccTransport(bytes, transportAt, end);
  if (transport instanceof WireFault) return malformed(transport);
  const telemetry = telemetryOf(outside, counted);
  return {
    transport,
    sourceAddress: ip.source,
    sourcePort: udp.sourcePort,
    sourceMac: ethernet.source,
    isMarked: ip.ecn === ECN_CE,
    bodyAt: transportAt + hpccTransportLength(transport),
    telemetryAt: telemetry.telemetryAt,
    telemetryLength: telemetry.telemetryLength,
    telemetryFault: telemetry.fault,
  };
}

/** The one of the places where switches have written; if none has, the last, whose fault counts. */
function telemetryOf({ link, network }: Outside, datagram: FoundHeaders): FoundHeaders {
  if (link.telemetryLength > 0) return link;
  return network.telemetryLength > 0 || network.fault !== undefined ? network : datagram;
}

function openLink(
  bytes: Uint8Array,
  etherType: number,
  { linkHeaders }: Carrier,
): (FoundHeaders & { readonly etherType: number }) | WireFault {
  if (linkHeaders?.etherType !== etherType) return { ...NOTHING, etherType };
  const found = linkHeaders.find(bytes, ETHERNET_LENGTH, bytes.length);
  if (found instanceof WireFault) return found;
  return { ...found, etherType: readUint16(bytes, ETHERNET_LENGTH + found.skip - 2) };
}

/** Undefined for another protocol than UDP. */
function openNetwork(
  bytes: Uint8Array,
  { protocol, payloadAt, end }: IpFacts,
  { networkHeaders }: Carrier,
): FoundHeaders | WireFault | undefined {
  if (protocol === PROTOCOL_UDP) return NOTHING;
  if (protocol !== networkHeaders?.protocol) return undefined;
  return networkHeaders.find(bytes, payloadAt, end);
}

/** Headers that a DSCP announces. */
function findMarked(
  bytes: Uint8Array,
  at: number,
  { end, dscp, carrier }: { end: number; dscp: number; carrier: Carrier },
): FoundHeaders | WireFault {
  if (dscp !== carrier.dscp) return NOTHING;
  return carrier.datagramHeaders?.find(bytes, at, end) ?? NOTHING;
}

function locateShim(bytes: Uint8Array, at: number): FoundHeaders | WireFault {
  const shim = parsePathShim(bytes, at);
  if (shim instanceof WireFault) return shim;
  return { skip: PATH_SHIM_LENGTH, telemetryAt: at, telemetryLength: PATH_SHIM_LENGTH };
}

function malformed(fault: WireFault): FrameRejection {
  return { reason: 'malformed', fault };
}

const ECN_CE = 3;
const NOTHING: FoundHeaders = { skip: 0, telemetryAt: 0, telemetryLength: 0 };
const NOT_FOR_THIS_HOST: FrameRejection = { reason: 'not-for-this-host' };
const OTHER_PROTOCOL: FrameRejection = { reason: 'other-protocol' };
