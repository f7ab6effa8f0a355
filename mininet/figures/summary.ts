import { judge } from './bars';
import type { BarVerdict } from './bars';
import { bottleneckOf, queueSamples } from '../observation/bottleneck';
import type { Figures } from './figures';
import type { ExperimentDocument } from '../experiment/experiment';
import type { MininetResult } from './mininet-result';
import { busyTime } from '../observation/observation';
import type { Observation } from '../observation/observation';

/** A case that has run. */
export interface FinishedCase {
  readonly name: string;
  readonly figures: Figures;
  readonly observation: Observation;
}

/** Bars over all cases; those of one case are in its own result too. */
export const judgeCases = (
  { bars }: ExperimentDocument,
  cases: readonly FinishedCase[],
): BarVerdict[] => judge(bars, new Map(cases.map(({ name, figures }) => [name, figures])));

/** Queueing delays in ms, one per telemetry record of the bottleneck after the time to warm up. */
export function delaysOf(observation: Observation): number[] {
  const bottleneck = bottleneckOf(observation);
  const { from } = busyTime(observation);
  const samples = queueSamples(observation, bottleneck).filter(([at]) => at >= from);
  return samples.map(([, bytes]) => (8e3 * bytes) / bottleneck.rateBps);
}

/** True if a ramp ends with this case. */
export function isRampOver(
  { ramp }: ExperimentDocument,
  { machine, figures }: Pick<MininetResult, 'machine' | 'figures'>,
): boolean {
  if (ramp === undefined) return false;
  const { utilisation } = figures;
  return (
    machine.leftMean < ramp.untilLeftBelow ||
    utilisation === null ||
    utilisation < ramp.untilUtilisationBelow
  );
}

/**
 * Chooses the next case: the steps in order, and, where a ramp has come to its end, the middle of
 * the gap between what was carried and what was not, until there is none.
 */
export function nextCase(
  isStep: readonly boolean[],
  wasOver: ReadonlyMap<number, boolean>,
): number | undefined {
  const having = (over: boolean): number[] =>
    [...wasOver].flatMap(([index, was]) => (was === over ? [index] : []));
  const carried = Math.max(-1, ...having(false));
  const end = Math.min(isStep.length, ...having(true));
  if (end === isStep.length) {
    const next = isStep.indexOf(true, carried + 1);
    return next < 0 ? undefined : next;
  }
  const middle = (carried + end) >> 1;
  return carried < 0 || middle === carried ? undefined : middle;
}

/** The highest rate in Mb/s that a ramp reached before it was over; null when it had none. */
export function carriedRate(
  document: ExperimentDocument,
  results: readonly Pick<MininetResult, 'machine' | 'figures'>[],
): number | null {
  if (document.ramp === undefined) return null;
  const carried = results.filter((result) => !isRampOver(document, result));
  const rates = carried.flatMap(({ figures }) => figures.rateMbps ?? []);
  return rates.length === 0 ? null : Math.max(...rates);
}
