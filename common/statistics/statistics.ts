/** The smallest value that `share` of the values, from 0 to 1, do not exceed; 0 without values. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? 0;
}

/** Smallest, middle (mean of the two middle values for an even count) and largest value. */
export function distributionOf(
  values: readonly number[],
): { min: number; median: number; max: number } | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (i: number): number => sorted[i] as number;
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { min: at(0), median, max: at(sorted.length - 1) };
}

/** Jain's fairness index of non-negative shares: 1 when all are equal, 1/n when one has all. */
export function jainIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares);
}
