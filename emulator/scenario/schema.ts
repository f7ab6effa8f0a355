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
  rateGbps,
  delayNs,
};

/** One switch with `hosts` hosts `h1`…, host n at port n. */
const star = z.strictObject({
  kind: z.literal('star'),
  hosts: z.number().int().min(2).max(500),
  ...linkShape,
});

/** Two switches with a link between them; `left` hosts at the first, `right` at the second. */
const dumbbell = z.strictObject({
  kind: z.literal('dumbbell'),
  left: z.number().int().min(1).max(250),
  right: z.number().int().min(1).max(250),
  ...linkShape,
  /** The link between the switches; the hosts' links otherwise. */
  trunkRateGbps: rateGbps.optional(),
});

/** Every leaf linked to every spine; hosts numbered leaf by leaf. */
const leafSpine = z.strictObject({
  kind: z.literal('leaf-spine'),
  leaves: z.number().int().min(1).max(100),
  spines: z.number().int().min(1).max(100),
  hostsPerLeaf: z.number().int().min(1).max(250),
  ...linkShape,
  fabricRateGbps: rateGbps.optional(),
});

const custom = z.strictObject({
  kind: z.literal('custom'),
  switches: z.array(name),
  hosts: z.array(name).min(2),
  links: z
    .array(
      z.strictObject({
        between: z.tuple([name, name]),
        ...linkShape,
        lossRate: z.number().min(0).max(1).default(0),
      }),
    )
    .min(1),
});

const flow = z.strictObject({
  from: name,
  to: name,
  /** Payload bytes. */
  bytes: payloadBytes,
  startUs: timeUs,
  /** Class of the flow's data. */
  dscp: z.number().int().min(0).max(63).optional(),
  /** It begins when U of its path is below `loadBelow`, or after `withinUs` in any case. */
  admission: z
    .strictObject({
      loadBelow: z.number().gt(0).max(1).optional(),
      withinUs: timeUs.positive().optional(),
    })
    .optional(),
});

const recordSchema = z.strictObject({
  /** Sampling interval of queues. */
  queueIntervalNs: recordIntervalNs.default(100),
  /** Sampling interval of the flows' rates and windows. */
  flowIntervalNs: recordIntervalNs.default(1000),
  /** Number of sampled flows: the first ones. */
  sampledFlows: z.number().int().nonnegative().default(64),
});

const documentSchema = z.strictObject({
  name,
  title: z.string().min(1),
  topology: z.discriminatedUnion('kind', [star, dumbbell, leafSpine, custom, ...FABRICS]),
  flows: z.array(flow).default([]),
  /** Messages that wait for each other. */
  workloads: z.array(workloadSchema).default([]),
  ...dataPlaneShape,
  ...eventShape,
  ...forgeryShape,
  ...variantShape,
  /** Hosts whose flows keep a rate whatever the feedback, in Gb/s. */
  fixedRateGbps: z.record(name, rateGbps).default({}),
  /** Memory that the ports of each switch share, and pauses before it overflows (docs/lossless.md). */
  buffer: bufferSchema.optional(),
  parameters: z.prefault(parametersSchema, {}),
  record: recordSchema.prefault({}),
  /** End of the run; by default when all flows have finished. */
  untilUs: timeUs.positive().optional(),
  /** Upper bound of the run when flows do not finish. */
  giveUpAfterUs: timeUs.positive().default(1_000_000),
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
