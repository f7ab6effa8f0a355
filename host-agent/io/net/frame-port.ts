import type { Packet } from '../../../common/packet/packet';
import { addLateness } from '../../../common/io/net/lateness';
import type { LatenessCounts } from '../../../common/io/net/lateness';
import type { FrameHandler } from '../../../common/io/net/packet-ring';

/** Counters of a port since it was opened: frames through it, and losses at it. */
export interface PortCounters {
  /** Frames of our transport that arrived, and MAC control frames. */
  readonly received: number;
  /** Frames of everybody else that were passed over. */
  readonly ignored: number;
  readonly sent: number;
  /** Arrived faster than they were fetched. */
  readonly overflowed: number;
  /** Longer than the interface's MTU allows: offloads have joined segments. */
  readonly oversized: number;
  /** The interface refused them. */
  readonly sendFailed: number;
  /** Lateness of fetched frames, where that is known. */
  readonly late?: LatenessCounts;
}

/** Port through which the frames of a host come and go. */
export interface FramePort {
  /** Becomes readable when frames have arrived. */
  readonly fd: number;
  /** Hands over up to `limit` arrived frames, whose bytes are lent; returns how many were looked at. */
  drain(limit: number, handle: FrameHandler): number;
  /** Keeps a copy for the next {@link flush}. */
  send(packet: Packet): void;
  flush(): void;
  /** Called after a wake-up without frames, which an error at the socket would repeat for ever. */
  forgetError?(): void;
  counters(): PortCounters;
  close(): void;
}

/** The counters of several ports together. */
export function sumOfPorts(all: readonly PortCounters[]): PortCounters {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const sum = (of: (each: PortCounters) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  return {
    received: sum(({ received }) => received),
    ignored: sum(({ ignored }) => ignored),
    sent: sum(({ sent }) => sent),
    overflowed: sum(({ overflowed }) => overflowed),
    oversized: sum(({ oversized }) => oversized),
    sendFailed: sum(({ sendFailed }) => sendFailed),
    late: addLateness(all.flatMap(({ late }) => late ?? [])),
  };
}
