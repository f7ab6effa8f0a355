import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import type { CongestionControl } from '../../algorithm/congestion-control';
import type { CoordinationEffect } from '../../coordination/flow-coordination';
import type { ScheduledFlow } from '../../nic/flow-scheduler';
import type { RemoteWindow } from '../../feedback/remote-window';
import type { FlowMetrics } from '../../host/agent';
import type { PeerFrames } from '../packets/peer-frames';
import type { CheckedRoceConfig } from './roce-config';

/** What a queue pair knows of its host and of its connection. */
export interface QpContext {
  readonly config: CheckedRoceConfig;
  readonly flow: number;
  /** Of what this end sends, among all that the host sends. */
  readonly senderId: number;
  readonly frames: PeerFrames;
  /** First PSN of the initiator's requests. */
  readonly firstPsn: number;
  /** Key of the target's memory. */
  readonly remoteKey: number;
  /** @param isControlled whether switches want congestion control to act; absent: it always does. */
  readonly newControl: (isControlled?: () => boolean) => CongestionControl;
  /** What obeys the windows of an algorithm at the receiver. */
  readonly newRemoteWindow: () => RemoteWindow;
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
export interface QpSender extends ScheduledFlow {
  readonly flow: number;
  /** The frame that leaves now; only if it can send. */
  emit(now: Instant): Packet;
  metrics(): FlowMetrics | undefined;
  /** A switch has said what it wants of the data. */
  handleCoordination(now: Instant, effect: CoordinationEffect): void;
  /** Nothing more will be sent. */
  close(): void;
}
