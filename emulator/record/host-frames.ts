import type { Packet } from '../../common/packet/packet';
import { readUint16 } from '../../common/wire/bytes';
import {
  HPCC_DATA,
  HPCC_TRANSPORT_LENGTH,
  readFlowId,
} from '../../common/wire/hpcc/hpcc-transport';
import { INT_DSCP } from '../../common/wire/int/int-md';
import { ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import type { Carrier } from '../../host-agent/carrier/carrier';
import { roceFrameInfo } from './roce-frame';

const ETHERTYPE_AT = 12;
/** Within the IP header. */
const IPV4_PROTOCOL = 9;
const IPV6_NEXT_HEADER = 6;
/** Within the shim of INT, which keeps the DSCP that INT has taken the place of. */
const CLASS_AT = 3;

/** Id of the flow whose data has its transport header at `at`; undefined for other packets. */
export function transportDataFlow(bytes: Uint8Array, at: number): number | undefined {
  const isData = ((bytes[at] ?? 0) & 0xf) === HPCC_DATA;
  return isData && bytes.length >= at + HPCC_TRANSPORT_LENGTH ? readFlowId(bytes, at) : undefined;
}

/** Frames of hosts, as an observer looks at them while they leave: no switch has added anything. */
export class HostFrames {
  readonly carrier: Carrier;

  constructor(carrier: Carrier) {
    this.carrier = carrier;
  }

  /** Offset of the transport header. PERF: asked for every frame, so it is a number by itself. */
  transportAt(bytes: Uint8Array): number {
    const { datagramHeaders, dscp } = this.carrier;
    const udpAt = this.#udpAt(bytes);
    const isAsking = this.#hasNetwork(bytes) || this.#dscp(bytes) === dscp;
    return udpAt + UDP_LENGTH + (isAsking ? (datagramHeaders?.length ?? 0) : 0);
  }

  /** True if the frame requests telemetry. */
  requestsTelemetry(bytes: Uint8Array): boolean {
    const { datagramHeaders, dscp } = this.carrier;
    const hasNetwork = this.#hasNetwork(bytes);
    const hasDatagram = datagramHeaders !== undefined && this.#dscp(bytes) === dscp;
    return this.#ipAt(bytes) > ETHERNET_LENGTH || hasNetwork || hasDatagram;
  }

  #ipAt(bytes: Uint8Array): number {
    const { linkHeaders } = this.carrier;
    const hasLink =
      linkHeaders !== undefined && readUint16(bytes, ETHERTYPE_AT) === linkHeaders.etherType;
    return ETHERNET_LENGTH + (hasLink ? linkHeaders.length : 0);
  }

  #udpAt(bytes: Uint8Array): number {
    const { network, networkHeaders } = this.carrier;
    const between = this.#hasNetwork(bytes) ? (networkHeaders?.length ?? 0) : 0;
    return this.#ipAt(bytes) + network.headerLength + between;
  }

  /** True if the headers of telemetry follow that of IP. */
  #hasNetwork(bytes: Uint8Array): boolean {
    const { network, networkHeaders } = this.carrier;
    if (networkHeaders === undefined) return false;
    const isIpv4 = network.etherType === ETHERTYPE_IPV4;
    return (
      bytes[this.#ipAt(bytes) + (isIpv4 ? IPV4_PROTOCOL : IPV6_NEXT_HEADER)] ===
      networkHeaders.protocol
    );
  }

  #dscp(bytes: Uint8Array): number {
    const ipAt = this.#ipAt(bytes);
    return this.carrier.network.etherType === ETHERTYPE_IPV4
      ? (bytes[ipAt + 1] as number) >>> 2
      : (readUint16(bytes, ipAt) >>> 6) & 0x3f;
  }

  /** Id, at its sender, of the flow whose data a frame carries; undefined for all others. */
  dataFlowOf(packet: Packet): number | undefined {
    const roce = roceFrameInfo(packet, this.carrier);
    if (roce !== undefined) return roce.purpose === 'data' ? roce.flow : undefined;
    const { bytes } = withoutTag(packet);
    return transportDataFlow(bytes, this.transportAt(bytes));
  }

  /** DSCP of the class of a packet. */
  classOf(packet: Packet): number {
    const { bytes } = withoutTag(packet);
    const dscp = this.#dscp(bytes);
    if (dscp !== this.carrier.dscp) return dscp;
    const isKept = dscp === INT_DSCP && !this.carrier.losesClass;
    return isKept ? (bytes[this.#udpAt(bytes) + UDP_LENGTH + CLASS_AT] as number) >>> 2 : 0;
  }
}
