import type { Duration, Instant } from '../../common/units/units';
import type { Cause, CausePart } from '../result/flow-causes';

/** An interval of a flow's time, and what it was spent on. */
export interface Piece {
  readonly cause: Cause;
  readonly from: Instant;
  readonly to: Instant;
  /** Direction of a link, or host. */
  readonly at?: string | undefined;
  readonly way?: CausePart['way'];
  /** Other flows that were before it, by number, and their parts of the interval; null: no flow. */
  readonly others?: ReadonlyMap<number | null, Duration>;
  /** True for a wait behind packets of the same flow: a link that is slower than the sender. */
  readonly isBacklog?: boolean;
}

const lengthOf = ({ from, to }: Piece): Duration => to - from;

/** The parts of pieces within an interval; their ends meet as those of the pieces do. */
export function clipped(pieces: readonly Piece[], from: Instant, to: Instant): Piece[] {
  return pieces.flatMap((piece) => {
    const start = Math.max(piece.from, from);
    const end = Math.min(piece.to, to);
    if (start >= end) return [];
    if (start === piece.from && end === piece.to) return [piece];
    const scale = (end - start) / lengthOf(piece);
    const others = piece.others && scaled(piece.others, scale);
    return [{ ...piece, from: start, to: end, ...(others && { others }) }];
  });
}

const scaled = (
  others: ReadonlyMap<number | null, Duration>,
  factor: number,
): ReadonlyMap<number | null, Duration> =>
  new Map([...others].map(([flow, time]) => [flow, time * factor]));
