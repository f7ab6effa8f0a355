import type { Packet } from '../../common/packet/packet';
import { readUint16 } from '../../common/wire/bytes';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import { WireFault } from '../../common/wire/fault';
import {
  HPCC_DATA,
  HPCC_FLAG_TO_RECEIVER,
  HPCC_PROBE,
  HPCC_SETTINGS,
  HPCC_SWITCH_RESPONSE,
} from '../../common/wire/hpcc/hpcc-transport';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import type { Carrier } from '../carrier/carrier';
import { flowOfQpn, isInitiatorQpn } from '../roce/packets/connection-numbers';
import { parsePacket } from '../roce/packets/received-packet';
import { FrameRecords, parseFrame } from '../transport/frames/received-frame';

/** The flow that an arriving frame belongs to. */
export interface FrameOwner {
  readonly flow: number;
  /** True for a flow that this host has started. */
  readonly isOwn: boolean;
  /** IPv4 address of the frame's sender; undefined where a switch answers in its place. */
  readonly source: number | undefined;
}

/** Reads which flow a frame belongs to that has arrived at a host; undefined for other frames. */
export type FrameOwnerReader = (packet: Packet) => FrameOwner | undefined;

/** @param address IPv4 address of the host. */
export function frameOwnerReader(
  framing: 'hpcc' | 'rocev2',
  address: number,
  carrier: Carrier,
): FrameOwnerReader {
  if (framing === 'rocev2') return (packet) => roceOwner(packet, address, carrier);
  const records = new FrameRecords();
  return (packet) => {
    const frame = parseFrame(withoutTag(packet), address, carrier, records);
    if ('reason' in frame) return undefined;
    const { type, flags, flowId } = frame.transport;
    const isToReceiver = type === HPCC_SWITCH_RESPONSE && (flags & HPCC_FLAG_TO_RECEIVER) !== 0;
    const isIncoming = type === HPCC_DATA || type === HPCC_PROBE || type === HPCC_SETTINGS;
    const source = isToReceiver ? undefined : frame.sourceAddress;
    return { flow: flowId, isOwn: !isIncoming && !isToReceiver, source };
  };
}

function roceOwner(packet: Packet, address: number, carrier: Carrier): FrameOwner | undefined {
  const found = parsePacket(withoutTag(packet), address, carrier);
  if ('reason' in found) return undefined;
  const { destinationQp } = found.bth;
  return {
    flow: flowOfQpn(destinationQp),
    isOwn: isInitiatorQpn(destinationQp),
    source: found.sourceAddress,
  };
}

/** Destination of the IP header; undefined without one of the carrier's version. */
export function destinationOf(
  { bytes, length }: Packet,
  { network, linkHeaders }: Carrier,
): number | undefined {
  if (bytes.length < ETHERNET_LENGTH + network.headerLength) return undefined;
  const hasLink = readUint16(bytes, ETHERNET_LENGTH - 2) === linkHeaders?.etherType;
  const ipAt = ETHERNET_LENGTH + (hasLink ? linkHeaders.length : 0);
  const ip = network.parse(bytes, ipAt, length);
  return ip === undefined || ip instanceof WireFault ? undefined : ip.destination;
}
