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
