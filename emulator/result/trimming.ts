import { z } from 'zod';

/** Headers of data that reached receivers, whose payload a switch had cut off. */
export const trimmingSchema = z.strictObject({
  headers: z.number(),
  /** Share of all data packets. */
  share: z.number(),
});

export type TrimmingRecord = z.infer<typeof trimmingSchema>;

/** The record of a run that has sent so many data packets; undefined if none was cut. */
export const trimmingRecord = (headers: number, sent: number): TrimmingRecord | undefined =>
  headers === 0 ? undefined : { headers, share: headers / sent };
