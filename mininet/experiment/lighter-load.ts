import type { ExperimentCase } from './load-experiment';

/**
 * Advice for a lighter run of this experiment, as the end of a sentence; names only its own
 * parameters.
 */
export function lighterLoad({
  document,
  values,
}: Pick<ExperimentCase, 'document' | 'values'>): string {
  const rate = Object.entries(document.parameters).find(
    ([name, { follows, capacityShare }]) =>
      follows === undefined && (capacityShare !== undefined || name === 'rate'),
  );
  if (rate === undefined) return 'lower the rates of its links';
  const [name, { min = 0 }] = rate;
  const value = Number(values[name]);
  if (value > min) return `try fewer Mb/s (--set ${name}=N, below ${value})`;
  return `${name} is at its least, so this machine is too slow for it`;
}

/** Advice where a valid run has missed bars, in a sentence. */
export function adviceOf(
  own: Pick<ExperimentCase, 'document' | 'values'>,
  isRealtime: boolean,
): string {
  const apart = isRealtime ? '' : ', or run with --realtime, which goes before other work here';
  return `where the machine is too busy for these bars, ${lighterLoad(own)}${apart}`;
}
