import { z } from 'zod';
import { OPERATIONS } from '../collectives/collective';
import { payloadBytes } from '../quantities';
import type { TraceInput } from '../tasks/trace';
import { traceSchema } from '../tasks/trace';
import { common } from '../workload-kind';
import { rankShape } from './trace';
import type { TraceWorkload } from './trace';

const schema = z
  .strictObject({
    kind: z.literal('collective'),
    ...common,
    ...rankShape,
    operation: z.enum(OPERATIONS).describe('Which collective operation.'),
    ranks: z.number().int().min(2).max(4096).describe('Number of ranks.'),
    bytes: payloadBytes.describe(
      'Length of the larger of the input and output of a rank, as nccl-tests count.',
    ),
    iterations: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe('Number of collectives, one behind the other.'),
    computeUs: z
      .number()
      .nonnegative()
      .default(0)
      .describe('Time for which each rank computes before each of them.'),
  })
  .describe('A collective of all ranks, once or several times.');

export const COLLECTIVE = { schema };

/** The same as a trace, in which each rank does its parts one by one. */
export function collectiveTrace(workload: z.output<typeof schema>): TraceWorkload {
  const { operation, ranks, bytes, iterations, computeUs } = workload;
  const tasks: TraceInput['tasks'] = [];
  for (let rank = 0; rank < ranks; rank++) {
    for (let i = 0; i < iterations; i++) {
      const compute = tasks.length;
      const after = i === 0 ? [] : [compute - 1];
      tasks.push({ do: 'compute', rank, us: computeUs, after, name: `compute ${i + 1}` });
      const name = iterations === 1 ? operation : `${operation} ${i + 1}`;
      tasks.push({ do: 'collective', rank, operation, bytes, after: [compute], name });
    }
  }
  return { ...workload, trace: traceSchema.parse({ ranks, tasks }) };
}
