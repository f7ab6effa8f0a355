import { z } from 'zod';
import { schemaFaults } from '../../common/document/schema-faults';
import { InputError } from '../../common/errors';

/**
 * Outputs of the programs that a run starts; only the fields in use are named, the rest may change.
 */

/** Lateness of a process that fetches frames; see docs/switch.md. */
const lateSchema = z
  .object({ turns: z.number(), waited: z.record(z.string(), z.number()) })
  .optional();

const intervalSchema = z.object({
  fromSeconds: z.number(),
  toSeconds: z.number(),
  bytes: z.number(),
});

/** Counts of a host that obeys notifications of switches; see docs/coordination.md. */
const coordinationSchema = z.object({
  controlRequired: z.number(),
  controlReleased: z.number(),
  reroutingRequired: z.number(),
});

/** `hpcc send --json`. */
export const sendReportSchema = z.object({
  intervals: z.array(z.array(intervalSchema)),
  sent: z.object({
    flows: z.array(
      z.object({
        flow: z.number(),
        acknowledgedBytes: z.number(),
        segmentsRetransmitted: z.number(),
        timeouts: z.number().default(0),
        uncontrolledSeconds: z.number().default(0),
        switchResponses: z.number().optional(),
        isComplete: z.boolean(),
        seconds: z.number(),
        sha256: z.string().optional(),
      }),
    ),
  }),
  host: z.object({ dataSent: z.number(), acksReceived: z.number() }),
  coordination: coordinationSchema.optional(),
});

/** The same when it could not do it. */
const failedSendSchema = z.object({ error: z.string() });

/** Why `hpcc send --json` ended without a report; undefined when it has one. */
export function sendFailure(text: string, file: string): string | undefined {
  const result = failedSendSchema.safeParse(jsonOf(text, file));
  return result.success ? result.data.error : undefined;
}

/** Why a host ended without a report, as the last line of its log that is no log says it. */
export const agentFailure = (log: string): string | undefined =>
  log.split('\n').findLast((line) => line.startsWith('hpcc: '));

/** `hpcc agent`. */
export const agentReportSchema = z.object({
  host: z.object({
    acksSent: z.number(),
    dataReceived: z.number(),
    trimmedReceived: z.number().default(0),
    reorderedPackets: z.number().default(0),
  }),
  port: z.object({ overflowed: z.number(), late: lateSchema }),
  received: z.array(
    z.object({
      source: z.string(),
      flow: z.number(),
      bytes: z.number(),
      sha256: z.string().optional(),
    }),
  ),
});

/** A line of `--trace` of `hpcc send`, or of `hpcc agent` where that runs the algorithm. */
export const traceLineSchema = z.object({
  /** Unix time in seconds. */
  t: z.number(),
  flow: z.number(),
  windowBytes: z.number(),
  rateBps: z.number(),
  hops: z.array(z.tuple([z.number(), z.number(), z.number().nullable()])),
  /** Null where the receiver runs the algorithm, whose lines have it. */
  normalizedInflight: z.number().nullable(),
  /** IPv4 address of the sender, in lines of the receiver. */
  source: z.string().optional(),
});

/** A line of `hpcc agent --tcp --trace`. */
export const tcpSampleSchema = z.object({
  t: z.number(),
  flow: z.string(),
  rateBps: z.number().nullable(),
  /** Length of the longest queue on the path. */
  queueBytes: z.number(),
  rttUs: z.number(),
});

/** `iperf3 --json`, of the client. */
export const iperf3Schema = z.object({
  error: z.string().optional(),
  start: z
    .object({ connected: z.array(z.object({ local_port: z.number() })).optional() })
    .optional(),
  intervals: z.array(
    z.object({ sum: z.object({ start: z.number(), end: z.number(), bytes: z.number() }) }),
  ),
  end: z.object({
    streams: z
      .array(z.object({ sender: z.object({ max_rtt: z.number().optional() }).optional() }))
      .optional(),
    sum_sent: z.object({ bytes: z.number(), retransmits: z.number().optional() }).optional(),
    sum_received: z.object({ bytes: z.number(), seconds: z.number() }).optional(),
  }),
});

/** The last line of the embedded switch. */
export const switchCountersSchema = z.object({
  received: z.number(),
  sent: z.number(),
  dropped: z.record(z.string(), z.number()),
  late: lateSchema,
});

export type SendReport = z.infer<typeof sendReportSchema>;
export type NotificationCounts = z.infer<typeof coordinationSchema>;
export type AgentReport = z.infer<typeof agentReportSchema>;
export type TraceLine = z.infer<typeof traceLineSchema>;
export type TcpSample = z.infer<typeof tcpSampleSchema>;
export type Iperf3Report = z.infer<typeof iperf3Schema>;
export type LateCounts = z.infer<typeof lateSchema>;
export type SwitchCounters = z.infer<typeof switchCountersSchema>;

/**
 * Reads a document of JSON.
 * @throws InputError naming the file, and the place in it.
 */
export function parseJson<T>(text: string, file: string, schema: z.ZodType<T>): T {
  return checked(jsonOf(text, file), file, schema);
}

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new InputError(`${where}: wanted JSON: ${(error as Error).message}`);
  }
}

function checked<T>(value: unknown, where: string, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new InputError(`${where}: ${schemaFaults(result.error).join('; ')}`);
}
