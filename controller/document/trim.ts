import { z } from 'zod';

/** The length of a queue from which on switches of hpcc-trim cut packets to their headers. */
export const trimSchema = z.strictObject({
  queueBytes: z
    .int()
    .min(1)
    .max(0xffff_fffe)
    .describe('Bytes that a queue may hold; a packet that would make it longer goes on as header.'),
});

export type TrimDocument = z.infer<typeof trimSchema>;
