import { z } from 'zod';

const BLOCK = /^([\da-f]{1,4}):([\da-f]{1,4})::\/32$/i;

/** SRv6 paths that hosts write into their destinations, in programs that end uSIDs (hpcc-usid). */
export const usidSchema = z.strictObject({
  block: z
    .string()
    .regex(BLOCK, 'wanted a prefix of 32 bits such as fd48:5044::/32')
    .describe('Prefix of all uSIDs; a switch has its node id there, a port 0xe000 + its number.'),
});

export type UsidDocument = z.infer<typeof usidSchema>;

/** The block as a number of 32 bits. */
export function blockOf({ block }: UsidDocument): number {
  const [, upper = '', lower = ''] = BLOCK.exec(block) ?? [];
  return parseInt(upper, 16) * 0x1_0000 + parseInt(lower, 16);
}
