import { z } from 'zod';

/**
 * Kinds of what a flow spends time on:
 *
 *     queue          its packets waited in a port behind those of other flows
 *     sharing        its window or pacing held it back while a port of its path carried other flows
 *     pause          a port of its path, or its host, was paused
 *     retransmission something was lost: time until it was sent again, and for sending it again
 *     window         its window was full though its path had room
 *     pacing         its pacing rate held it back though its path had room
 *     draining       it waited for bytes in flight, as before another path
 *     interface      the interface of its host sent other flows
 *     receiver       its receiver had the data, and had not acknowledged it yet
 *     application    it had been given nothing to send
 *     serialisation  its own bytes left, at the rate of the slowest link
 *     propagation    the last packet and its acknowledgement were on links
 *     other          what none of these explains
 */
export const CAUSES = [
  'queue',
  'sharing',
  'pause',
  'retransmission',
  'window',
  'pacing',
  'draining',
  'interface',
  'receiver',
  'application',
  'serialisation',
  'propagation',
  'other',
] as const;

export type Cause = (typeof CAUSES)[number];

const part = z.strictObject({
  cause: z.enum(CAUSES),
  /** Direction of a link, or host; absent where there is no place. */
  at: z.string().optional(),
  /** Kind of packet that was on its way there; absent where none was. */
  way: z.enum(['data', 'acknowledgement', 'request']).optional(),
  timeUs: z.number(),
  share: z.number(),
  /** The shortest span with at least half of it. */
  fromUs: z.number(),
  toUs: z.number(),
  /** Other flows that were before it, the longest first; null: packets of no flow. */
  flows: z.array(z.strictObject({ id: z.number().nullable(), timeUs: z.number() })),
});

/** The completion time of one flow, divided by cause: the parts are all of it. */
export const flowCausesSchema = z.strictObject({
  flow: z.number(),
  source: z.string(),
  destination: z.string(),
  startUs: z.number(),
  fctUs: z.number(),
  idealFctUs: z.number(),
  slowdown: z.number(),
  /** The longest first. */
  parts: z.array(part),
});

export type FlowCauses = z.infer<typeof flowCausesSchema>;
export type CausePart = FlowCauses['parts'][number];
