import { z } from 'zod';
import { percentileOf } from '../../common/statistics/statistics';
import { flowSumsOf } from '../result/flow-totals';
import type { Quantiles } from '../result/flow-totals';
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
  const { flows, finished, retransmittedSegments } = flowSumsOf(result);
  const ended = result.flows.filter(({ fctUs }) => fctUs !== null);
  const totals = result.flowTotals;
  const kept = Object.entries(result).filter(([key]) => key in SUMMARY_SCHEMA.shape);
  return {
    ...(Object.fromEntries(kept) as Omit<Summary, 'allFlows'>),
    ...(judged !== undefined && { judged }),
    allFlows: {
      flows,
      unfinished: flows - finished,
      retransmittedSegments,
      ...(totals === undefined
        ? {
            fctUs: quantilesOf(ended.map(({ fctUs }) => fctUs ?? 0)),
            slowdown: quantilesOf(ended.map(({ slowdown }) => slowdown ?? 0)),
          }
        : { fctUs: withoutP999(totals.fctUs), slowdown: withoutP999(totals.slowdown) }),
    },
  };
}

const withoutP999 = (given: Quantiles | null): z.infer<typeof quantiles> | null => {
  if (given === null) return null;
  const { p999: _, ...rest } = given;
  return rest;
};

function quantilesOf(values: readonly number[]): z.infer<typeof quantiles> | null {
  if (values.length === 0) return null;
  const at = (share: number): number => percentileOf(values, share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
