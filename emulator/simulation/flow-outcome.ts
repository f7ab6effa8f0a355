import type { Bytes, Duration, Instant } from '../../common/units/units';
import type { Span } from '../workload/message-schedule';
import type { RunningFlow } from './flow-runner';

/** Outcome of a flow of a run. */
export interface FlowOutcome {
  readonly startsAt: Instant;
  readonly deliveredBytes: Bytes;
  readonly completedAt: Instant | undefined;
  readonly retransmittedSegments: number;
  readonly uncontrolledTime: Duration;
  readonly switchResponses: number;
  /** When its first message was sent, and its last one had arrived. */
  readonly span: Span;
}

/** Outcome of a flow so far. */
export const flowOutcome = (flow: RunningFlow): Omit<FlowOutcome, 'span'> => ({
  startsAt: flow.startsAt,
  deliveredBytes: flow.deliveredBytes,
  completedAt: flow.completedAt,
  retransmittedSegments: flow.retransmittedSegments,
  uncontrolledTime: uncontrolledTime(flow),
  switchResponses: switchResponses(flow),
});

/** A flow that has not ended is asked. One that has a link for itself needs no control. */
function uncontrolledTime({
  isDirect,
  isOver,
  uncontrolledTime: told,
  sender,
  id,
}: RunningFlow): Duration {
  if (isDirect) return 0;
  return isOver ? told : (sender.agent.flowMetrics(id)?.uncontrolledTime ?? told);
}

const switchResponses = ({ isOver, switchResponses: told, sender, id }: RunningFlow): number =>
  isOver ? told : (sender.agent.flowMetrics(id)?.congestion.switchResponses ?? told);
