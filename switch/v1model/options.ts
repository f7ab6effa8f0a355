import type { BitsPerSecond, Bytes, Instant, PortNumber } from '../../common/units/units';
import type { Packet } from '../../common/packet/packet';
import type { ExecutorFactory } from '../executor';

/** How much may wait at a port. A limit that is left out does not exist. */
export interface QueueLimit {
  readonly packets?: number;
  readonly bytes?: Bytes;
}

export interface PortOptions {
  readonly port: PortNumber;
  /** Rate of the link that the port feeds. */
  readonly rate: BitsPerSecond;
  /** Unlimited unless given; bmv2's own default is 64 packets. */
  readonly queueLimit?: QueueLimit;
}

/** Unit of the queue depths in metadata: packets as on bmv2, or whole cells of so many bytes. */
export type QueueUnit =
  { readonly kind: 'packets' } | { readonly kind: 'bytes'; readonly cell: Bytes };

/** What the switch wants from the network around it. Neither call may re-enter the switch. */
export interface SwitchOutput {
  /** The packet's first bit leaves at `start`, its last at `end`. */
  transmit(port: PortNumber, packet: Packet, start: Instant, end: Instant): void;
  /**
   * Packets wait behind the one in service: call `handlePortFree(port, at)` at that instant. A port
   * whose queue is empty asks for nothing.
   */
  schedulePort(port: PortNumber, at: Instant): void;
}

export interface SwitchOptions {
  readonly ports: readonly PortOptions[];
  readonly output: SwitchOutput;
  /** One tick of the timestamps in metadata, in ns; 1000 (bmv2's microsecond) unless given. */
  readonly clockUnitNs?: number;
  /** Packets unless given, as on bmv2. */
  readonly queueUnit?: QueueUnit;
  /** The egress port that means "drop"; 511 unless given. */
  readonly dropPort?: PortNumber;
  /** What runs programs; the interpreter unless given. */
  readonly executor?: ExecutorFactory;
  /** Receives the text of `log_msg`. */
  readonly log?: (message: string) => void;
}
