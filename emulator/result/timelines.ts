import { z } from 'zod';

/**
 * Load and queue of every link over the whole run, in intervals of equal length from time 0. Their
 * number is bounded, so a longer run has longer intervals.
 */
export const timelinesSchema = z.strictObject({
  intervalUs: z.number().positive(),
  links: z.array(
    z.strictObject({
      name: z.string(),
      /** Wire bytes whose transmission began in the interval. */
      sentBytes: z.array(z.number()),
      /** Longest queue before the link at the samples of the interval; 0 where no switch sends. */
      queuePeakBytes: z.array(z.number()),
    }),
  ),
  /** Packets that switches dropped, and that links lost. */
  droppedPackets: z.array(z.number()),
  /** Feedback packets to senders, and records in acknowledgements. */
  feedbackPackets: z.array(z.number()),
});

export type Timelines = z.infer<typeof timelinesSchema>;
