import type { Packet } from '../../common/packet/packet';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import {
  HPCC_ACK,
  HPCC_DATA,
  HPCC_PROBE,
  HPCC_TELEMETRY,
} from '../../common/wire/hpcc/hpcc-transport';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { endPath } from '../../common/wire/ip/usid';
import type { Carrier, TelemetryReader } from '../../host-agent/carrier/carrier';
import { INT_CARRIER } from '../../host-agent/carrier/int-carrier';
import { USID_LAYER } from '../../host-agent/carrier/network-layer';
import { readSample } from '../../host-agent/feedback/read-sample';
import type { CongestionSample } from '../../host-agent/carrier/congestion-sample';
import { parseFrame } from '../../host-agent/transport/frames/received-frame';
import type { ReceivedFrame } from '../../host-agent/transport/frames/received-frame';
import { destinationOf } from '../../host-agent/nics/frame-owner';
import type { TracedPacket } from '../result/packet-story';

/** Reader of a run's frames. */
export interface FrameReading {
  readonly carrier: Carrier;
  readonly reader: TelemetryReader;
  /** Receivers run the algorithm, with the telemetry of data and probes. Default: senders do. */
  readonly controlsAtReceiver?: boolean;
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
  /** Telemetry that is news to an algorithm at its destination. */
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
  whole: Packet,
  { carrier, reader, controlsAtReceiver = false }: FrameReading = READING_OF_INT,
): FlowFrame | undefined {
  const packet = atPathEnd(withoutTag(whole), carrier);
  const destination = destinationOf(packet, carrier);
  if (destination === undefined) return undefined;
  const frame = parseFrame(packet, destination, carrier);
  if ('reason' in frame) return undefined;
  const { type, flowId, sequence, bodyAt } = frame.transport;
  const purpose = PURPOSES[type] ?? 'other';
  return {
    purpose,
    flow: flowId,
    sequence,
    source: frame.sourceAddress,
    destination,
    sample: controlsAtReceiver
      ? collected(packet, frame, reader)
      : fedBack(purpose)
        ? readSample(packet.bytes, bodyAt, frame.transport, reader)
        : undefined,
  };
}

/** Place of the destination in the header of IPv6. */
const DESTINATION_AT = 24;

/** A frame on a path of uSIDs as it will arrive; any other one as it is. */
function atPathEnd(packet: Packet, { network }: Carrier): Packet {
  if (network !== USID_LAYER || packet.bytes.length < ETHERNET_LENGTH + network.headerLength) {
    return packet;
  }
  const bytes = packet.bytes.slice();
  endPath(bytes, ETHERNET_LENGTH + DESTINATION_AT);
  return { ...packet, bytes };
}

const fedBack = (purpose: TracedPacket['purpose']): boolean =>
  purpose === 'acknowledgement' || purpose === 'telemetry';

/** Telemetry of the way to this host; undefined where none was asked for. */
function collected(
  { bytes }: Packet,
  { telemetryAt, telemetryLength }: ReceivedFrame,
  reader: TelemetryReader,
): CongestionSample | undefined {
  if (telemetryLength === 0) return undefined;
  return reader.read(bytes, telemetryAt, telemetryLength);
}
