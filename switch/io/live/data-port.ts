import type { LatenessCounts } from '../../../common/io/net/lateness';
import type { FrameHandler } from '../../../common/io/net/packet-ring';
import type { Bytes, PortNumber } from '../../../common/units/units';

/** Frames received, sent and lost at an interface. */
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
  /** Lateness at which they were fetched, where that is known. */
  readonly late?: LatenessCounts;
}

/** Source and destination of frames. */
export interface DataPort {
  readonly port: PortNumber;
  readonly interfaceName: string;
  /** Becomes readable when frames have arrived; negative where nothing can wait for them. */
  readonly fd: number;
  /**
   * Number of frames that have arrived, up to a limit; so many may be taken before they go back.
   */
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
  /**
   * True if {@link DataPort.doDeferredWork} must run soon after frames, for example to write
   * captures.
   */
  readonly hasDeferredWork: boolean;
  /** Called when there is time for slow things. */
  doDeferredWork(): void;
  counters(): LivePortCounters;
  close(): void;
}
