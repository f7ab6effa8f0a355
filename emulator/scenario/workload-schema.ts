import { z } from 'zod';

/**
 * Workloads as data: what a computation sends, in messages of which some wait for others. Every
 * quantity has its unit in its name.
 */
const hostName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _');
const bytes = z.number().int().positive();

const common = {
  /** By which results name it. */
  name: hostName,
  startUs: z.number().nonnegative().default(0),
  /** Each connection starts up to so much later, which the run's seed decides. */
  jitterUs: z.number().nonnegative().default(0),
  /** How often it is done; each time waits until the time before has arrived everywhere. */
  iterations: z.number().int().min(1).max(1000).default(1),
  /** Time between an iteration and the next one, in which hosts compute. */
  computeUs: z.number().nonnegative().default(0),
};

/** `hosts` in the order of the ring; each has a vector of `bytes`. */
const ringAllReduce = z.strictObject({
  kind: z.literal('ring-all-reduce'),
  ...common,
  hosts: z.array(hostName).min(2).max(256),
  bytes,
});

/** Everybody sends `bytesPerPair` to everybody, one peer after the other. */
const allToAll = z.strictObject({
  kind: z.literal('all-to-all'),
  ...common,
  hosts: z.array(hostName).min(2).max(64),
  bytesPerPair: bytes,
});

/** Few large flows between fixed pairs, as pipelines and replicas of a training have. */
const training = z.strictObject({
  kind: z.literal('training'),
  ...common,
  pairs: z
    .array(z.tuple([hostName, hostName]))
    .min(1)
    .max(256),
  bytes,
});

/** All `senders` answer one `receiver` at the same time. */
const incast = z.strictObject({
  kind: z.literal('incast'),
  ...common,
  senders: z.array(hostName).min(1).max(256),
  receiver: hostName,
  bytes,
});

export const workloadSchema = z.discriminatedUnion('kind', [
  ringAllReduce,
  allToAll,
  training,
  incast,
]);

export type Workload = z.output<typeof workloadSchema>;
