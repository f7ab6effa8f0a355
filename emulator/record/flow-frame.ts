import type { Packet } from '../../common/packet/packet';
import { readUint16, readUint32 } from '../../common/wire/bytes';
import {
  HPCC_ACK,
  HPCC_DATA,
  HPCC_PROBE,
  HPCC_TELEMETRY,
  HPCC_TRANSPORT_PORT,
} from '../../common/wire/hpcc/hpcc-transport';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { IPV4_LENGTH } from '../../common/wire/ip/ipv4';
import { readSample } from '../../host-agent/feedback/congestion-sample';
import type { CongestionSample } from '../../host-agent/feedback/congestion-sample';
import { parseFrame } from '../../host-agent/transport/frames/received-frame';
import type { TracedPacket } from '../result/packet-story';

const DESTINATION_AT = ETHERNET_LENGTH + 16;
const DESTINATION_PORT_AT = ETHERNET_LENGTH + IPV4_LENGTH + 2;

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

/** Undefined for frames of other protocols, and for damaged ones. */
export function flowFrame(packet: Packet): FlowFrame | undefined {
  const { bytes } = packet;
  if (bytes.length < DESTINATION_PORT_AT + 2) return undefined;
  if (readUint16(bytes, DESTINATION_PORT_AT) !== HPCC_TRANSPORT_PORT) return undefined;
  const destination = readUint32(bytes, DESTINATION_AT);
  const frame = parseFrame(packet, destination);
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
    sample: isFeedback ? readSample(frame, packet) : undefined,
  };
}
