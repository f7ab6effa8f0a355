import type { Packet } from '../../../common/packet/packet';
import type {
  CongestionControl,
  CongestionControlFactory,
} from '../../algorithm/congestion-control';
import type { SendingFlow } from '../../host/host';
import type { PeerFrames } from '../packets/peer-frames';
import type { CheckedRoceConfig } from './roce-config';

/** Facts of its host and of its connection that a queue pair needs. */
export interface QpContext {
  readonly config: CheckedRoceConfig;
  readonly flow: number;
  /** Id of the data that this end sends, among all that the host sends. */
  readonly senderId: number;
  readonly frames: PeerFrames;
  /** First PSN of the initiator's requests. */
  readonly firstPsn: number;
  /** Key of the target's memory. */
  readonly remoteKey: number;
  /** @param make what makes the control in place of the host's algorithm. */
  readonly newControl: (make?: CongestionControlFactory) => CongestionControl;
  /** Takes a control packet that leaves before data. */
  readonly answer: (packet: Packet) => void;
  /** Takes payload that arrived in order and for the first time. */
  readonly deliver: (payload: DeliveredPayload) => void;
}

export interface DeliveredPayload {
  readonly offset: number;
  readonly length: number;
  /** The stored part of these bytes; the rest are virtual zeros. */
  readonly stored: Uint8Array;
}

/** The half of a queue pair that sends data, as the host's interface sees it. */
export interface QpSender extends SendingFlow {
  readonly flow: number;
  /** Nothing more will be sent. */
  close(): void;
}
