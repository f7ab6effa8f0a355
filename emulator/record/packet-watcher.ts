import type { Packet } from '../../common/packet/packet';
import type { Instant, PortNumber } from '../../common/units/units';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';

/** Sees every packet of a run, and changes none. */
export interface PacketWatcher {
  hostSent(host: HostNode, packet: Packet, start: Instant): void;
  switchReceived(node: SwitchNode, packet: Packet, now: Instant): void;
  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void;
  /** Before and after the host has looked at it. */
  hostReceived(host: HostNode, packet: Packet, now: Instant): void;
  hostHandled(host: HostNode, packet: Packet, now: Instant): void;
  /** Whether it has seen what it wants; the run may end then. */
  readonly isDone: boolean;
}
