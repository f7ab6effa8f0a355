import { z } from 'zod';
import { InputError } from '../../../common/errors';
import type { Random } from '../../../common/random/random';
import { poissonArrivals } from '../arrivals';
import { bytes, common, hostName, participants, singleFlow } from '../workload-kind';
import type { Participant, WorkloadKind } from '../workload-kind';

const schema = z
  .strictObject({
    kind: z.literal('random-incast'),
    ...common,
    fanIn: z.number().int().min(1).describe('Senders of one incast.'),
    bytes: bytes.describe('Bytes from each of them.'),
    share: z
      .number()
      .gt(0, 'must be above 0')
      .max(1, 'must be at most 1: hosts cannot offer more than their links carry')
      .describe("Payload of all incasts, as a share of the sum of the hosts' rates."),
    durationUs: z.number().positive().describe('Time for which incasts begin.'),
    hosts: z.array(hostName).optional().describe('All hosts of the topology unless given.'),
  })
  .describe(
    'Incasts at random instants: some hosts send to one at once, as queries of a distributed store do.',
  );

/**
 * Incasts at random instants: `fanIn` hosts send to one at once, as queries of a distributed store
 * do (HPCC, SIGCOMM 2019, section 5.1: 60 to 1, 500 KB, 2 % of the capacity).
 */
export const RANDOM_INCAST: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { hosts, random }) => {
    const { fanIn, share, name, startUs, durationUs } = workload;
    const all = participants(workload, hosts, 2);
    if (fanIn >= all.length) {
      throw new InputError(
        `workload ${name}: fanIn must be below the number of hosts (${all.length}), found ${fanIn}`,
      );
    }
    const capacityGbps = all.reduce((sum, { rateGbps }) => sum + rateGbps, 0);
    const meanGapUs = (fanIn * workload.bytes * 8) / (share * capacityGbps * 1000);
    const arrivals = poissonArrivals({ name, startUs, durationUs, meanGapUs }, random);
    return arrivals.flatMap((at) => {
      const [receiver = '', ...senders] = drawNames(all, fanIn + 1, random);
      return senders.map((from) => singleFlow(from, receiver, at, workload.bytes));
    });
  },
};

/** Draws `count` of them, none twice. */
function drawNames(from: readonly Participant[], count: number, random: Random): string[] {
  const names = from.map(({ name }) => name);
  for (let i = 0; i < count; i++) {
    const j = i + random.below(names.length - i);
    [names[i], names[j]] = [names[j] as string, names[i] as string];
  }
  return names.slice(0, count);
}
