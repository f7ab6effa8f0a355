import { z } from 'zod';
import type { Connection } from '../connection';
import { bytes, hostName, inIterations, refuseTwice, repeated } from '../workload-kind';
import type { Draft, WorkloadKind } from '../workload-kind';

const schema = z
  .strictObject({
    kind: z.literal('ring-all-reduce'),
    ...repeated,
    hosts: z
      .array(hostName)
      .min(2)
      .max(256)
      .describe('Hosts in the order of the ring, none twice.'),
    bytes: bytes.describe('Length of the vector that each host has.'),
  })
  .describe('A vector is summed up around a ring of hosts, and the sums spread.');

/**
 * N hosts, 2(N - 1) steps: the vector is cut into N parts, and in each step every host passes the
 * part that it has just received, first summing up and then spreading the sums. So a step waits for
 * the step before to arrive from the predecessor.
 */
export const RING_ALL_REDUCE: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { first }) => {
    const { hosts, name } = workload;
    refuseTwice(hosts, name);
    const count = hosts.length;
    const steps = 2 * (count - 1);
    const chunk = Math.ceil(workload.bytes / count);
    return hosts.map((from, i): Connection => {
      const previous = first + ((i + count - 1) % count);
      const messages = inIterations(workload, (iteration) =>
        Array.from({ length: steps }, (_, step): Draft => {
          const message = iteration * steps + step;
          const after = message === 0 ? [] : [{ connection: previous, message: message - 1 }];
          return { bytes: chunk, after };
        }),
      );
      return { from, to: hosts[(i + 1) % count] as string, messages };
    });
  },
};
