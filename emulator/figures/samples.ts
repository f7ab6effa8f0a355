/** Percentiles by their keys, and samples below which each is only the largest value or close to it. */
const SAMPLES_MIN: Readonly<Record<string, number>> = { p95: 20, p99: 100, p999: 1000 };

/** Says how many samples a percentile needs that has too few; undefined where it has enough. */
export function samplesWanted(percentile: string, samples: number): number | undefined {
  const least = SAMPLES_MIN[percentile];
  return least !== undefined && samples < least ? least : undefined;
}
