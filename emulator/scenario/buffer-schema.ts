import { z } from 'zod';
import { PAUSE_CLASSES, QUANTA_MAX } from '../../common/wire/ip/mac-control';
import { STORM_ACTIONS } from '../../switch/buffer/storm-options';
import { timeUs } from '../workload/quantities';

const bytes = z.number().int().min(0).max(1e12);
const alpha = z.number().positive().max(1024);
const priority = z
  .number()
  .int()
  .min(0)
  .max(PAUSE_CLASSES - 1);

/** The watchdog of pauses; see switch/buffer/storm-options.ts. */
const watchdogSchema = z.strictObject({
  detectUs: timeUs
    .positive()
    .default(200_000)
    .describe('Pauses that let nothing go for so long are a storm.'),
  restoreUs: timeUs
    .positive()
    .default(200_000)
    .describe('A storm ends when the queue has not been paused for so long.'),
  action: z
    .enum(STORM_ACTIONS)
    .default('drop')
    .describe('What happens to packets of the queue while a storm lasts; those of hosts are sent.'),
});

/** Priority-based flow control; the unit of every quantity is in its name. */
const pauseSchema = z.strictObject({
  priorities: z
    .array(priority)
    .min(1)
    .default([0])
    .describe('Queues whose senders are paused before packets are lost.'),
  headroomBytes: bytes
    .optional()
    .describe(
      'Room per port and priority for what still arrives behind a pause; by default what the link holds.',
    ),
  resumeOffsetBytes: bytes
    .optional()
    .describe(
      'A pause ends when its port is so far below the threshold; by default two full frames.',
    ),
  quanta: z
    .number()
    .int()
    .min(1)
    .max(QUANTA_MAX)
    .default(QUANTA_MAX)
    .describe('Duration of a pause unless it is repeated, in times of 512 bits.'),
  deadlockAfterUs: timeUs
    .positive()
    .default(100)
    .describe(
      'Ports that wait for each other in a circle, and send nothing for so long, are a deadlock.',
    ),
  watchdog: watchdogSchema
    .optional()
    .describe('Watchdog that ends pauses which last; absent: a pause may last for ever.'),
});

/** The memory of every switch, shared by its ports; absent: each queue has its limit alone. */
export const bufferSchema = z.strictObject({
  bytes: bytes.min(1).describe('Memory of each switch.'),
  alpha: z
    .union([alpha, z.array(alpha).min(1).max(32)])
    .default(1)
    .describe(
      'Dynamic thresholds: a port may hold so many times what is free; one value or one per priority.',
    ),
  reservedBytes: bytes.default(0).describe('Bytes reserved for each port and priority.'),
  pfc: pauseSchema.optional().describe('Absent: what finds no room is dropped.'),
});
