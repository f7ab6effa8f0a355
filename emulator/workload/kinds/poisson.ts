import { z } from 'zod';
import { InputError } from '../../../common/errors';
import type { Random } from '../../../common/random/random';
import { arrivalsOf, poissonArrivals } from '../arrivals';
import type { PoissonProcess } from '../arrivals';
import type { Connection } from '../connection';
import { mergeByStart, startUsOf } from '../merge-by-start';
import { SizeDistribution } from '../size-distribution';
import { common, hostName, participants, singleFlow } from '../workload-kind';
import type { Participant, WorkloadKind } from '../workload-kind';

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

type Poisson = z.output<typeof schema>;

/** Sources of randomness from which the flows of a workload are drawn. */
interface Drawing {
  readonly sizes: SizeDistribution;
  readonly hosts: readonly Participant[];
  /** Arrivals at each of the hosts. */
  readonly processes: readonly PoissonProcess[];
}

/**
 * Flows arrive at every host as a Poisson process and go to another host, each as likely. Sizes and
 * instants depend on the seed alone, not on the algorithm that runs: comparisons see equal flows.
 */
export const POISSON: WorkloadKind<typeof schema> = {
  schema,
  expand: (workload, { hosts, random }) => {
    const drawing = drawingOf(workload, hosts);
    const flows = drawing.processes.flatMap((process, i) =>
      poissonArrivals(process, random).map((at) => drawFlow(drawing, i, { at, random })),
    );
    return flows.sort((a, b) => startUsOf(a) - startUsOf(b));
  },
  stream: {
    expected: (workload, hosts) =>
      drawingOf(workload, hosts).processes.reduce(
        (sum, { durationUs, meanGapUs }) => sum + durationUs / meanGapUs,
        0,
      ),
    of: (workload, { hosts, random }) => {
      const drawing = drawingOf(workload, hosts);
      // All arrivals of a host are drawn before its first flow: each lane has a generator for either.
      const lanes = drawing.processes.map((process, i) => {
        const arrivals = random.clone();
        const drawn = arrivalsOf(process, random)[Symbol.iterator]();
        let count = 0;
        while (drawn.next().done !== true) count++;
        const flows = random.clone();
        for (let n = 0; n < count; n++) drawFlow(drawing, i, { at: 0, random });
        return { process, i, arrivals, flows };
      });
      return () =>
        mergeByStart(
          lanes.map(({ process, i, arrivals, flows }) =>
            laneOf(drawing, i, { arrivals: arrivalsOf(process, arrivals.clone()), flows }),
          ),
          startUsOf,
        );
    },
  },
};

function drawingOf(workload: Poisson, all: readonly Participant[]): Drawing {
  const { name, distribution, load, startUs, durationUs } = workload;
  if (typeof distribution === 'string') {
    throw new InputError(`workload ${name}: distribution '${distribution}' has not been read`);
  }
  const sizes = new SizeDistribution(distribution, `workload ${name}`);
  const hosts = participants(workload, all, 2);
  const processes = hosts.map(({ rateGbps }) => {
    const meanGapUs = (sizes.mean * 8) / (load * rateGbps * 1000);
    return { name, startUs, durationUs, meanGapUs };
  });
  return { sizes, hosts, processes };
}

function* laneOf(
  drawing: Drawing,
  sender: number,
  { arrivals, flows }: { readonly arrivals: Iterable<number>; readonly flows: Random },
): Iterable<Connection> {
  const random = flows.clone();
  for (const at of arrivals) yield drawFlow(drawing, sender, { at, random });
}

function drawFlow(
  { hosts, sizes }: Drawing,
  sender: number,
  { at, random }: { readonly at: number; readonly random: Random },
): Connection {
  const other = (sender + 1 + random.below(hosts.length - 1)) % hosts.length;
  const [from, to] = [hosts[sender], hosts[other]] as [Participant, Participant];
  return singleFlow(from.name, to.name, at, sizes.draw(random));
}
