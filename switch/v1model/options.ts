import type {
  BitsPerSecond,
  Bytes,
  Instant,
  InstantCell,
  PortNumber,
} from '../../common/units/units';
import type { Random } from '../../common/random/random';
import type { Packet } from '../../common/packet/packet';
import type { ExecutorFactory } from '../executor/executor';
import type { BufferOptions } from '../buffer/shared-buffer';
import type { PacketPool } from '../executor/packet-pool';
import type { PauseWatch, StormNotice } from './pause-watch';

/** Limits of a port's queues. A limit that is left out does not exist. */
export interface QueueLimit {
  readonly packets?: number;
  readonly bytes?: Bytes;
}

/** A port and how its packets leave. */
export type PortOptions = LinkPortOptions | PacedPortOptions;

/** A port whose packets leave bit by bit. */
export interface LinkPortOptions {
  readonly pacing?: 'bits/s';
  readonly port: PortNumber;
  /** Rate of the link that the port feeds. */
  readonly rate: BitsPerSecond;
  /** Limit of each queue; unlimited unless given. */
  readonly queueLimit?: QueueLimit;
}

/** A port whose packets leave as on bmv2: so many per second, whatever their lengths. */
export interface PacedPortOptions {
  readonly pacing: 'bmv2 packets/s';
  readonly port: PortNumber;
  /** Rate of each queue; 0 or nothing for no limit. */
  readonly packetsPerSecond?: number;
  /** Limit of each queue; 64 packets unless given, as on bmv2. */
  readonly queueLimit?: QueueLimit;
}

/**
 * Unit of the queue depths in metadata: packets as on bmv2, whole cells of so many bytes in all, or whole cells
 * that each packet has for itself.
 */
export type QueueUnit =
  | { readonly kind: 'packets' }
  | { readonly kind: 'bytes'; readonly cell: Bytes }
  | { readonly kind: 'cells'; readonly cell: Bytes };

/** Callbacks of the switch to the network around it. They must not re-enter the switch. */
export interface SwitchOutput {
  /**
   * `transmit` keeps nothing of a packet's bytes once it has returned, so that the switch may use
   * their memory for the next packet. False unless given.
   */
  readonly copiesPackets?: boolean;
  /**
   * The bytes of a packet given to the switch are the caller's again when `handlePacket` returns, so
   * that the switch copies what has to wait. False unless given.
   */
  readonly lendsPackets?: boolean;
  /** The packet's first bit leaves at `start`, its last at `end`, which is read at once. */
  transmit(port: PortNumber, packet: Packet, start: Instant, end: InstantCell): void;
  /**
   * Packets wait that may leave at `at`, which is read at once: call `handlePortFree` at that instant. A port
   * whose queue is empty does not call this; further calls of `handlePortFree` do no harm.
   */
  schedulePort(port: PortNumber, at: InstantCell): void;
  /**
   * A MAC control frame of the switch itself, which is none of the packets that programs and observers
   * see. Goes through `transmit` unless given.
   */
  transmitControl?(port: PortNumber, packet: Packet, start: Instant, end: InstantCell): void;
  /** A packet has left through the CPU port. */
  packetIn?(packet: Packet, now: Instant): void;
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
  /** A port without a link: its packets go to and come from controllers. */
  readonly cpuPort?: PortNumber;
  /** Queues per port, of which the highest number is served first; 1 unless given, as on bmv2. */
  readonly priorityQueues?: number;
  /** The memory that the ports with links share; each queue has its own limit alone unless given. */
  readonly buffer?: BufferOptions | undefined;
  /** Called for pauses, where there is a buffer. */
  readonly pauseWatch?: PauseWatch | undefined;
  /** Called when the watchdog of pauses finds a storm, and at its end. */
  readonly pauseStormed?: ((notice: StormNotice) => void) | undefined;
  /** Source of the program's `random`. */
  readonly random?: Random;
  /** Pool of packets. Its owner gives the switch all packets that come out of it for good. */
  readonly packets?: PacketPool | undefined;
  /** Executor of programs; the interpreter unless given. */
  readonly executor?: ExecutorFactory;
  /** Receives the text of `log_msg`. */
  readonly log?: (message: string) => void;
}
