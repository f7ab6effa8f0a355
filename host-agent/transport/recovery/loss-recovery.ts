import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { PS_PER_SECOND } from '../../../common/units/units';

/**
 * Ways to recover lost packets. `go-back-n`: the receiver takes bytes in order only, and a gap makes the
 * sender repeat everything from there on. `selective-repeat`: the receiver keeps what comes out of order
 * and says so (RFC 2018), and the sender repeats what is missing once it has been missing for longer than
 * reordering lasts (RFC 8985).
 */
export const LOSS_RECOVERIES = ['go-back-n', 'selective-repeat'] as const;
export type LossRecovery = (typeof LOSS_RECOVERIES)[number];

/**
 * Segments that either end may remember of a flow beyond the acknowledgement, so that segments of
 * single bytes cannot fill the memory either.
 */
export const REORDER_SEGMENTS_MAX = 16_384;

/** The segment at `sequence` has not arrived, though nobody says so. */
export type SegmentLost = (now: Instant, sequence: number) => void;

const WINDOW_BDPS = 4;
const WINDOW_MIN: Bytes = 65_536;
const WINDOW_MAX: Bytes = 1 << 26;

/**
 * Bytes from the acknowledgement to where segments may begin that are sent, and that a receiver keeps: four
 * bandwidth-delay products, 64 KiB to 64 MiB. HPCC++ has one in flight at most; the rest is what can
 * leave while a missing segment is late, or is sent again.
 */
export function reorderSpan(linkRate: BitsPerSecond, baseRtt: Duration): Bytes {
  const product = (linkRate / 8) * (baseRtt / PS_PER_SECOND);
  return Math.min(WINDOW_MAX, Math.max(WINDOW_MIN, Math.ceil(WINDOW_BDPS * product)));
}
