import { z } from 'zod';
import { OPERATIONS } from '../collectives/collective';
import { ALGORITHM_NAMES } from '../collectives/algorithms';

/** Tasks of one trace; more take more memory than a run of single packets is for. */
export const TASKS_MAX = 4_000_000;

const count = z.number().int().nonnegative();
const rank = count.describe('Rank, from 0.');
const bytes = z.number().int().nonnegative();

const common = {
  rank: rank.describe('Rank whose task it is.'),
  name: z.string().optional().describe('Name in results and errors; its number unless given.'),
  after: z.array(count).optional().describe('Tasks, by number from 0, that must be done.'),
  afterStart: z.array(count).optional().describe('Tasks that must have begun.'),
};

const compute = z
  .strictObject({
    do: z.literal('compute').describe('Kind of the task.'),
    ...common,
    us: z.number().nonnegative().describe('How long it takes.'),
    stream: z
      .string()
      .optional()
      .describe('Processor of the rank; tasks of one go one by one, as they become ready.'),
  })
  .describe('Computation.');

const wait = z
  .strictObject({
    do: z.literal('wait').describe('Kind of the task.'),
    ...common,
    us: z.number().nonnegative().describe('How long it takes.'),
  })
  .describe('Time that passes, in which nothing is computed.');

const send = z
  .strictObject({
    do: z.literal('send').describe('Kind of the task.'),
    ...common,
    to: rank.describe('Rank that receives.'),
    bytes: bytes.describe('Length of the message; 0 counts as 1.'),
    tag: z.number().int().optional().describe('Only receives with it match; 0 unless given.'),
    channel: z.string().optional().describe('Messages of a channel share one flow.'),
  })
  .describe('A message, which is done when it has arrived.');

const receive = z
  .strictObject({
    do: z.literal('receive').describe('Kind of the task.'),
    ...common,
    from: rank.describe('Rank that sends.'),
    tag: z.number().int().optional().describe('Only sends with it match; 0 unless given.'),
  })
  .describe('Done when the message has arrived; those of two ranks and a tag match in order.');

const collective = z
  .strictObject({
    do: z.literal('collective').describe('Kind of the task.'),
    ...common,
    operation: z.enum(OPERATIONS).describe('Which collective operation.'),
    bytes: bytes.describe(
      'Length of the larger of the input and output of a rank, as nccl-tests count.',
    ),
    group: z.string().optional().describe('Group of ranks; all ranks unless given.'),
    root: count.optional().describe('Root, by its place in the group; the first one unless given.'),
    algorithm: z
      .enum(ALGORITHM_NAMES)
      .optional()
      .describe('In place of what the workload says for the operation.'),
  })
  .describe("A rank's part in a collective; the ranks of a group do theirs in the same order.");

const taskSchema = z.discriminatedUnion('do', [compute, wait, send, receive, collective]);

/** A parallel program: what its ranks do, and which task waits for which. */
export const traceSchema = z
  .strictObject({
    ranks: z.number().int().min(1).max(65_536).describe('Number of ranks.'),
    groups: z
      .record(z.string(), z.array(rank).min(1))
      .default({})
      .describe('Groups of ranks that do collectives, by name.'),
    tasks: z.array(taskSchema).min(1).max(TASKS_MAX).describe('Tasks, each by its number from 0.'),
  })
  .describe('What ranks do, and which task waits for which.');

export type Trace = z.output<typeof traceSchema>;
export type TraceInput = z.input<typeof traceSchema>;
export type Task = Trace['tasks'][number];
export type CollectiveTask = Extract<Task, { do: 'collective' }>;

/** A task as errors and results name it. */
export const taskName = ({ name, rank: of }: Task, number: number): string =>
  `${name ?? `task ${number}`} of rank ${of}`;
