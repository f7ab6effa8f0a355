import { z } from 'zod';
import { ALGORITHMS, isAlgorithm } from '../../host-agent/algorithm/library/algorithms';
import { CARRIERS } from '../../host-agent/carrier/carriers';
import { ROUND_ENDS } from '../../host-agent/feedback/round-clock';
import { LOSS_RECOVERIES } from '../../host-agent/transport/recovery/loss-recovery';
import { workloadSchema } from '../workload/kinds/workload';
import { bufferSchema } from './buffer-schema';
import { dataPlaneShape, eventShape, liarShape, variantShape } from './data-plane-schema';
import { FABRICS } from './fabric';
import { parseLocated } from '../../common/document/located-document';
import { delayNs, rateGbps, recordIntervalNs, timeUs, payloadBytes } from '../workload/quantities';

/**
 * A scenario document, as written in YAML or JSON. Every quantity has its unit in its name, so that
 * no file needs a parser of unit strings and no reader a guess.
 */
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _');
const positive = z.number().positive();

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
  switches: z.array(name).min(1),
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

/** Parameters of the algorithm and of the hosts; what is absent has the default of the draft. */
export const parametersSchema = z.strictObject({
  /** What steers flows (docs/algorithms.md); `none` sends at line rate and repeats what is lost. */
  algorithm: z
    .string()
    .refine(isAlgorithm, `must be ${ALGORITHMS.join(', ')}, or a file such as ./mine.mjs`)
    .default('hpccpp'),
  /** Constants of the algorithm that differ from those of its table, by name. */
  constants: z.record(z.string(), z.number()).default({}),
  /** What packets look like: the reliable flow over UDP, or RoCEv2. */
  transport: z.enum(['udp', 'rocev2']).default('udp'),
  /** With RoCEv2: what carries the bytes of a flow. With `read`, its destination fetches them. */
  operation: z.enum(['write', 'read', 'send']).default('write'),
  /** eta: target utilisation. */
  eta: z.number().gt(0).max(1).default(0.95),
  maxStage: z.number().int().nonnegative().default(5),
  /** W_ai in payload bytes; by default W_init * (1 - eta) / 100, the room for 100 flows. */
  waiBytes: positive.max(1e15).optional(),
  /**
   * What brings telemetry to the algorithm: every acknowledgement, packets of their own, one probe
   * per round trip, or the receiver, which runs the algorithm itself, on data or on probes.
   */
  feedback: z.enum(['ack', 'notification', 'probe', 'receiver', 'receiver-probe']).default('ack'),
  /** What ends a round of an algorithm at the receiver: marks of the sender, or T. */
  roundsEndBy: z.enum(ROUND_ENDS).default('epoch'),
  /** What flows over UDP do about missing packets: repeat all from there on, or what is missing. */
  lossRecovery: z.enum(LOSS_RECOVERIES).default('go-back-n'),
  /** What packets ask switches with; by default what the program of the switches writes, mostly INT. */
  carrier: z.enum(CARRIERS).optional(),
  /** One of so many data packets collects telemetry. */
  collectEvery: z.number().int().min(1).max(65535).default(1),
  /** So many data packets of each window collect it; by default as the algorithm wants it. */
  samplesPerWindow: z.number().int().min(1).max(65535).optional(),
  /** One acknowledgement for so many packets in order. */
  acknowledgeEvery: z.number().int().min(1).max(65535).default(1),
  /** W_ai from a fixed number of flows (or `waiBytes`), or from those that the receiver counts. */
  flowCount: z.enum(['fixed', 'receiver']).default('fixed'),
  /** Whether feedback shows the links of the path, or only the load of the fullest one. */
  links: z.enum(['shown', 'hidden']).default('shown'),
  /** Whether flows ask switches of the profile hpcc-feedback to answer them, and use the answers. */
  switchResponses: z.enum(['off', 'on']).default('off'),
  /** What tells of waiting packets: the queue's length, or with hpcc-queues the time in the queue. */
  queueMeasure: z.enum(['length', 'sojourn']).default('length'),
  /** Whether feedback between hosts is signed, so that others cannot forge or repeat it. */
  authentication: z.enum(['off', 'on']).default('off'),
  /** Whether telemetry is refused that the network cannot have sent. */
  plausibility: z.enum(['off', 'on']).default('off'),
  /** Whether hosts under coordination move flows by another source port when switches ask. */
  sourceRerouting: z.enum(['off', 'on']).default('on'),
  /** Source ports that a flow may choose from to find a lighter path; 1: it stays. */
  paths: z.number().int().min(1).max(64).default(1),
  /** T; by default the largest base RTT of the flows' paths. */
  baseRttNs: delayNs.min(1).optional(),
  /** Whether hosts are told T, or begin with it and each flow over UDP measures its own. */
  baseRtt: z.enum(['known', 'measured']).default('known'),
  /** Payload bytes of a full segment. */
  segmentBytes: z.number().int().min(1).max(9000).default(1000),
  /** Bytes behind the datagram of all that flows send, as longer headers would add. */
  trailerBytes: z.number().int().min(0).max(9000).default(0),
  /** INT hop limit that sources write. */
  hopLimit: z.number().int().min(1).max(31).default(8),
  /** Unit in which switches report queue depth; 2^19 units must hold the deepest queue. */
  queueUnitBytes: z.number().int().min(1).max(65535).default(32),
  /** What takes whole units of it: all that waits together, or each packet for itself, as in Tofino. */
  queueRounding: z.enum(['queue', 'packet']).default('queue'),
  /** Unit to which switches truncate txBytes: a power of two. */
  txUnitBytes: z
    .number()
    .int()
    .min(1)
    .max(32768)
    .refine((unit) => Number.isInteger(Math.log2(unit)), 'must be a power of two')
    .default(1),
  /** Queue capacity of each switch port; unlimited when absent. */
  queueCapacityBytes: z.number().int().positive().optional(),
});

const recordSchema = z.strictObject({
  /** Sampling interval of queues. */
  queueIntervalNs: recordIntervalNs.default(100),
  /** Sampling interval of the flows' rates and windows. */
  flowIntervalNs: recordIntervalNs.default(1000),
  /** At most so many flows are sampled: the first ones. */
  sampledFlows: z.number().int().nonnegative().default(64),
});

export const scenarioSchema = z.strictObject({
  name,
  title: z.string().min(1),
  topology: z.discriminatedUnion('kind', [star, dumbbell, leafSpine, custom, ...FABRICS]),
  flows: z.array(flow).default([]),
  /** Messages that wait for each other. */
  workloads: z.array(workloadSchema).default([]),
  ...dataPlaneShape,
  ...eventShape,
  ...liarShape,
  ...variantShape,
  /** Hosts whose flows keep a rate whatever they are told, in Gb/s. */
  fixedRateGbps: z.record(name, rateGbps).default({}),
  /** Memory that the ports of each switch share, and pauses before it overflows (docs/lossless.md). */
  buffer: bufferSchema.optional(),
  parameters: parametersSchema.prefault({}),
  record: recordSchema.prefault({}),
  /** End of the run; by default when all flows have finished. */
  untilUs: timeUs.positive().optional(),
  /** Upper bound of the run when flows do not finish. */
  giveUpAfterUs: timeUs.positive().default(1_000_000),
});

/** A scenario that has been read: all defaults are in it. */
export type ScenarioDocument = z.output<typeof scenarioSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type TopologyDocument = ScenarioDocument['topology'];
export type Parameters = z.output<typeof parametersSchema>;
export type FlowDocument = ScenarioDocument['flows'][number];

/** Reads a scenario from YAML or JSON text. Every error names file, line, path and expectation. */
export function parseScenario(text: string, file: string): ScenarioDocument {
  return parseLocated(text, file, scenarioSchema, 'scenario').value;
}
