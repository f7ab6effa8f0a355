import { droppedBySwitches, lostOnLinks } from '../../result/losses';
import { figureAt } from '../../figures/dictionary';
import { figureText } from '../../figures/figure-text';
import { placeText } from '../../result/cause-text';
import { flowSumsOf } from '../../result/flow-totals';
import type { Result } from '../../result/result';

/** A run in one sentence: how many flows ended, when, and what its fullest queue and its losses were. */
export function verdictOf(result: Result): string {
  const { bottleneck } = result;
  const { flows, finished } = flowSumsOf(result);
  const lost = droppedBySwitches(result) + lostOnLinks(result);
  const clauses = [
    flowsClause(result, { flows, finished }),
    queueClause(bottleneck),
    lost === 0 ? 'nothing was lost' : `${lost} packets were lost`,
  ];
  return `${validityText(result)}${clauses.join('; ')}.`;
}

/** Reasons not to believe the figures, before them. */
function validityText({ violations, uncontrolled, interruptedAtUs }: Result): string {
  const faults = [
    ...(violations.length > 1 ? [`${violations.length} invariants are broken`] : []),
    ...(violations.length === 1 ? ['1 invariant is broken'] : []),
    ...(uncontrolled === undefined ? [] : ['flows sent without control']),
    ...(interruptedAtUs === undefined ? [] : ['the run was interrupted']),
  ];
  return faults.length === 0 ? '' : `INVALID, ${faults.join(', ')}. `;
}

function flowsClause(
  { fctUs, flows: listed, flowTotals }: Result,
  { flows, finished }: { readonly flows: number; readonly finished: number },
): string {
  const all = flows === 1 ? 'The flow' : `All ${flows} flows`;
  if (finished < flows) return `${finished} of ${flows} flows finished`;
  if (fctUs === null) return `${all} finished`;
  const slowdown =
    flowTotals?.slowdown?.max ??
    listed.reduce((most, each) => Math.max(most, each.slowdown ?? 0), 0);
  const most = textOf('flows.*.slowdown', slowdown);
  return flows === 1
    ? `${all} took ${textOf('fctUs.max', fctUs.max)}, ${most} times as long as alone`
    : `${all} finished, within ${textOf('fctUs.max', fctUs.max)} and up to ${most} times as long as alone`;
}

/** False where no sample of the queue has come, as from hosts that trace nothing. */
export const isQueueSampled = ({ queuePeakBytes, drainedAtUs }: Result['bottleneck']): boolean =>
  queuePeakBytes > 0 || drainedAtUs !== null;

function queueClause(bottleneck: Result['bottleneck']): string {
  const queue = `the queue from ${placeText(bottleneck.link)}`;
  if (!isQueueSampled(bottleneck)) return `${queue} was not sampled`;
  const peak = textOf('bottleneck.queuePeakBytes', bottleneck.queuePeakBytes);
  return `${queue} reached ${peak}${drainClause(bottleneck)}`;
}

const drainClause = ({ drainedAtUs }: Result['bottleneck']): string =>
  drainedAtUs === null
    ? ' and was never down to 5 KB again'
    : ` and was down to 5 KB at ${textOf('bottleneck.drainedAtUs', drainedAtUs)}`;

const textOf = (path: string, value: number): string => figureText(figureAt(path), value);
