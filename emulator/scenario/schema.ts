import { z } from 'zod';
import { workloadSchema } from '../workload/kinds/workload';
import { bufferSchema } from './buffer-schema';
import { dataPlaneShape, eventShape, forgeryShape, variantShape } from './data-plane-schema';
import { FABRICS } from './fabric';
import { withKeysOfToday } from './old-keys';
import { parametersSchema } from './parameters';
import { parseLocated } from '../../common/document/located-document';
import { delayNs, rateGbps, recordIntervalNs, timeUs, payloadBytes } from '../workload/quantities';

/**
 * A scenario document, as written in YAML or JSON. Every quantity has its unit in its name, so that
 * no file needs a parser of unit strings and no reader a guess.
 */
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _');

const linkShape = {
  rateGbps: rateGbps.describe('Rate of every link, or of the links of hosts.'),
  delayNs: delayNs.describe('Propagation delay of every link, in one direction.'),
};

const star = z
  .strictObject({
    kind: z.literal('star'),
    hosts: z
      .number()
      .int()
      .min(2)
      .max(500)
      .describe('Hosts, named h1, h2, ... in the order of ports.'),
    ...linkShape,
  })
  .describe('One switch with `hosts` hosts `h1`…, host n at port n.');

const dumbbell = z
  .strictObject({
    kind: z.literal('dumbbell'),
    left: z.number().int().min(1).max(250).describe('Hosts at the first switch, h1, h2, ...'),
    right: z
      .number()
      .int()
      .min(1)
      .max(250)
      .describe('Hosts at the second switch, numbered on from those of the first.'),
    ...linkShape,
    trunkRateGbps: rateGbps
      .optional()
      .describe("The link between the switches; the hosts' links otherwise."),
  })
  .describe(
    'Two switches with a link between them; `left` hosts at the first, `right` at the second.',
  );

const leafSpine = z
  .strictObject({
    kind: z.literal('leaf-spine'),
    leaves: z.number().int().min(1).max(100).describe('Switches that have hosts.'),
    spines: z.number().int().min(1).max(100).describe('Switches that every leaf is linked to.'),
    hostsPerLeaf: z
      .number()
      .int()
      .min(1)
      .max(250)
      .describe('Hosts of each leaf, numbered leaf by leaf.'),
    ...linkShape,
    fabricRateGbps: rateGbps
      .optional()
      .describe('Rate of the links between switches; that of the hosts unless given.'),
  })
  .describe('Every leaf linked to every spine; hosts numbered leaf by leaf.');

const custom = z
  .strictObject({
    kind: z.literal('custom'),
    switches: z.array(name).describe('Names of the switches.'),
    hosts: z.array(name).min(2).describe('Names of the hosts.'),
    links: z
      .array(
        z.strictObject({
          between: z.tuple([name, name]).describe('The nodes at both ends.'),
          ...linkShape,
          backRateGbps: rateGbps
            .optional()
            .describe(
              'Rate from the second node to the first; that of the other direction unless given.',
            ),
          backDelayNs: delayNs
            .optional()
            .describe(
              'Delay from the second node to the first; that of the other direction unless given.',
            ),
          lossRate: z
            .number()
            .min(0)
            .max(1)
            .default(0)
            .describe('Share of packets that the link loses, by chance.'),
        }),
      )
      .min(1)
      .describe('The links; parallel ones are equal paths.'),
  })
  .describe('Switches, hosts and links by name.');

const flow = z.strictObject({
  from: name.describe('Host that sends.'),
  to: name.describe('Host that receives.'),
  bytes: payloadBytes.describe('Payload bytes.'),
  startUs: timeUs.describe('Instant of its begin.'),
  dscp: z.number().int().min(0).max(63).optional().describe("Class of the flow's data."),
  admission: z
    .strictObject({
      loadBelow: z
        .number()
        .gt(0)
        .max(1)
        .optional()
        .describe('Load U of its path below which it begins.'),
      withinUs: timeUs.positive().optional().describe('Longest wait.'),
    })
    .optional()
    .describe(
      'It begins when U of its path is below `loadBelow`, or after `withinUs` in any case.',
    ),
});

const recordSchema = z.strictObject({
  queueIntervalNs: recordIntervalNs.default(100).describe('Sampling interval of queues.'),
  flowIntervalNs: recordIntervalNs
    .default(1000)
    .describe("Sampling interval of the flows' rates and windows."),
  sampledFlows: z
    .number()
    .int()
    .nonnegative()
    .default(64)
    .describe('Number of sampled flows: the first ones.'),
});

/** Keys of today alone; {@link scenarioSchema} understands those of the last version too. */
export const documentSchema = z.strictObject({
  name: name.describe('Name of the scenario, in results and folders.'),
  title: z.string().min(1).describe('One line for people.'),
  topology: z
    .discriminatedUnion('kind', [star, dumbbell, leafSpine, custom, ...FABRICS])
    .describe('Switches, hosts and links.'),
  flows: z.array(flow).default([]).describe('Flows that begin at given instants.'),
  workloads: z.array(workloadSchema).default([]).describe('Messages that wait for each other.'),
  ...dataPlaneShape,
  ...eventShape,
  ...forgeryShape,
  ...variantShape,
  fixedRateGbps: z
    .record(name, rateGbps)
    .default({})
    .describe('Hosts whose flows keep a rate whatever the feedback, in Gb/s.'),
  buffer: bufferSchema
    .optional()
    .describe(
      'Memory that the ports of each switch share, and pauses before it overflows (docs/lossless.md).',
    ),
  parameters: z
    .prefault(parametersSchema, {})
    .describe('Settings of hosts and of the algorithm (settings.md).'),
  record: recordSchema.prefault({}).describe('How closely queues and flows are sampled.'),
  untilUs: timeUs
    .positive()
    .optional()
    .describe('End of the run; by default when all flows have finished.'),
  giveUpAfterUs: timeUs
    .positive()
    .default(1_000_000)
    .describe('Upper bound of the run when flows do not finish.'),
});

/** A scenario that has been read: all defaults are in it. */
export type ScenarioDocument = z.output<typeof documentSchema>;
export type ScenarioInput = z.input<typeof documentSchema>;

/** Documents with the keys of the last version are understood. */
export const scenarioSchema = z.preprocess(withKeysOfToday, documentSchema) as unknown as z.ZodType<
  ScenarioDocument,
  ScenarioInput
>;

export type TopologyDocument = ScenarioDocument['topology'];
export type FlowDocument = ScenarioDocument['flows'][number];

/** Reads a scenario from YAML or JSON text. Every error names file, line, path and expectation. */
export function parseScenario(text: string, file: string): ScenarioDocument {
  return parseLocated(text, file, scenarioSchema, 'scenario').value;
}
