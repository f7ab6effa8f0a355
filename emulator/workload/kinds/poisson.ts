import { z } from 'zod';
import { InputError } from '../../../common/errors';
import { poissonArrivals } from '../arrivals';
import { SizeDistribution } from '../size-distribution';
import { common, hostName, participants, singleFlow } from '../workload-kind';
import type { WorkloadKind } from '../workload-kind';

const schema = z
  .strictObject({
    kind: z.literal('poisson'),
    ...common,
    distribution: z
      .union([z.string().min(1), z.array(z.tuple([z.number(), z.number()]))])
      .describe(
        'Distribution of flow sizes: one that comes with the project, a file of `bytes percent` lines beside the scenario, or such points themselves.',
      ),
    load: z
      .number()
      .gt(0, 'must be above 0')
      .max(1, 'must be at most 1: a host cannot offer more than its link carries')
      .describe('Payload that every host offers, as a share of the rate of its link.'),
    durationUs: z
      .number()
      .positive()
      .describe('For so long flows arrive; the run lasts until they are through.'),
    hosts: z
      .array(hostName)
      .optional()
      .describe('Hosts that send and receive; all hosts of the topology unless given.'),
  })
  .describe(
    'Flows arrive at every host as a Poisson process and go to another host, each as likely.',
  );

/**
 * Flows arrive at every host as a Poisson process and go to another host, each as likely. Sizes and
 * instants depend on the seed alone, not on the algorithm that runs: comparisons see equal flows.
 */
export const POISSON: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { hosts, random }) => {
    const { name, distribution, load, startUs, durationUs } = workload;
    if (typeof distribution === 'string') {
      throw new InputError(`workload ${name}: distribution '${distribution}' has not been read`);
    }
    const sizes = new SizeDistribution(distribution, `workload ${name}`);
    const all = participants(workload, hosts, 2);
    const flows = all.flatMap((sender, i) => {
      const meanGapUs = (sizes.mean * 8) / (load * sender.rateGbps * 1000);
      const process = { name, startUs, durationUs, meanGapUs };
      return poissonArrivals(process, random).map((at) => {
        const other = (i + 1 + random.below(all.length - 1)) % all.length;
        const to = (all[other] as { name: string }).name;
        return singleFlow(sender.name, to, at, sizes.draw(random));
      });
    });
    const startOf = (flow: (typeof flows)[number]): number => flow.messages[0]?.startUs ?? 0;
    return flows.sort((a, b) => startOf(a) - startOf(b));
  },
};
