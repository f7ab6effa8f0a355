import { z } from 'zod';

const quantiles = z.strictObject({
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  p999: z.number(),
  max: z.number(),
});

/** Figures over all flows of a run whose result does not list them all. */
export const flowTotalsSchema = z.strictObject({
  flows: z.number(),
  finished: z.number(),
  /** The result lists so many of them: the first ones. */
  listed: z.number(),
  /** File beside the result with a row for each flow, in the order in which they ended; null: none was written. */
  rows: z.string().nullable(),
  deliveredBytes: z.number(),
  retransmittedSegments: z.number(),
  /** Sum of the times for which flows lasted. */
  activeUs: z.number(),
  firstStartUs: z.number(),
  lastStartUs: z.number(),
  /** When the last flow ended, or the run, if one did not finish. */
  lastEndUs: z.number(),
  /** Responses of switches, where they alone control flows. */
  switchResponses: z.number().optional(),
  /** Quantiles lie so far above the exact ones at most, as a share of them. */
  relativeError: z.number(),
  /** Null when no flow finished. */
  fctUs: quantiles.nullable(),
  slowdown: quantiles.nullable(),
  /** Slowdowns of finished flows by the classes of size that comparisons show. */
  classes: z.array(
    z.strictObject({
      /** Largest payload; null: any. */
      upToBytes: z.number().nullable(),
      flows: z.number(),
      slowdown: quantiles,
    }),
  ),
});

export type FlowTotals = z.infer<typeof flowTotalsSchema>;
export type Quantiles = z.infer<typeof quantiles>;

/** Classes of flow sizes by their upper ends, as the literature uses them. */
export const SIZE_CLASSES: readonly number[] = [10_000, 100_000, 1_000_000, Infinity];

/** A flow as far as sums need it. */
interface ListedFlow {
  readonly startUs: number;
  readonly fctUs: number | null;
  readonly deliveredBytes: number;
  readonly retransmittedSegments: number;
  readonly switchResponses?: number | undefined;
}

/** Sums over all flows of a run. */
export type FlowSums = Pick<
  FlowTotals,
  | 'flows'
  | 'finished'
  | 'deliveredBytes'
  | 'retransmittedSegments'
  | 'activeUs'
  | 'firstStartUs'
  | 'lastStartUs'
  | 'lastEndUs'
  | 'switchResponses'
>;

/** The sums of a run, from its totals or from the flows that its result lists. */
export function flowSumsOf(result: {
  readonly flows: readonly ListedFlow[];
  readonly durationUs: number;
  readonly flowTotals?: FlowTotals | undefined;
}): FlowSums {
  const { flows, durationUs, flowTotals } = result;
  if (flowTotals !== undefined) return flowTotals;
  const isAlone = flows.some(({ switchResponses }) => switchResponses !== undefined);
  const sums = {
    flows: flows.length,
    finished: 0,
    deliveredBytes: 0,
    retransmittedSegments: 0,
    activeUs: 0,
    firstStartUs: Infinity,
    lastStartUs: -Infinity,
    lastEndUs: 0,
  };
  let switchResponses = 0;
  for (const flow of flows) {
    const { startUs, fctUs } = flow;
    if (fctUs !== null) sums.finished++;
    sums.deliveredBytes += flow.deliveredBytes;
    sums.retransmittedSegments += flow.retransmittedSegments;
    sums.activeUs += fctUs ?? durationUs;
    sums.firstStartUs = Math.min(sums.firstStartUs, startUs);
    sums.lastStartUs = Math.max(sums.lastStartUs, startUs);
    sums.lastEndUs = Math.max(sums.lastEndUs, fctUs === null ? durationUs : startUs + fctUs);
    switchResponses += flow.switchResponses ?? 0;
  }
  return { ...sums, ...(isAlone && { switchResponses }) };
}
