import { z } from 'zod';

/** What a liar says in the newest record of a packet, or does with the packet. */
const LIES = [
  /** The link has carried more than it can. */
  'overfull',
  /** The link is ten thousand times as fast, or so. */
  'capacity',
  /** The packet left before its predecessors. */
  'backwards',
  /** Another switch than there is. */
  'unknown-link',
  /** As long a queue as can be told. */
  'congested',
  /** Nothing waits, and nothing was ever sent. */
  'idle',
  /** An earlier packet once more. */
  'replay',
] as const;

export type Lie = (typeof LIES)[number];

/** Somebody who tampers with telemetry on its way over one direction of a link. */
export const liarSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  lies: z.array(z.enum(LIES)).min(1),
  /** One of so many packets, by chance. */
  oneIn: z.number().int().min(1).default(1),
  fromUs: z.number().nonnegative().default(0),
  toUs: z.number().positive().default(1_000_000_000),
});

export type LiarDocument = z.output<typeof liarSchema>;

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
