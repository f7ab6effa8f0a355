import { assert } from '../../common/assert';
import { PS_PER_US } from '../../common/units/units';
import type { FlowRecord } from '../result/result';
import type { RunningFlow } from './flow-runner';
import type { FlowOutcome } from './flow-outcome';

/**
 * A flow of a run as its result has it.
 * @param isAlone responses of switches control the flow alone.
 */
export function flowRecord(
  flow: RunningFlow,
  outcome: Omit<FlowOutcome, 'span'> | undefined,
  isAlone: boolean,
): FlowRecord {
  assert(outcome !== undefined, 'each flow has come to something');
  const { number, source, destination, bytes, idealTime } = flow;
  const { startsAt, completedAt, deliveredBytes, retransmittedSegments, uncontrolledTime } =
    outcome;
  const fct = completedAt === undefined ? null : completedAt - startsAt;
  return {
    id: number,
    source,
    destination,
    bytes,
    startUs: startsAt / PS_PER_US,
    fctUs: fct === null ? null : fct / PS_PER_US,
    idealFctUs: idealTime / PS_PER_US,
    slowdown: fct === null ? null : fct / idealTime,
    deliveredBytes,
    retransmittedSegments,
    ...(uncontrolledTime > 0 && { uncontrolledUs: uncontrolledTime / PS_PER_US }),
    ...(isAlone && { switchResponses: outcome.switchResponses }),
  };
}
