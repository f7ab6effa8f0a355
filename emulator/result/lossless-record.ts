import { z } from 'zod';

/** One direction of a link that was paused by its receiving end. */
const pausedLink = z.strictObject({
  name: z.string(),
  /** Times that it stopped. */
  pauses: z.number(),
  /** Over all priorities of the link. */
  pausedUs: z.number(),
});

/** A flow that pauses made wait. */
const heldFlow = z.strictObject({
  id: z.number(),
  /** In queues of switches, summed over its packets, and at its host while it had something to send. */
  heldUs: z.number(),
  /** The part of it because of links that the flow does not use: its own path was free. */
  victimUs: z.number(),
  /** Those links. */
  because: z.array(z.string()),
});

/** Links that wait for each other. */
const deadlock = z.strictObject({
  /** When the circle had stood still for as long as the scenario says. */
  atUs: z.number(),
  /** When something in it moved again; null: nothing did. */
  endedAtUs: z.number().nullable(),
  /** Each link waits for the next one, and the last for the first. */
  cycle: z.array(z.string()),
});

/** Record of a shared buffer and its pauses in a run. */
export const losslessSchema = z.strictObject({
  /** Frames by which switches stopped senders, and let them go on. */
  pauses: z.number(),
  resumes: z.number(),
  /** Packets of lossless priorities that found no room: 0 if the headroom is right. */
  losslessDrops: z.number(),
  /** Packets of other priorities that found no room. */
  lossyDrops: z.number(),
  /** Queues in which pauses let nothing go any more, as the watchdog found, and packets that it dropped. */
  storms: z.number().optional(),
  stormDrops: z.number().optional(),
  /** Largest of any switch; the headroom of one port and priority. */
  sharedPeakBytes: z.number(),
  headroomPeakBytes: z.number(),
  /** Sum of the paused links' times. */
  pausedUs: z.number(),
  links: z.array(pausedLink),
  flows: z.array(heldFlow),
  victims: z.number(),
  deadlocks: z.array(deadlock),
});

export type LosslessRecord = z.infer<typeof losslessSchema>;
