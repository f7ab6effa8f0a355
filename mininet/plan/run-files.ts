import { z } from 'zod';

/** Schema of the runner's output: lines of progress, samples, and run.json at the end. */
export const RUN_SCHEMA = 'hpcc-mininet-run/1';

const PROGRESS_EVENTS = [
  'network',
  'switches',
  'setup',
  'services',
  'ready',
  'started',
  'exited',
  'link',
  'left out',
  'finished',
  'error',
] as const;

/** A line of progress on the runner's standard output. */
export const progressSchema = z.object({
  event: z.enum(PROGRESS_EVENTS),
  /** Since readiness; null before. */
  seconds: z.number().nullable(),
  /** Process, switch or link that it is about. */
  name: z.string().optional(),
  /** For people. */
  message: z.string().optional(),
});

/** A line of cpu.jsonl; idle covers the time since the line before, over all cores. */
export const cpuSampleSchema = z.object({
  seconds: z.number(),
  /** 0 to 1. */
  idle: z.number().min(0).max(1),
});

const portCounters = z.object({
  txBytes: z.number(),
  txPackets: z.number(),
  txDropped: z.number(),
  rxBytes: z.number(),
  rxPackets: z.number(),
  rxDropped: z.number(),
});

/**
 * A line of ports.jsonl; the kernel's counters of the switches' interfaces, by `s1:2`. The first
 * one is from before anything was sent.
 */
export const portSampleSchema = z.object({
  seconds: z.number(),
  ports: z.record(z.string(), portCounters),
});

const endedProcess = z.object({
  name: z.string(),
  node: z.string().nullable(),
  argv: z.array(z.string()),
  /** Null when a signal ended it. */
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  /** Since readiness; negative before, null when the run never became ready. */
  startedSeconds: z.number().nullable(),
  endedSeconds: z.number().nullable(),
  cpuSeconds: z.number().nullable(),
});

/** run.json, which is there however the run ended. */
export const runSchema = z.object({
  schema: z.literal(RUN_SCHEMA),
  run: z.string(),
  /** True if every event of the timeline took place. */
  complete: z.boolean(),
  interrupted: z.boolean(),
  /** True if switches had nothing left to send when ports.jsonl ended. */
  quiet: z.boolean(),
  errors: z.array(z.string()),
  cores: z.number(),
  /** Versions of kernel, Mininet, Python, and of each kind of switch that ran. */
  versions: z.record(z.string(), z.string()),
  /** Unix time in seconds; null when the run never became ready. */
  readySince: z.number().nullable(),
  /** Time that the network took until it was ready, unless it never was; runs before 0.3.0 do not say. */
  startSeconds: z.number().nullable().default(null),
  durationSeconds: z.number().nullable(),
  processes: z.array(endedProcess),
  /** Instants at which links changed. */
  links: z.array(
    z.object({ link: z.string(), state: z.enum(['down', 'up']), seconds: z.number() }),
  ),
});

export type Progress = z.infer<typeof progressSchema>;
export type CpuSample = z.infer<typeof cpuSampleSchema>;
export type PortSample = z.infer<typeof portSampleSchema>;
export type RunRecord = z.infer<typeof runSchema>;
