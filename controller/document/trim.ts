import { z } from 'zod';

/** A longer queue is never cut. */
export const TRIM_QUEUE_BYTES_MAX = 0xffff_fffe;

/** The length of a queue from which on switches of hpcc-trim cut packets to their headers. */
export const trimSchema = z.strictObject({
  queueBytes: z
    .int()
    .min(1)
    .max(TRIM_QUEUE_BYTES_MAX)
    .describe('Bytes that a queue may hold; a packet that would make it longer goes on as header.'),
  forGbps: z
    .number()
    .positive()
    .optional()
    .describe('It is that of ports of this rate, and in proportion of others. Default: of all.'),
});

export type TrimDocument = z.infer<typeof trimSchema>;
