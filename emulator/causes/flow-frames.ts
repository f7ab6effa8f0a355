import type { Packet } from '../../common/packet/packet';
import { flowFrame } from '../record/flow-frame';
import type { FrameReading } from '../record/flow-frame';
import { roceFrameInfo } from '../record/roce-frame';
import { destinationOf } from '../../host-agent/nics/frame-owner';

/** A frame of a host as a flow sees it. */
export interface FlowPacket {
  /** Number of its flow in the scenario. */
  readonly flow: number;
  /** A request is for data by READ: the receiver sends it. */
  readonly purpose: 'data' | 'probe' | 'feedback' | 'request';
  /** The byte that the receiver expects next; undefined where the frame does not say it in bytes. */
  readonly acknowledges: number | undefined;
}

export interface FlowFramesScene {
  readonly reading: FrameReading;
  /** Name of the host with an IPv4 address. */
  readonly hostAt: (address: number) => string | undefined;
  /** Number of the flow that a host sends under an id. */
  readonly flowNumber: (host: string | undefined, id: number) => number | undefined;
}

/** Reads frames of either framing as they leave a host; undefined for those of no flow. */
export function flowPacket(
  host: string,
  packet: Packet,
  { reading, hostAt, flowNumber }: FlowFramesScene,
): FlowPacket | undefined {
  const { carrier } = reading;
  const roce = roceFrameInfo(packet, carrier);
  if (roce !== undefined) {
    const { purpose, flow: id, isRequest } = roce;
    const isForward = isRequest !== true && (purpose === 'data' || purpose === 'probe');
    const address = isForward ? undefined : destinationOf(packet, carrier);
    const sender = isForward ? host : address === undefined ? undefined : hostAt(address);
    const flow = flowNumber(sender, id);
    if (flow === undefined) return undefined;
    const sent = isRequest === true ? 'request' : isForward ? purpose : 'feedback';
    return { flow, purpose: sent, acknowledges: undefined };
  }
  const frame = flowFrame(packet, reading);
  if (frame === undefined) return undefined;
  const { purpose } = frame;
  const isForward = purpose === 'data' || purpose === 'probe';
  const flow = flowNumber(isForward ? host : hostAt(frame.destination), frame.flow);
  if (flow === undefined) return undefined;
  const acknowledges = purpose === 'acknowledgement' ? frame.sequence : undefined;
  return { flow, purpose: isForward ? purpose : 'feedback', acknowledges };
}
