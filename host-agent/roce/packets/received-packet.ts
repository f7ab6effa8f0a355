import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import type { Bth } from '../../../common/wire/roce/bth';
import { BTH_LENGTH, ROCE_PORT } from '../../../common/wire/roce/bth';
import { readUint16 } from '../../../common/wire/bytes';
import { ETHERNET_LENGTH, parseEthernet } from '../../../common/wire/ip/ethernet';
import { WireFault } from '../../../common/wire/fault';
import { ICRC_LENGTH, icrcOfParts, readIcrc } from '../../../common/wire/roce/icrc';
import { PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { parseUdp, UDP_LENGTH } from '../../../common/wire/ip/udp';
import type { Carrier, FoundHeaders } from '../../carrier/carrier';
import type { NetworkLayer } from '../../carrier/network-layer';
import type { FrameRejection } from '../../transport/frames/received-frame';
import {
  hasTrimmedDscp,
  malformed,
  NOT_FOR_THIS_HOST,
  OTHER_PROTOCOL,
} from '../../transport/frames/received-frame';
import { fillIcrcHead, newIcrcHead } from './icrc-head';
import type { RoceContent } from './roce-packet';
import { readBth, readContent } from './roce-packet';

/** Place of the checksum in the UDP header. */
const UDP_CHECKSUM = 6;
/** RFC 3168. */
const ECN_CE = 3;

/** A RoCEv2 packet whose lengths, checksums and ICRC are right; one that a switch has cut has no ICRC any more. */
export interface ReceivedPacket {
  readonly bth: Bth;
  readonly content: RoceContent;
  readonly sourceAddress: number;
  readonly sourcePort: number;
  readonly sourceMac: number;
  /** A switch has marked it as one that met congestion (ECN CE). */
  readonly isMarked: boolean;
  /** A switch has cut the payload, of which there may be some bytes left. */
  readonly isTrimmed: boolean;
  readonly bthAt: number;
  /** End of what lies behind the BTH, without the bytes that fill its last word. */
  readonly end: number;
  /** Place of the telemetry; `telemetryLength` is 0 without it and when its contents were refused. */
  readonly telemetryAt: number;
  readonly telemetryLength: Bytes;
  readonly telemetryFault: WireFault | undefined;
}

/** Checks all of a packet for the host at `address`, the ICRC included. */
export function parsePacket(
  packet: Packet,
  address: number,
  {
    dscp,
    losesClass,
    datagramHeaders,
    network,
  }: Pick<Carrier, 'dscp' | 'losesClass' | 'datagramHeaders' | 'network'>,
): ReceivedPacket | FrameRejection {
  const { bytes } = packet;
  const ethernet = parseEthernet(bytes);
  if (ethernet instanceof WireFault) return malformed(ethernet);
  if (ethernet.etherType !== network.etherType) return OTHER_PROTOCOL;
  const ip = network.parse(bytes, ETHERNET_LENGTH, packet.length);
  if (ip === undefined) return OTHER_PROTOCOL;
  if (ip instanceof WireFault) return malformed(ip);
  if (ip.destination !== address) return NOT_FOR_THIS_HOST;
  const udpAt = ETHERNET_LENGTH + network.headerLength;
  if (ip.payloadAt !== udpAt || ip.protocol !== PROTOCOL_UDP) return OTHER_PROTOCOL;
  const { source, destination, end } = ip;
  // RoCEv2 has no checksum over IPv6 either.
  const isSummed =
    bytes.length > udpAt + UDP_CHECKSUM + 1 && readUint16(bytes, udpAt + UDP_CHECKSUM) > 0;
  const prefixSum = isSummed ? network.prefixSum : undefined;
  const udp = parseUdp(bytes, { source, destination, offset: udpAt, end, prefixSum });
  if (udp instanceof WireFault) return malformed(udp);
  if (udp.destinationPort !== ROCE_PORT) return OTHER_PROTOCOL;
  const datagramEnd = udpAt + udp.length;
  const afterUdp = udpAt + UDP_LENGTH;
  const isAsking = ip.dscp === dscp && datagramHeaders !== undefined;
  const headers = isAsking
    ? datagramHeaders.find(bytes, afterUdp, datagramEnd)
    : { skip: 0, telemetryAt: afterUdp, telemetryLength: 0 };
  if (headers instanceof WireFault) return malformed(headers);
  const isMarked = ip.ecn === ECN_CE;
  // Behind a carrier that keeps no DSCP stand its own bits, such as times in the padding.
  const hasClass = ip.dscp !== dscp || !losesClass;
  const isTrimmed = hasClass && hasTrimmedDscp(bytes, ip, afterUdp);
  const from = { address: source, port: udp.sourcePort, mac: ethernet.source, isMarked, isTrimmed };
  return parseBehind(packet, from, {
    headers,
    bthAt: afterUdp + headers.skip,
    datagramEnd,
    network,
  });
}

interface Origin {
  readonly address: number;
  readonly port: number;
  readonly mac: number;
  readonly isMarked: boolean;
  readonly isTrimmed: boolean;
}

interface Layout {
  /** Headers of the carrier. */
  readonly headers: FoundHeaders;
  readonly bthAt: number;
  readonly datagramEnd: number;
  readonly network: NetworkLayer;
}

function parseBehind(
  packet: Packet,
  from: Origin,
  { headers, bthAt, datagramEnd, network }: Layout,
): ReceivedPacket | FrameRejection {
  const { isTrimmed } = from;
  // What fills the last word and the ICRC are cut off, too.
  const end = isTrimmed ? datagramEnd : datagramEnd - ICRC_LENGTH;
  const found = readBth(packet.bytes, bthAt, end);
  if (found instanceof WireFault) return malformed(found);
  const bth = isTrimmed ? { ...found, padCount: 0 } : found;
  if (!isTrimmed && !hasGoodIcrc(packet, network, bthAt, end)) return BAD_ICRC;
  const content = readContent(packet, bth, { bthAt, end });
  if (content === undefined) return OTHER_PROTOCOL;
  if (content instanceof WireFault) return malformed(content);
  if (isTrimmed && content.kind !== 'send' && content.kind !== 'write') return OTHER_PROTOCOL;
  return {
    bth,
    content,
    sourceAddress: from.address,
    sourcePort: from.port,
    sourceMac: from.mac,
    isMarked: from.isMarked,
    isTrimmed,
    bthAt,
    end: end - bth.padCount,
    telemetryAt: headers.telemetryAt,
    telemetryLength: headers.telemetryLength,
    telemetryFault: headers.fault,
  };
}

/** The ICRC is that of the packet without telemetry: with the lengths that it had before. */
function hasGoodIcrc(
  { bytes, length, tail }: Packet,
  network: NetworkLayer,
  bthAt: number,
  end: number,
): boolean {
  const head = newIcrcHead(network);
  fillIcrcHead(head, bytes, network, bthAt);
  const isWhole = bytes.length >= end + ICRC_LENGTH;
  // Behind virtual zeros, the ICRC is what the frame ends with.
  if (!isWhole && (tail?.length !== ICRC_LENGTH || length !== end + ICRC_LENGTH)) return false;
  const to = Math.min(bytes.length, end);
  const rest = { bytes, from: bthAt + BTH_LENGTH, to, zeros: end - to };
  const found = isWhole || tail === undefined ? readIcrc(bytes, end) : readIcrc(tail, 0);
  return icrcOfParts(head, rest) === found;
}

const BAD_ICRC: FrameRejection = { reason: 'bad-icrc' };

/** The payload of a packet with data: its length, and the part of it that is stored. */
export function payloadOf(
  { content }: ReceivedPacket,
  { bytes }: Packet,
): { readonly length: Bytes; readonly stored: Uint8Array } {
  if (!('payloadAt' in content)) return { length: 0, stored: bytes.subarray(0, 0) };
  const { payloadAt, payloadLength: length } = content;
  return { length, stored: bytes.subarray(payloadAt, payloadAt + length) };
}
