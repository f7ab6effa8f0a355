import { z } from 'zod';
import type { Connection } from '../connection';
import type { WorkloadContext, WorkloadStream } from '../workload-kind';
import { ALL_TO_ALL } from './all-to-all';
import { COLLECTIVE } from './collective';
import { INCAST } from './incast';
import { PERMUTATION } from './permutation';
import { POISSON } from './poisson';
import { RANDOM_INCAST } from './random-incast';
import { RING_ALL_REDUCE } from './ring-all-reduce';
import { TRACE } from './trace';
import { TRAINING } from './training';

/** Workloads as data: what a computation sends, in messages of which some wait for others. */
export const workloadSchema = z.discriminatedUnion('kind', [
  RING_ALL_REDUCE.schema,
  ALL_TO_ALL.schema,
  TRAINING.schema,
  INCAST.schema,
  POISSON.schema,
  RANDOM_INCAST.schema,
  PERMUTATION.schema,
  COLLECTIVE.schema,
  TRACE.schema,
]);

export type Workload = z.output<typeof workloadSchema>;

/** A workload whose messages wait for tasks of ranks. */
export type RankWorkload = Extract<Workload, { kind: 'collective' | 'trace' }>;
export type MessageWorkload = Exclude<Workload, RankWorkload>;

export const hasRanks = (workload: Workload): workload is RankWorkload =>
  workload.kind === 'collective' || workload.kind === 'trace';

type Expand = (workload: never, context: WorkloadContext) => Connection[];

const EXPAND: { readonly [Kind in MessageWorkload['kind']]: Expand } = {
  'ring-all-reduce': RING_ALL_REDUCE.expand,
  'all-to-all': ALL_TO_ALL.expand,
  training: TRAINING.expand,
  incast: INCAST.expand,
  poisson: POISSON.expand,
  'random-incast': RANDOM_INCAST.expand,
  permutation: PERMUTATION.expand,
};

/**
 * The connections of a workload, numbered from `context.first` in the scenario.
 * @throws InputError for a workload that contradicts itself or the topology.
 */
export const expandWorkload = (workload: MessageWorkload, context: WorkloadContext): Connection[] =>
  EXPAND[workload.kind](workload as never, context);

/** The stream of a workload; undefined for a kind that has none. */
export const streamOf = ({ kind }: Workload): WorkloadStream<Workload> | undefined =>
  kind === 'poisson' ? (POISSON.stream as WorkloadStream<Workload> | undefined) : undefined;
