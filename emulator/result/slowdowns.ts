import { z } from 'zod';
import { percentileOf } from '../../common/statistics/statistics';

/** Flow completion times over ideal ones, of flows of similar size. */
export const slowdownBinSchema = z.strictObject({
  /** Payload of the smallest and the largest flow of the bin. */
  fromBytes: z.number(),
  toBytes: z.number(),
  flows: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  p999: z.number(),
});

export type SlowdownBin = z.infer<typeof slowdownBinSchema>;

interface FinishedFlow {
  readonly bytes: number;
  readonly slowdown: number;
}

/** Fewer flows than this say nothing about percentiles. */
export const FLOWS_MIN = 100;
export const BINS_MAX = 20;
export const FLOWS_PER_BIN = 50;

/**
 * Slowdowns by flow size, in bins of about equally many flows as the papers of this field plot them
 * (HPCC, SIGCOMM 2019, figure 11: twenty bins). Flows of one size share a bin. Undefined for fewer
 * than 100 finished flows, or if all have the same size.
 */
export function slowdownsBySize(
  flows: readonly { readonly bytes: number; readonly slowdown: number | null }[],
): SlowdownBin[] | undefined {
  const finished = flows
    .filter((flow): flow is FinishedFlow => flow.slowdown !== null)
    .sort((a, b) => a.bytes - b.bytes);
  if (finished.length < FLOWS_MIN || finished[0]?.bytes === finished.at(-1)?.bytes) {
    return undefined;
  }
  const bins = Math.min(BINS_MAX, Math.floor(finished.length / FLOWS_PER_BIN));
  const result: SlowdownBin[] = [];
  for (let bin = 1, from = 0; bin <= bins; bin++) {
    let to = Math.round((finished.length * bin) / bins);
    while (to > from && finished[to]?.bytes === finished[to - 1]?.bytes) to++;
    if (to > from) result.push(binOf(finished.slice(from, to)));
    from = Math.max(from, to);
  }
  return result;
}

function binOf(flows: readonly FinishedFlow[]): SlowdownBin {
  const slowdowns = flows.map(({ slowdown }) => slowdown);
  return {
    fromBytes: (flows[0] as FinishedFlow).bytes,
    toBytes: (flows.at(-1) as FinishedFlow).bytes,
    flows: flows.length,
    p50: percentileOf(slowdowns, 0.5),
    p95: percentileOf(slowdowns, 0.95),
    p99: percentileOf(slowdowns, 0.99),
    p999: percentileOf(slowdowns, 0.999),
  };
}
