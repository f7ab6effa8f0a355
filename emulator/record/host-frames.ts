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

/** Offsets of a frame's headers. */
interface FramePlaces {
  readonly udpAt: number;
  readonly transportAt: number;
  readonly dscp: number;
  /** True if the frame requests telemetry. */
  readonly requestsTelemetry: boolean;
}

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

  /** PERF: for every packet, and no more than headers are looked at. */
  places(bytes: Uint8Array): FramePlaces {
    const { linkHeaders, network, networkHeaders, datagramHeaders, dscp: mark } = this.carrier;
    const hasLink =
      linkHeaders !== undefined && readUint16(bytes, ETHERTYPE_AT) === linkHeaders.etherType;
    const ipAt = ETHERNET_LENGTH + (hasLink ? linkHeaders.length : 0);
    const isIpv4 = network.etherType === ETHERTYPE_IPV4;
    const protocol = bytes[ipAt + (isIpv4 ? IPV4_PROTOCOL : IPV6_NEXT_HEADER)];
    const dscp = isIpv4
      ? (bytes[ipAt + 1] as number) >>> 2
      : (readUint16(bytes, ipAt) >>> 6) & 0x3f;
    const hasNetwork = networkHeaders !== undefined && protocol === networkHeaders.protocol;
    const udpAt = ipAt + network.headerLength + (hasNetwork ? networkHeaders.length : 0);
    const hasDatagram = datagramHeaders !== undefined && (hasNetwork || dscp === mark);
    const transportAt = udpAt + UDP_LENGTH + (hasDatagram ? datagramHeaders.length : 0);
    return { udpAt, transportAt, dscp, requestsTelemetry: hasLink || hasNetwork || hasDatagram };
  }

  /** Id, at its sender, of the flow whose data a frame carries; undefined for all others. */
  dataFlowOf(packet: Packet): number | undefined {
    const roce = roceFrameInfo(packet, this.carrier);
    if (roce !== undefined) return roce.purpose === 'data' ? roce.flow : undefined;
    const { bytes } = withoutTag(packet);
    const { transportAt: at } = this.places(bytes);
    return transportDataFlow(bytes, at);
  }

  /** DSCP of the class of a packet. */
  classOf(packet: Packet): number {
    const { bytes } = withoutTag(packet);
    const { udpAt, dscp } = this.places(bytes);
    if (dscp !== this.carrier.dscp) return dscp;
    const isKept = dscp === INT_DSCP && !this.carrier.losesClass;
    return isKept ? (bytes[udpAt + UDP_LENGTH + CLASS_AT] as number) >>> 2 : 0;
  }
}
