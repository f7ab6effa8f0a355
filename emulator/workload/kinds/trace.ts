import { z } from 'zod';
import { PS_PER_NS } from '../../../common/units/units';
import { withPlace } from '../../../common/errors';
import { ALGORITHM_NAMES, ALGORITHMS } from '../collectives/algorithms';
import { OPERATIONS } from '../collectives/collective';
import type { Connection } from '../connection';
import { expandTrace } from '../tasks/expand-trace';
import type { PlacedTrace } from '../tasks/placed-trace';
import { hostsOfRanks, placementSchema } from '../tasks/placement';
import { traceSchema } from '../tasks/trace';
import type { Trace } from '../tasks/trace';
import { payloadBytes } from '../quantities';
import { common } from '../workload-kind';
import type { WorkloadContext } from '../workload-kind';

/** Keys of workloads whose ranks do collectives. */
export const rankShape = {
  placement: placementSchema.prefault({}),
  algorithms: z
    .partialRecord(z.enum(OPERATIONS), z.enum(ALGORITHM_NAMES))
    .default({})
    .superRefine((chosen, context) => {
      for (const [operation, name] of Object.entries(chosen)) {
        const known = Object.keys(ALGORITHMS[operation as keyof typeof chosen]);
        if (known.includes(name)) continue;
        const message = `${operation} is done by ${known.join(', ')}, not by ${name}`;
        context.addIssue({ code: 'custom', path: [operation], message });
      }
    })
    .describe('How collectives are done, by operation.'),
};

const schema = z
  .strictObject({
    kind: z.literal('trace'),
    ...common,
    ...rankShape,
    trace: z
      .union([z.string().min(1), traceSchema])
      .describe('File, folder or beginning of file names of a trace (workloads.md); or its tasks.'),
    bytes: payloadBytes
      .optional()
      .describe('Length of the buffers, for files that are for any length (MSCCL).'),
  })
  .describe('What the ranks of a parallel program do: tasks that wait for each other.');

export const TRACE = { schema };

/** The parts of a workload from which a trace is run. */
export interface TraceWorkload extends z.output<typeof rankWorkload> {
  readonly trace: Trace;
}
const rankWorkload = z.object({ ...common, ...rankShape });

/**
 * The trace on the hosts of the topology, and its connections.
 * @throws InputError for a trace that does not fit them, or contradicts itself.
 */
export function placeTrace(
  { name, startUs, placement, algorithms, trace }: TraceWorkload,
  { first, hosts }: Pick<WorkloadContext, 'first' | 'hosts'>,
): { readonly placed: PlacedTrace; readonly connections: Connection[] } {
  return withPlace(`workload ${name}`, () => {
    const hostOf = hostsOfRanks(placement, trace.ranks, hosts);
    const planned = expandTrace(trace, hostOf, algorithms);
    const { rateGbps, delayNs } = placement.local;
    const local = { rate: rateGbps * 1e9, delay: Math.round(delayNs * PS_PER_NS) };
    const connections = planned.connections.map(({ from, to, bytes }) => ({
      from: hostOf[from] as string,
      to: hostOf[to] as string,
      messages: [],
      taskBytes: bytes,
    }));
    return { placed: { name, planned, first, startUs, local }, connections };
  });
}
