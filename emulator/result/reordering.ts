import { z } from 'zod';
import type { Bytes } from '../../common/units/units';

/** Data packets that reached hosts behind later ones of their flow, other than what was sent again (RFC 4737). */
export const reorderingSchema = z.strictObject({
  packets: z.number(),
  /** Share of all data packets. */
  share: z.number(),
  /** Distance to the latest packet that had arrived, in bytes of the flow. */
  meanBytes: z.number(),
  maxBytes: z.number(),
});

export type ReorderingRecord = z.infer<typeof reorderingSchema>;

/** The same as hosts count it. */
export interface Reordering {
  readonly packets: number;
  readonly bytes: Bytes;
  readonly bytesMax: Bytes;
}

export const addReordering = (a: Reordering, b: Reordering): Reordering => ({
  packets: a.packets + b.packets,
  bytes: a.bytes + b.bytes,
  bytesMax: Math.max(a.bytesMax, b.bytesMax),
});

export const NO_REORDERING: Reordering = { packets: 0, bytes: 0, bytesMax: 0 };

/** The record of a run that has sent so many data packets; undefined if all came in order. */
export function reorderingRecord(
  { packets, bytes, bytesMax }: Reordering,
  sent: number,
): ReorderingRecord | undefined {
  if (packets === 0) return undefined;
  return { packets, share: packets / sent, meanBytes: bytes / packets, maxBytes: bytesMax };
}
