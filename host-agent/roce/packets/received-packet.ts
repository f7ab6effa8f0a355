import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import type { Bth } from '../../../common/wire/roce/bth';
import { BTH_LENGTH, ROCE_PORT } from '../../../common/wire/roce/bth';
import { readUint16, writeUint16 } from '../../../common/wire/bytes';
import { ETHERNET_LENGTH, ETHERTYPE_IPV4, parseEthernet } from '../../../common/wire/ip/ethernet';
import { WireFault } from '../../../common/wire/fault';
import {
  ICRC_LENGTH,
  icrcOfParts,
  IPV4_ICRC_HEAD_LENGTH,
  readIcrc,
} from '../../../common/wire/roce/icrc';
import { IPV4_LENGTH, parseIpv4, PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { parseUdp, UDP_LENGTH } from '../../../common/wire/ip/udp';
import type { Carrier, FoundHeaders } from '../../carrier/carrier';
import type { FrameRejection } from '../../transport/frames/received-frame';
import {
  malformed,
  NOT_FOR_THIS_HOST,
  OTHER_PROTOCOL,
} from '../../transport/frames/received-frame';
import type { RoceContent } from './roce-packet';
import { readBth, readContent } from './roce-packet';

const UDP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const AFTER_UDP = UDP_AT + UDP_LENGTH;
/** RFC 3168. */
const ECN_CE = 3;

/** A RoCEv2 packet whose lengths, checksums and ICRC are right. */
export interface ReceivedPacket {
  readonly bth: Bth;
  readonly content: RoceContent;
  readonly sourceAddress: number;
  readonly sourcePort: number;
  readonly sourceMac: number;
  /** A switch has marked it as one that met congestion (ECN CE). */
  readonly isMarked: boolean;
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
  { dscp, datagramHeaders }: Pick<Carrier, 'dscp' | 'datagramHeaders'>,
): ReceivedPacket | FrameRejection {
  const { bytes } = packet;
  const ethernet = parseEthernet(bytes);
  if (ethernet instanceof WireFault) return malformed(ethernet);
  if (ethernet.etherType !== ETHERTYPE_IPV4) return OTHER_PROTOCOL;
  const ipv4 = parseIpv4(bytes, ETHERNET_LENGTH, packet.length);
  if (ipv4 instanceof WireFault) return malformed(ipv4);
  if (ipv4.destination !== address) return NOT_FOR_THIS_HOST;
  const isPlain = ipv4.headerLength === IPV4_LENGTH && ipv4.protocol === PROTOCOL_UDP;
  if (!isPlain) return OTHER_PROTOCOL;
  const { source, destination } = ipv4;
  const end = ETHERNET_LENGTH + ipv4.totalLength;
  const udp = parseUdp(bytes, { source, destination, offset: UDP_AT, end });
  if (udp instanceof WireFault) return malformed(udp);
  if (udp.destinationPort !== ROCE_PORT) return OTHER_PROTOCOL;
  const datagramEnd = UDP_AT + udp.length;
  const isAsking = ipv4.dscp === dscp && datagramHeaders !== undefined;
  const headers = isAsking ? datagramHeaders.find(bytes, AFTER_UDP, datagramEnd) : NO_HEADERS;
  if (headers instanceof WireFault) return malformed(headers);
  const isMarked = ipv4.ecn === ECN_CE;
  const from = { address: source, port: udp.sourcePort, mac: ethernet.source, isMarked };
  return parseBehind(packet, from, { headers, datagramEnd });
}

interface Origin {
  readonly address: number;
  readonly port: number;
  readonly mac: number;
  readonly isMarked: boolean;
}

interface Layout {
  /** Headers of the carrier. */
  readonly headers: FoundHeaders;
  readonly datagramEnd: number;
}

function parseBehind(
  packet: Packet,
  from: Origin,
  { headers, datagramEnd }: Layout,
): ReceivedPacket | FrameRejection {
  const bthAt = AFTER_UDP + headers.skip;
  const end = datagramEnd - ICRC_LENGTH;
  const bth = readBth(packet.bytes, bthAt, datagramEnd);
  if (bth instanceof WireFault) return malformed(bth);
  if (!hasGoodIcrc(packet, bthAt, end)) return BAD_ICRC;
  const content = readContent(packet, bth, { bthAt, end });
  if (content === undefined) return OTHER_PROTOCOL;
  if (content instanceof WireFault) return malformed(content);
  return {
    bth,
    content,
    sourceAddress: from.address,
    sourcePort: from.port,
    sourceMac: from.mac,
    isMarked: from.isMarked,
    bthAt,
    end: end - bth.padCount,
    telemetryAt: headers.telemetryAt,
    telemetryLength: headers.telemetryLength,
    telemetryFault: headers.fault,
  };
}

/** The ICRC is that of the packet without telemetry: with the lengths that it had before. */
function hasGoodIcrc({ bytes, length, tail }: Packet, bthAt: number, end: number): boolean {
  const head = new Uint8Array(IPV4_ICRC_HEAD_LENGTH);
  head.set(bytes.subarray(ETHERNET_LENGTH, AFTER_UDP));
  head.set(bytes.subarray(bthAt, bthAt + BTH_LENGTH), AFTER_UDP - ETHERNET_LENGTH);
  shorten(head, 2, bthAt - AFTER_UDP);
  shorten(head, IPV4_LENGTH + 4, bthAt - AFTER_UDP);
  const isWhole = bytes.length >= end + ICRC_LENGTH;
  // Behind virtual zeros, the ICRC is what the frame ends with.
  if (!isWhole && (tail?.length !== ICRC_LENGTH || length !== end + ICRC_LENGTH)) return false;
  const to = Math.min(bytes.length, end);
  const rest = { bytes, from: bthAt + BTH_LENGTH, to, zeros: end - to };
  const found = isWhole || tail === undefined ? readIcrc(bytes, end) : readIcrc(tail, 0);
  return icrcOfParts(head, rest) === found;
}

function shorten(head: Uint8Array, at: number, by: Bytes): void {
  writeUint16(head, at, readUint16(head, at) - by);
}

const NO_HEADERS: FoundHeaders = { skip: 0, telemetryAt: AFTER_UDP, telemetryLength: 0 };
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
