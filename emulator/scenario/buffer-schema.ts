import { z } from 'zod';
import { PAUSE_CLASSES, QUANTA_MAX } from '../../common/wire/ip/mac-control';
import { timeUs } from '../workload/quantities';

const bytes = z.number().int().min(0).max(1e12);
const alpha = z.number().positive().max(1024);
const priority = z
  .number()
  .int()
  .min(0)
  .max(PAUSE_CLASSES - 1);

/** Priority-based flow control; the unit of every quantity is in its name. */
const pauseSchema = z.strictObject({
  /** Queues whose senders are paused before packets are lost. */
  priorities: z.array(priority).min(1).default([0]),
  /** Room per port and priority for what still arrives behind a pause; by default what the link holds. */
  headroomBytes: bytes.optional(),
  /** A pause ends when its port is so far below the threshold; by default two full frames. */
  resumeOffsetBytes: bytes.optional(),
  /** Duration of a pause unless it is repeated, in times of 512 bits. */
  quanta: z.number().int().min(1).max(QUANTA_MAX).default(QUANTA_MAX),
  /** Ports that wait for each other in a circle, and send nothing for so long, are a deadlock. */
  deadlockAfterUs: timeUs.positive().default(100),
});

/** The memory of every switch, shared by its ports; absent: each queue has its limit alone. */
export const bufferSchema = z.strictObject({
  bytes: bytes.min(1),
  /** Dynamic thresholds: a port may hold so many times what is free; one value or one per priority. */
  alpha: z.union([alpha, z.array(alpha).min(1).max(32)]).default(1),
  /** Bytes reserved for each port and priority. */
  reservedBytes: bytes.default(0),
  /** Absent: what finds no room is dropped. */
  pfc: pauseSchema.optional(),
});
