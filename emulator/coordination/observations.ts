import type { BitsPerSecond, Instant, PortNumber } from '../../common/units/units';
import type { Word64 } from '../../common/wire/bytes';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import type { CcmIndicators } from '../../common/wire/coordination/ccm-tag';
import type { CoordinationEventKind } from '../../host-agent/coordination/coordination-options';

/** Data that a switch sends over a link. */
export interface Forwarding {
  /** Number of its flow in the scenario. */
  readonly flow: number;
  readonly packet: number;
  readonly port: PortNumber;
  readonly tag: CcmIndicators;
}

/** A notification as plain data. */
export interface SeenNotification {
  readonly type: CcmNotification['type'];
  readonly senderNode: number;
  readonly sequence: Word64;
  /** The flow that it is about, by {@link senderPort}. */
  readonly subject: number;
  /** Address of who shall get it. */
  readonly destination: number;
}

/**
 * Receives the events of a run that concern coordination, in order: packets with the flows that
 * they belong to, and reports of hosts. It needs nothing else, so that it makes no difference
 * whether all nodes are run by one thread.
 */
export interface Observations {
  /** A host puts data of the flow on its link, with this CC indicator. */
  dataSent(at: Instant, flow: number, source: number, isControlled: boolean): void;
  /** Data has reached its host. */
  dataReceived(packet: number): void;
  /** Data comes to a switch; of no flow of the scenario: 0. */
  dataArrived(node: string, flow: number, packet: number): void;
  dataForwarded(at: Instant, node: string, forwarding: Forwarding): void;
  /** The echo of a CE mark reaches the flow's host. */
  markReceived(at: Instant, flow: number): void;
  notificationSent(at: Instant, node: string, notification: SeenNotification): void;
  /** It comes to a switch on its way. */
  notificationPassed(node: string, notification: SeenNotification): void;
  /** It comes to its end. @param isObeyed a host has to: a switch has made it, by its code */
  notificationReceived(
    at: Instant,
    node: string,
    notification: SeenNotification,
    isObeyed: boolean,
  ): void;
  /** A link or the controller has changed the routes. */
  routesChanged(): void;
  /** A host says what it makes of its flow. */
  flowCoordinated(at: Instant, host: string, flow: number, kind: CoordinationEventKind): void;
  rateChanged(at: Instant, host: string, flow: number, rate: BitsPerSecond): void;
  flowBegan(at: Instant, flow: number): void;
  /** All its bytes have arrived. */
  flowCompleted(at: Instant, flow: number): void;
}

/** A sender's address and source port as one number, below 2^48. */
export const senderPort = (address: number, port: PortNumber): number => address * 0x10000 + port;
