import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { ETHERNET_LENGTH, ETHERTYPE_IPV4, parseEthernet } from '../../../common/wire/ip/ethernet';
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
import { INT_DSCP, intMdLength, parseIntMd } from '../../../common/wire/int/int-md';
import { parseIpv4, PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { parseUdp, UDP_LENGTH } from '../../../common/wire/ip/udp';

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
  /** Where the INT bytes lie, or the shim that others have in their place; length 0: neither is there. */
  readonly intAt: number;
  readonly intLength: Bytes;
  /** Why the INT bytes were refused, although the data behind them could be found. */
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
 */
export function parseFrame(packet: Packet, address: number): ReceivedFrame | FrameRejection {
  const { bytes } = packet;
  const ethernet = parseEthernet(bytes);
  if (ethernet instanceof WireFault) return malformed(ethernet);
  if (ethernet.etherType !== ETHERTYPE_IPV4) return OTHER_PROTOCOL;
  const ipv4 = parseIpv4(bytes, ETHERNET_LENGTH, packet.length);
  if (ipv4 instanceof WireFault) return malformed(ipv4);
  if (ipv4.destination !== address) return NOT_FOR_THIS_HOST;
  if (ipv4.protocol !== PROTOCOL_UDP) return OTHER_PROTOCOL;
  const udpAt = ETHERNET_LENGTH + ipv4.headerLength;
  const context = {
    source: ipv4.source,
    destination: ipv4.destination,
    offset: udpAt,
    end: ETHERNET_LENGTH + ipv4.totalLength,
  };
  const udp = parseUdp(bytes, context);
  if (udp instanceof WireFault) return malformed(udp);
  const hasShim = udp.destinationPort === PATH_SHIM_PORT;
  if (udp.destinationPort !== HPCC_TRANSPORT_PORT && !hasShim) return OTHER_PROTOCOL;
  const int = hasShim
    ? locateShim(bytes, udpAt + UDP_LENGTH)
    : locateInt(bytes, udpAt + UDP_LENGTH, ipv4.dscp);
  if (int instanceof WireFault) return malformed(int);
  const transportAt = udpAt + UDP_LENGTH + int.skip;
  const transport = parseHpccTransport(bytes, transportAt, udpAt + udp.length);
  if (transport instanceof WireFault) return malformed(transport);
  return {
    transport,
    sourceAddress: ipv4.source,
    sourcePort: udp.sourcePort,
    sourceMac: ethernet.source,
    isMarked: ipv4.ecn === ECN_CE,
    bodyAt: transportAt + hpccTransportLength(transport),
    intAt: udpAt + UDP_LENGTH,
    intLength: int.telemetryFault === undefined ? int.skip : 0,
    telemetryFault: int.telemetryFault,
  };
}

interface IntLocation {
  /** Bytes from the end of the UDP header to the transport header. */
  readonly skip: Bytes;
  readonly telemetryFault: WireFault | undefined;
}

/**
 * DSCP says whether INT is there. Refused telemetry costs the flow one measurement, not its data,
 * as long as the shim says where the data begins.
 */
export function locateInt(bytes: Uint8Array, at: number, dscp: number): IntLocation | WireFault {
  if (dscp !== INT_DSCP) return WITHOUT_INT;
  const int = parseIntMd(bytes, at);
  if (!(int instanceof WireFault)) return { skip: int.length, telemetryFault: undefined };
  const length = intMdLength(bytes, at);
  return length instanceof WireFault ? length : { skip: length, telemetryFault: int };
}

function locateShim(bytes: Uint8Array, at: number): IntLocation | WireFault {
  const shim = parsePathShim(bytes, at);
  return shim instanceof WireFault ? shim : WITH_SHIM;
}

function malformed(fault: WireFault): FrameRejection {
  return { reason: 'malformed', fault };
}

const ECN_CE = 3;
const WITHOUT_INT: IntLocation = { skip: 0, telemetryFault: undefined };
const WITH_SHIM: IntLocation = { skip: PATH_SHIM_LENGTH, telemetryFault: undefined };
const NOT_FOR_THIS_HOST: FrameRejection = { reason: 'not-for-this-host' };
const OTHER_PROTOCOL: FrameRejection = { reason: 'other-protocol' };
