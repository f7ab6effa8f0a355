import type { Duration } from '../../../common/units/units';
import { ControlTrace } from '../../traffic/control-trace';
import type { SendOptions } from '../options/agent-options';
import type { TrafficRun } from './start-traffic';
import type { FlowTraces } from './traffic';

/** Flow ids have 16 bits. */
const FLOW_IDS = 2 ** 16;

/**
 * A flow to the same destination that goes before what is measured: with it, this host, the other one
 * and the switches between them compile what they need, over their real interfaces. It ends before the
 * first flow of the run begins, and is in no trace and no total.
 * @param seconds how long it sends.
 */
export function rehearsalOf(
  { send, fail, traces }: TrafficRun,
  seconds: number,
  baseRtt: Duration,
): TrafficRun {
  const { admission: _, firstFlow, ...same } = send;
  const rehearsed: SendOptions = {
    ...same,
    amount: { kind: 'time', seconds },
    parallel: 1,
    // Its id is none of those that the run takes.
    ...(firstFlow !== undefined && { firstFlow: (firstFlow + send.parallel) % FLOW_IDS }),
  };
  return { send: rehearsed, fail, traces: traces && droppedTraces(baseRtt) };
}

/** Makes lines as traces do, and keeps none. */
const droppedTraces =
  (baseRtt: Duration): FlowTraces =>
  (flow) => {
    const trace = new ControlTrace(flow, { origin: 0, baseRtt });
    return (update) => void trace.line(update);
  };
