/** How long to wait between attempts, in ms. */
export interface BackOff {
  /** Before the second attempt. */
  readonly first: number;
  /** Each wait is so many times the one before. */
  readonly factor: number;
  readonly max: number;
}

export const DEFAULT_BACK_OFF: BackOff = { first: 100, factor: 2, max: 15_000 };

/** The wait after so many failures in a row, the first failure being 1. */
export function backOffDelay({ first, factor, max }: BackOff, failures: number): number {
  return Math.min(max, first * factor ** (failures - 1));
}
