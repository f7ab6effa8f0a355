import type { Packet } from '../../common/packet/packet';
import { readUint16 } from '../../common/wire/bytes';
import {
  HPCC_ACK,
  HPCC_DATA,
  HPCC_PROBE,
  HPCC_TELEMETRY,
} from '../../common/wire/hpcc/hpcc-transport';
import { WireFault } from '../../common/wire/fault';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import type { Carrier, TelemetryReader } from '../../host-agent/carrier/carrier';
import { INT_CARRIER } from '../../host-agent/carrier/int-carrier';
import { readSample } from '../../host-agent/feedback/read-sample';
import type { CongestionSample } from '../../host-agent/carrier/congestion-sample';
import { parseFrame } from '../../host-agent/transport/frames/received-frame';
import type { TracedPacket } from '../result/packet-story';

/** How the frames of a run are read. */
export interface FrameReading {
  readonly carrier: Carrier;
  readonly reader: TelemetryReader;
}

const READING_OF_INT: FrameReading = { carrier: INT_CARRIER, reader: INT_CARRIER.newReader(0) };

/** A frame of our transport, as an observer reads it. */
export interface FlowFrame {
  readonly purpose: TracedPacket['purpose'];
  /** Id of the flow at its sender. */
  readonly flow: number;
  readonly sequence: number;
  /** IPv4 addresses. */
  readonly source: number;
  readonly destination: number;
  readonly sample: CongestionSample | undefined;
}

const PURPOSES: Readonly<Record<number, TracedPacket['purpose']>> = {
  [HPCC_DATA]: 'data',
  [HPCC_ACK]: 'acknowledgement',
  [HPCC_PROBE]: 'probe',
  [HPCC_TELEMETRY]: 'telemetry',
};

/**
 * Undefined for frames of other protocols, and for damaged ones.
 * @param carrier what hosts ask switches with, and how it is read. Default: INT.
 */
export function flowFrame(
  packet: Packet,
  { carrier, reader }: FrameReading = READING_OF_INT,
): FlowFrame | undefined {
  const destination = destinationOf(packet, carrier);
  if (destination === undefined) return undefined;
  const frame = parseFrame(packet, destination, carrier);
  if ('reason' in frame) return undefined;
  const { type, flowId, sequence } = frame.transport;
  const purpose = PURPOSES[type] ?? 'other';
  const isFeedback = purpose === 'acknowledgement' || purpose === 'telemetry';
  return {
    purpose,
    flow: flowId,
    sequence,
    source: frame.sourceAddress,
    destination,
    sample: isFeedback ? readSample(frame, packet, reader) : undefined,
  };
}

/** Undefined where no IP header of the carrier's version lies. */
function destinationOf(
  { bytes, length }: Packet,
  { network, linkHeaders }: Carrier,
): number | undefined {
  if (bytes.length < ETHERNET_LENGTH + network.headerLength) return undefined;
  const hasLink = readUint16(bytes, ETHERNET_LENGTH - 2) === linkHeaders?.etherType;
  const ipAt = ETHERNET_LENGTH + (hasLink ? linkHeaders.length : 0);
  const ip = network.parse(bytes, ipAt, length);
  return ip === undefined || ip instanceof WireFault ? undefined : ip.destination;
}
