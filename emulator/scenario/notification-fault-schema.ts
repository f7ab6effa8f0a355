import { z } from 'zod';

const probability = z.number().min(0).max(1).default(0);

/**
 * What happens to notifications of coordinated congestion management on the last link before their
 * receiver, each with its probability per genuine notification.
 */
export const notificationFaultSchema = z.strictObject({
  /** It is lost. */
  loss: probability,
  /** It arrives a second time, up to `delayUs` later. */
  duplicate: probability,
  /** It comes up to `delayUs` late, behind others that were sent after it. */
  reorder: probability,
  delayUs: z.number().positive().default(50),
  /** A forged one follows. */
  forge: probability,
  /** One that has arrived before follows. */
  replay: probability,
  /** Of the faults alone; that of the run unless given. */
  seed: z.number().int().nonnegative().optional(),
});

export type NotificationFaultDocument = z.output<typeof notificationFaultSchema>;
