import { z } from 'zod';

/** Record of a workload whose ranks do tasks. */
const rankTimes = z.strictObject({
  rank: z.number(),
  host: z.string(),
  /** Null where some of its tasks were not done. */
  finishUs: z.number().nullable(),
  computeUs: z.number(),
  communicationUs: z.number(),
  exposedUs: z.number(),
});

/** Occupation of ranks over time: beginnings and ends in turn, as instants of the run. */
const phases = z.strictObject({
  /** Shorter pauses are not kept. */
  gapUs: z.number(),
  ranks: z.array(
    z.strictObject({ computingUs: z.array(z.number()), communicatingUs: z.array(z.number()) }),
  ),
});

const collectiveTimes = z.strictObject({
  name: z.string(),
  operation: z.string(),
  algorithm: z.string(),
  ranks: z.number(),
  bytes: z.number(),
  startUs: z.number().nullable(),
  timeUs: z.number().nullable(),
  algorithmBandwidthGbps: z.number().nullable(),
  busBandwidthGbps: z.number().nullable(),
  /** Rank that entered last, and that left last. */
  lastToEnter: z.number().nullable(),
  lastToLeave: z.number().nullable(),
});

const criticalPath = z.strictObject({
  rank: z.number(),
  host: z.string(),
  /** Parts of the time of the step, along the tasks that each waited for last. */
  computeUs: z.number(),
  networkUs: z.number(),
  localUs: z.number(),
  waitUs: z.number(),
  /** The same in a sentence. */
  text: z.string(),
});

export const traceRecordSchema = z.strictObject({
  name: z.string(),
  tasks: z.number(),
  unfinishedTasks: z.number(),
  /** From the start of the workload to its last task; null: some were not done. */
  stepUs: z.number().nullable(),
  exposedUs: z.number(),
  ranks: z.array(rankTimes),
  /** The first ones, where there are many. */
  collectives: z.array(collectiveTimes),
  collectivesOmitted: z.number(),
  slowest: criticalPath.nullable(),
  /** Absent in results of earlier versions. */
  phases: phases.optional(),
});

export type TraceRecord = z.infer<typeof traceRecordSchema>;
export type RankTimes = TraceRecord['ranks'][number];
export type CollectiveTimes = TraceRecord['collectives'][number];
export type Phases = z.infer<typeof phases>;
export type CriticalPath = NonNullable<TraceRecord['slowest']>;
