import { z } from 'zod';
import { bytes, hostName, inStep, participants, repeated } from '../workload-kind';
import type { WorkloadKind } from '../workload-kind';

const schema = z
  .strictObject({
    kind: z.literal('permutation'),
    ...repeated,
    hosts: z.array(hostName).optional().describe('All of the topology unless given.'),
    bytes: bytes.describe('Payload of each flow.'),
  })
  .describe(
    "Every host sends to one other host and receives from one; the run's seed decides who.",
  );

/** Every host sends to one other host and receives from one; the run's seed decides who. */
export const PERMUTATION: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { first, hosts, random }) => {
    const names = participants(workload, hosts, 2).map(({ name }) => name);
    // Sattolo's shuffle: one cycle through all of them, so no host sends to itself.
    const cycle = [...names];
    for (let i = cycle.length - 1; i > 0; i--) {
      const j = random.below(i);
      [cycle[i], cycle[j]] = [cycle[j] as string, cycle[i] as string];
    }
    const next = new Map(cycle.map((name, i) => [name, cycle[(i + 1) % cycle.length] as string]));
    const step = { first, bytes: workload.bytes };
    return names.map((from) => ({
      from,
      to: next.get(from) as string,
      messages: inStep(workload, names.length, step),
    }));
  },
};
