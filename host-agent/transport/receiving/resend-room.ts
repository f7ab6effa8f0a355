import type { Bytes, Instant } from '../../../common/units/units';

/** Segments that wait at most; more are asked for at once, so that headers take no more memory. */
export const HELD_MAX = 2 ** 18;

/** A segment that its sender is asked for, now or when there is room for it. */
export interface WantedSegment {
  readonly bytes: Bytes;
  /** First byte; of a turn, what comes next of the flow, the first byte at or behind it. */
  readonly sequence: number;
  readonly isTurn: boolean;
  /** Number of times that it was asked for in vain. */
  tries: number;
}

/** A segment that was asked for and has not arrived. */
export interface AskedSegment {
  readonly wanted: WantedSegment;
  readonly sequence: number;
  readonly askedAt: Instant;
  isOpen: boolean;
}

/** Room on a receiver's link for data that its senders are asked for. */
export interface ResendRoom<Segment> {
  /** True if {@link take} gives the segment when its sender is to be asked; false if it is to be asked now. */
  hold(now: Instant, bytes: Bytes, segment: Segment): boolean;
  /** True if segments have to wait. */
  isBusy(now: Instant): boolean;
  /** When {@link take} has a segment; Infinity if none waits. */
  readonly nextAt: Instant;
  /** The next segment whose turn has come. */
  take(now: Instant): Segment | undefined;
  /** A sender is asked now for what begins at `sequence`; `asked` are the open requests of its flow. */
  noteAsked?(now: Instant, asked: AskedSegment[], segment: Segment, sequence: number): void;
  /** Data of the flow, or its header, has arrived. */
  noteArrived?(asked: AskedSegment[], sequence: number): void;
  /** The flow is complete. */
  noteFinished?(asked: AskedSegment[]): void;
}
