import type { ExperimentCase } from './load-experiment';

/** What to do for a run of this experiment that is less work, as the end of a sentence: only what it offers. */
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
