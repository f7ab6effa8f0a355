import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { readUint16, readUint48 } from '../../../common/wire/bytes';
import { ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import { truncated, WireFault } from '../../../common/wire/fault';
import type { ReceivedTransport } from '../../../common/wire/hpcc/hpcc-transport';
import {
  HPCC_TRANSPORT_PORT,
  noTransportHeader,
  parseHpccTransport,
  parseTrimmedData,
} from '../../../common/wire/hpcc/hpcc-transport';
import {
  parsePathShim,
  PATH_SHIM_LENGTH,
  PATH_SHIM_PORT,
} from '../../../common/wire/hpcc/path-shim';
import { INT_DSCP } from '../../../common/wire/int/int-md';
import { originalDscpAt } from '../../../common/wire/int/int-shim';
import { TRIMMED_DSCP } from '../../../common/wire/ip/trimming';
import { PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { udpFault, udpField, UDP_LENGTH } from '../../../common/wire/ip/udp';
import type { UdpContext } from '../../../common/wire/ip/udp';
import type { Carrier, FoundHeaders } from '../../carrier/carrier';
import { INT_CARRIER } from '../../carrier/int-carrier';
import { noIpFacts } from '../../carrier/network-layer';
import type { IpFacts } from '../../carrier/network-layer';

/** A frame of our transport whose lengths and checksums are right. */
export interface ReceivedFrame {
  readonly transport: ReceivedTransport;
  readonly sourceAddress: number;
  readonly sourcePort: number;
  readonly sourceMac: number;
  /** A switch has set the ECN field to "congestion experienced". */
  readonly isMarked: boolean;
  /** A switch has cut the payload, of which there may be some bytes left. */
  readonly isTrimmed: boolean;
  /** Place of the telemetry, or of the shim that others have instead; length 0: neither is there. */
  readonly telemetryAt: number;
  readonly telemetryLength: Bytes;
  /** Reason why telemetry was refused, although the data behind it could be found. */
  readonly telemetryFault: WireFault | undefined;
}

/** Why a frame of either framing was dropped before it was known what it means. */
export type FrameRejection =
  | { readonly reason: 'malformed'; readonly fault: WireFault }
  | { readonly reason: 'not-for-this-host' | 'other-protocol' | 'bad-icrc' };

export const NOT_FOR_THIS_HOST: FrameRejection = { reason: 'not-for-this-host' };
export const OTHER_PROTOCOL: FrameRejection = { reason: 'other-protocol' };

export function malformed(fault: WireFault): FrameRejection {
  return { reason: 'malformed', fault };
}

const NOTHING: FoundHeaders = { skip: 0, telemetryAt: 0, telemetryLength: 0, fault: undefined };
/** Places in an Ethernet header. */
const SOURCE_MAC_AT = 6;
const ETHER_TYPE_AT = 12;

type Mutable<Record> = { -readonly [Name in keyof Record]: Record[Name] };

/** The records that {@link parseFrame} fills in; whoever gives the same again keeps none of them. */
export class FrameRecords {
  readonly ip: Mutable<IpFacts> = noIpFacts();
  readonly udp: Mutable<UdpContext> = {
    source: 0,
    destination: 0,
    offset: 0,
    end: 0,
    gap: 0,
    prefixSum: undefined,
  };
  readonly transport = noTransportHeader();
  /** Behind the Ethernet header, behind that of IP, and behind that of UDP. */
  link = NOTHING;
  network = NOTHING;
  datagram = NOTHING;
  readonly frame: Mutable<ReceivedFrame> = {
    transport: this.transport,
    sourceAddress: 0,
    sourcePort: 0,
    sourceMac: 0,
    isMarked: false,
    isTrimmed: false,
    telemetryAt: 0,
    telemetryLength: 0,
    telemetryFault: undefined,
  };
}

/**
 * Checks every length and checksum of a frame for the host at `address`. After this step nothing
 * about the frame's bytes can fail except the contents of an echo.
 *
 * @param carrier what the host's frames ask switches with. Default: INT.
 * @param records hold what is returned. PERF: a host has one set for all frames, so that none costs an
 *   allocation.
 */
export function parseFrame(
  packet: Packet,
  address: number,
  carrier: Carrier = INT_CARRIER,
  records = new FrameRecords(),
): ReceivedFrame | FrameRejection {
  const { bytes } = packet;
  records.frame.isTrimmed = false;
  const fault = openIp(packet, carrier, records) ?? openUdp(bytes, address, carrier, records);
  if (fault !== undefined) return fault instanceof WireFault ? malformed(fault) : fault;
  const { frame, ip, udp } = records;
  const telemetry = telemetryOf(records);
  frame.sourceAddress = ip.source;
  frame.sourcePort = udpField.sourcePort(bytes, udp.offset);
  frame.sourceMac = readUint48(bytes, SOURCE_MAC_AT);
  frame.isMarked = ip.ecn === ECN_CE;
  frame.telemetryAt = telemetry.telemetryAt;
  frame.telemetryLength = telemetry.telemetryLength;
  frame.telemetryFault = telemetry.fault;
  return frame;
}

type Refused = WireFault | FrameRejection | undefined;

/** Reads what stands before UDP. */
function openIp({ bytes, length }: Packet, carrier: Carrier, records: FrameRecords): Refused {
  if (bytes.length < ETHERNET_LENGTH) {
    return truncated('ethernet', 0, ETHERNET_LENGTH, bytes.length);
  }
  const announced = readUint16(bytes, ETHER_TYPE_AT);
  const link = openLink(bytes, announced, carrier);
  if (link instanceof WireFault) return link;
  records.link = link;
  const ipAt = ETHERNET_LENGTH + link.skip;
  const etherType = link === NOTHING ? announced : readUint16(bytes, ipAt - 2);
  if (etherType !== carrier.network.etherType) return OTHER_PROTOCOL;
  const ip = carrier.network.parse(bytes, ipAt, length, records.ip);
  if (ip instanceof WireFault) return ip;
  return ip === undefined ? OTHER_PROTOCOL : undefined;
}

function openUdp(
  bytes: Uint8Array,
  address: number,
  carrier: Carrier,
  records: FrameRecords,
): Refused {
  const { ip, udp } = records;
  if (ip.destination !== address) return NOT_FOR_THIS_HOST;
  const network = openNetwork(bytes, ip, carrier);
  if (network === undefined) return OTHER_PROTOCOL;
  if (network instanceof WireFault) return network;
  records.network = network;
  const udpAt = ip.payloadAt + network.skip;
  // Headers that UDP's length does not count lie only where headers behind IP announce them.
  const isUncounted = carrier.datagramHeaders?.isCounted === false && network.skip > 0;
  const uncounted = isUncounted
    ? (carrier.datagramHeaders?.find(bytes, udpAt + UDP_LENGTH, ip.end) ?? NOTHING)
    : NOTHING;
  if (uncounted instanceof WireFault) return uncounted;
  records.datagram = uncounted;
  const { prefixSum } = carrier.network;
  udp.source = ip.source;
  udp.destination = ip.destination;
  udp.offset = udpAt;
  udp.end = ip.end;
  udp.gap = uncounted.skip;
  const isUnsummed = prefixSum === 0 || isCutWithoutSum(bytes, ip, udpAt);
  udp.prefixSum = isUnsummed ? undefined : prefixSum;
  return udpFault(bytes, udp) ?? openDatagram(bytes, isUncounted, carrier, records);
}

/** True if the packet's DSCP, or the one that INT has taken the place of, is that of packets which were cut. */
export const hasTrimmedDscp = (
  bytes: Uint8Array,
  { dscp }: Pick<IpFacts, 'dscp'>,
  datagramAt: number,
): boolean => (dscp === INT_DSCP ? originalDscpAt(bytes, datagramAt) : dscp) === TRIMMED_DSCP;

/** Over IPv6 datagrams have checksums, but for what is left of those that a switch has cut. */
const isCutWithoutSum = (bytes: Uint8Array, ip: IpFacts, udpAt: number): boolean =>
  bytes.length >= udpAt + UDP_LENGTH &&
  udpField.checksum(bytes, udpAt) === 0 &&
  hasTrimmedDscp(bytes, ip, udpAt + UDP_LENGTH);

function openDatagram(
  bytes: Uint8Array,
  isUncounted: boolean,
  carrier: Carrier,
  records: FrameRecords,
): Refused {
  const { ip, udp } = records;
  const { offset, gap = 0 } = udp;
  const datagramAt = offset + UDP_LENGTH;
  const destinationPort = udpField.destinationPort(bytes, offset);
  const hasShim = destinationPort === PATH_SHIM_PORT;
  if (destinationPort !== HPCC_TRANSPORT_PORT && !hasShim) return OTHER_PROTOCOL;
  const end = offset + gap + udpField.length(bytes, offset);
  const counted = hasShim
    ? locateShim(bytes, datagramAt)
    : isUncounted
      ? records.datagram
      : ip.dscp === carrier.dscp
        ? (carrier.datagramHeaders?.find(bytes, datagramAt, end) ?? NOTHING)
        : NOTHING;
  if (counted instanceof WireFault) return counted;
  records.datagram = counted;
  const at = datagramAt + counted.skip;
  const transport = parseHpccTransport(bytes, at, end, records.transport);
  if (!(transport instanceof WireFault)) return undefined;
  if (!hasTrimmedDscp(bytes, ip, datagramAt)) return transport;
  const cut = parseTrimmedData(bytes, at, end, records.transport);
  if (cut instanceof WireFault) return cut;
  records.frame.isTrimmed = true;
  return undefined;
}

/** The one of the places where switches have written; if none has, the last, whose fault counts. */
function telemetryOf({ link, network, datagram }: FrameRecords): FoundHeaders {
  if (link.telemetryLength > 0) return link;
  return network.telemetryLength > 0 || network.fault !== undefined ? network : datagram;
}

function openLink(
  bytes: Uint8Array,
  etherType: number,
  { linkHeaders }: Carrier,
): FoundHeaders | WireFault {
  if (linkHeaders?.etherType !== etherType) return NOTHING;
  return linkHeaders.find(bytes, ETHERNET_LENGTH, bytes.length);
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

function locateShim(bytes: Uint8Array, at: number): FoundHeaders | WireFault {
  const shim = parsePathShim(bytes, at);
  if (shim instanceof WireFault) return shim;
  return {
    skip: PATH_SHIM_LENGTH,
    telemetryAt: at,
    telemetryLength: PATH_SHIM_LENGTH,
    fault: undefined,
  };
}

const ECN_CE = 3;
