import { z } from 'zod';
import { collectiveSchema, coordinationSchema } from './coordination-record';
import { flowCausesSchema } from './flow-causes';
import { flowTotalsSchema } from './flow-totals';
import { losslessSchema } from './lossless-record';
import { reorderingSchema } from './reordering';
import { queuesSchema } from './queues';
import { trimmingSchema } from './trimming';
import { slowdownBinSchema } from './slowdowns';
import { timelinesSchema } from './timelines';
import { traceRecordSchema } from './trace-record';

/**
 * The result of a run: everything that reports, plots and comparisons read. Virtual time only: no
 * wall-clock figure is in it, so equal seeds and equal commits give byte-identical files.
 */
export const RESULT_SCHEMA = 'hpcc-result/1';

const distribution = z.strictObject({ min: z.number(), median: z.number(), max: z.number() });

const flowRecord = z.strictObject({
  id: z.number(),
  source: z.string(),
  destination: z.string(),
  /** Payload bytes. */
  bytes: z.number(),
  startUs: z.number(),
  /** Null when the flow did not finish. */
  fctUs: z.number().nullable(),
  /** Alone on idle links at line rate, with this flow's own frames. */
  idealFctUs: z.number(),
  slowdown: z.number().nullable(),
  deliveredBytes: z.number(),
  retransmittedSegments: z.number(),
  /** Time for which it has sent without being able to react to anything; absent: none. */
  uncontrolledUs: z.number().optional(),
  /** Responses of switches, which alone control the flow; absent: its packets bring telemetry. */
  switchResponses: z.number().optional(),
});

const flowSeries = z.strictObject({
  flow: z.number(),
  timeUs: z.array(z.number()),
  /** Pacing rate R. */
  rateGbps: z.array(z.number()),
  /** W in payload bytes. */
  windowBytes: z.array(z.number()),
  /** U. */
  normalizedInflight: z.array(z.number()),
  /** Payload bytes delivered in order at the receiver. */
  deliveredBytes: z.array(z.number()),
});

const queueTimeline = z.strictObject({
  link: z.string(),
  startUs: z.number(),
  intervalUs: z.number(),
  bytes: z.array(z.number()),
});

const amount = z.strictObject({ packets: z.number(), bytes: z.number() });

const linkRecord = z.strictObject({
  name: z.string(),
  rateGbps: z.number(),
  packets: z.number(),
  bytes: z.number(),
  lostPackets: z.number(),
  queuePeakBytes: z.number(),
});

export const resultSchema = z.strictObject({
  schema: z.literal(RESULT_SCHEMA),
  generator: z.strictObject({
    version: z.string(),
    commit: z.string(),
    p4Program: z.string(),
    p4Digest: z.string(),
    executor: z.string(),
    queueModel: z.string(),
  }),
  scenario: z.strictObject({ name: z.string(), title: z.string() }),
  seed: z.number(),
  parameters: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  topology: z.strictObject({
    nodes: z.array(z.strictObject({ name: z.string(), kind: z.enum(['host', 'switch']) })),
    links: z.array(
      z.strictObject({
        a: z.string(),
        b: z.string(),
        rateGbps: z.number(),
        delayUs: z.number(),
        /** From `b` to `a`, where it differs. */
        backRateGbps: z.number().optional(),
        backDelayUs: z.number().optional(),
      }),
    ),
  }),
  /** Largest frames seen: leaving a host, on the bottleneck link, and acknowledgements. */
  frames: z.strictObject({
    dataAtHostBytes: z.number(),
    dataAtBottleneckBytes: z.number(),
    ackBytes: z.number(),
    segmentBytes: z.number(),
  }),
  durationUs: z.number(),
  /** Virtual time at which the run was interrupted, if it was; the rest is what there was. */
  interruptedAtUs: z.number().optional(),
  /** All flows, or the first ones of `flowTotals.flows`. */
  flows: z.array(flowRecord),
  /** Figures over all flows, where they are too many to be listed; absent: all are. */
  flowTotals: flowTotalsSchema.optional(),
  fctUs: distribution.nullable(),
  /** Slowdowns by flow size; absent for few flows, or flows of one size. */
  slowdowns: z.array(slowdownBinSchema).optional(),
  bottleneck: z.strictObject({
    link: z.string(),
    queuePeakBytes: z.number(),
    queuePeakAtUs: z.number(),
    /** Over the samples from time 0 to the end of the last transmission. */
    queueP99Bytes: z.number(),
    /** First sample after the peak with at most 5 KB; null: none. */
    drainedAtUs: z.number().nullable(),
    /** First sample after the last one with more than 5 KB; null: there is none. */
    settledAtUs: z.number().nullable(),
    /** Wire bytes over capacity, from the first to the last transmission. */
    utilization: z.number(),
  }),
  /** Queues of all ports; absent without switches, and under Mininet. */
  queues: queuesSchema.optional(),
  queueTimeline,
  /** Timelines of all links; absent where links are not sampled all the time, as under Mininet. */
  timelines: timelinesSchema.optional(),
  links: z.array(linkRecord),
  /** Packets and bytes that hosts sent, by purpose; see traffic.ts for what counts as feedback. */
  traffic: z.strictObject({ data: amount, probes: amount, acks: amount, feedback: amount }),
  /** Absent: all data came in the order in which it was sent, or over RoCEv2, whose hosts do not count it. */
  reordering: reorderingSchema.optional(),
  /** Absent: no switch has cut data to its headers. */
  trimming: trimmingSchema.optional(),
  series: z.array(flowSeries),
  /** Jain's index of delivered bytes while all of the flows were active; null without such a time. */
  jain: z.number().nullable(),
  jainTimeline: z.array(
    z.strictObject({ startUs: z.number(), endUs: z.number(), jain: z.number() }),
  ),
  counters: z.strictObject({
    packetHops: z.number(),
    events: z.number(),
    /** Hop records of switches that were compared with the network's own ledger. */
    telemetryRecords: z.number(),
    drops: z.record(z.string(), z.number()),
    hostRejections: z.record(z.string(), z.number()),
    /** Telemetry that flows refused, by reason; counted where plausibility is checked. */
    telemetryRejections: z.record(z.string(), z.number()).optional(),
    /** Packets whose telemetry was forged, or that were repeated. */
    lies: z.number().optional(),
    /** Counters of the P4 programs with few cells, `switch: counter[cell]`; zeros are left out. */
    programs: z.record(z.string(), z.number()).optional(),
  }),
  /** Workloads; absent without any. */
  collectives: z.array(collectiveSchema).optional(),
  /** Workloads whose ranks do tasks; absent without any. */
  traces: z.array(traceRecordSchema).optional(),
  /** Present where switches run hpcc-ccm. */
  coordination: coordinationSchema.optional(),
  /** Present where switches have a shared buffer. */
  lossless: losslessSchema.optional(),
  /** Completion times divided by cause, of flows that were asked about; absent: none was. */
  causes: z.array(flowCausesSchema).optional(),
  /** Flows that did not finish, in a run that was to go on until they had; absent: all did. */
  unfinished: z.string().optional(),
  /** Flows that have sent without control; absent: none has. */
  uncontrolled: z.string().optional(),
  /** Broken invariants; empty in every sound run. */
  violations: z.array(z.string()),
});

/** The result of a run, as `hpcc run --json` prints it; `hpcc-result/1`. */
export type Result = z.infer<typeof resultSchema>;
export type FlowRecord = Result['flows'][number];
export type FlowSeries = Result['series'][number];
export type LinkRecord = Result['links'][number];
