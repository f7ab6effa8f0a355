import { z } from 'zod';
import { percentileOf } from '../../common/statistics/statistics';
import { resultSchema } from '../result/result';
import type { Result } from '../result/result';

const quantiles = z.strictObject({
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  max: z.number(),
});

/**
 * Summary of a run in a study: the result without its long series, and without the commit, so that
 * equal cells have equal bytes. In their place stand figures over all flows.
 */
export const SUMMARY_SCHEMA = resultSchema
  .omit({
    generator: true,
    topology: true,
    flows: true,
    series: true,
    queueTimeline: true,
    jainTimeline: true,
    violations: true,
  })
  .extend({
    /** Numbers that the judge of a study has found. */
    judged: z.record(z.string(), z.number()).optional(),
    allFlows: z.strictObject({
      flows: z.number(),
      unfinished: z.number(),
      retransmittedSegments: z.number(),
      /** Null when no flow finished. */
      fctUs: quantiles.nullable(),
      slowdown: quantiles.nullable(),
    }),
  });

export type Summary = z.infer<typeof SUMMARY_SCHEMA>;

export function summaryOf(result: Result, judged?: Summary['judged']): Summary {
  const { flows } = result;
  const finished = flows.filter(({ fctUs }) => fctUs !== null);
  const kept = Object.entries(result).filter(([key]) => key in SUMMARY_SCHEMA.shape);
  return {
    ...(Object.fromEntries(kept) as Omit<Summary, 'allFlows'>),
    ...(judged !== undefined && { judged }),
    allFlows: {
      flows: flows.length,
      unfinished: flows.length - finished.length,
      retransmittedSegments: flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0),
      fctUs: quantilesOf(finished.map(({ fctUs }) => fctUs ?? 0)),
      slowdown: quantilesOf(finished.map(({ slowdown }) => slowdown ?? 0)),
    },
  };
}

function quantilesOf(values: readonly number[]): z.infer<typeof quantiles> | null {
  if (values.length === 0) return null;
  const at = (share: number): number => percentileOf(values, share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
