import { z } from 'zod';
import { resultSchema } from '../../emulator/result/result';
import { FIGURES } from '../experiment/experiment';
import { machineSchema } from '../observation/machine';
import { toldPathSchema } from '../observation/told-paths';

/**
 * The result of a run under Mininet: that of the emulator, so that all that reads one reads the
 * other, and what says how far the figures are the network's.
 */
export const mininetResultSchema = resultSchema.extend({
  /** Command line that made it. */
  command: z.string().optional(),
  machine: machineSchema,
  /** Paths of flows as telemetry reports have told them, where a collector has run. */
  toldPaths: z.array(toldPathSchema).optional(),
  figures: z.record(z.enum(FIGURES), z.number().nullable()),
  bars: z.array(
    z.strictObject({
      bar: z.string(),
      figure: z.enum(FIGURES).optional(),
      found: z.number().nullable(),
      isMet: z.boolean(),
    }),
  ),
});

export type MininetResult = z.infer<typeof mininetResultSchema>;
