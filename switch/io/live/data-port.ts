import type { LatenessCounts } from '../../../common/io/net/lateness';
import type { FrameHandler } from '../../../common/io/net/packet-ring';
import type { Bytes, PortNumber } from '../../../common/units/units';

/** What went through an interface, and what was lost at it. */
export interface LivePortCounters {
  readonly received: number;
  readonly sent: number;
  /** The switch was too slow to fetch them. */
  readonly overflowed: number;
  /** Longer than the interface's MTU allows: offloads have joined segments. */
  readonly oversized: number;
  /** The interface refused them. */
  readonly sendFailed: number;
  /** Missing in captures, because their files could not be written. */
  readonly uncaptured?: number;
  /** How late they were fetched, where that is known. */
  readonly late?: LatenessCounts;
}

/** Where frames come from and go to. */
export interface DataPort {
  readonly port: PortNumber;
  readonly interfaceName: string;
  /** Becomes readable when frames have arrived; negative where nothing can wait for them. */
  readonly fd: number;
  /** How many frames have arrived, up to a limit; so many may be taken before they go back. */
  open(limit: number): number;
  /** Bytes of one of them, counted from the one that is next. */
  lengthOf(index: number): Bytes;
  /** Hands over the next one of them. */
  take(handle: FrameHandler): void;
  /** Nothing of what was taken is needed any more. */
  giveBack(): void;
  /** Keeps a copy of a frame for the next {@link flush}. */
  send(frame: Uint8Array): void;
  flush(): void;
  /** Whether {@link DataPort.doSlowThings} has to follow frames soon, as where they are captured. */
  readonly hasSlowThings: boolean;
  /** Called when there is time for slow things. */
  doSlowThings(): void;
  counters(): LivePortCounters;
  close(): void;
}
