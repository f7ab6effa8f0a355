/** Mean of some runs, and how far it may be from the truth. */
export interface Estimate {
  readonly mean: number;
  /** Half the 95 % confidence interval of the mean; null with fewer than two values. */
  readonly halfWidth: number | null;
  readonly count: number;
}

/** Student's t for 95 % on both sides, by degrees of freedom from 1 on (NIST Handbook, table 1.3.6.7.2). */
const T_95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
] as const;
const NORMAL_95 = 1.96;

/** Beyond the table: the first terms of Cornish and Fisher's expansion of t about the normal value. */
function studentT(freedom: number): number {
  const exact = T_95[freedom - 1];
  return exact ?? NORMAL_95 + (NORMAL_95 ** 3 + NORMAL_95) / (4 * freedom);
}

/** Mean and confidence interval of independent runs, which differ in their seed only. */
export function estimateOf(values: readonly number[]): Estimate {
  const count = values.length;
  // From the first value on, so that equal values have themselves for a mean and an interval of nothing.
  const [first = 0] = values;
  const mean = first + values.reduce((sum, value) => sum + (value - first), 0) / count;
  if (count < 2) return { mean, halfWidth: null, count };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (count - 1));
  return { mean, halfWidth: (studentT(count - 1) * deviation) / Math.sqrt(count), count };
}
