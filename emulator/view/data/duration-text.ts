import type { RunView } from './page-data';

/** A duration of a run as text, in the unit of the run. */
export const durationText = (us: number, { timeUnit, timeFactor }: RunView): string =>
  `${(us / timeFactor).toFixed(timeFactor === 1 ? 1 : 3)} ${timeUnit}`;
