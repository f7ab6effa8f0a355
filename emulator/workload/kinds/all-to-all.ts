import { z } from 'zod';
import type { Connection } from '../connection';
import { bytes, hostName, inIterations, refuseTwice, repeated } from '../workload-kind';
import type { WorkloadKind } from '../workload-kind';

const schema = z
  .strictObject({
    kind: z.literal('all-to-all'),
    ...repeated,
    hosts: z.array(hostName).min(2).max(64).describe('Hosts that take part, none twice.'),
    bytesPerPair: bytes.describe('Payload from each host to each other one.'),
  })
  .describe('Everybody sends `bytesPerPair` to everybody, one peer after the other.');

/**
 * In round r host i sends to host i + r, so that each host receives from one peer at a time as long
 * as rounds keep together: a host starts its next round when what it was to receive has arrived.
 */
export const ALL_TO_ALL: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { first }) => {
    const { hosts, bytesPerPair, name } = workload;
    refuseTwice(hosts, name);
    const count = hosts.length;
    const rounds = count - 1;
    /** Connection of host i in round r, from 1. */
    const numberOf = (i: number, r: number): number =>
      first + ((i + count) % count) * rounds + (r - 1);
    return hosts.flatMap((from, i) =>
      Array.from({ length: rounds }, (_, k): Connection => {
        const r = k + 1;
        const messages = inIterations(workload, (iteration) => {
          const isFirst = r === 1 && iteration === 0;
          const before =
            r === 1 ? { r: rounds, message: iteration - 1 } : { r: k, message: iteration };
          const connection = numberOf(i - before.r, before.r);
          const after = isFirst ? [] : [{ connection, message: before.message }];
          return [{ bytes: bytesPerPair, after }];
        });
        return { from, to: hosts[(i + r) % count] as string, messages };
      }),
    );
  },
};
