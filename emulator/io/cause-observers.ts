import { InputError } from '../../common/errors';
import { CauseObserver } from '../causes/cause-observer';
import type { Simulation } from '../simulation/simulation';
import { traceScene } from './trace-scene';

/**
 * Observer that divides the time of one flow of a run by cause.
 * @param endsRun the run may end when the flow has.
 * @throws InputError for a flow that the run does not have.
 */
export function causeObserver(
  simulation: Simulation,
  number: number,
  endsRun = false,
): CauseObserver {
  const { runner, paths, baseRtt, scenario } = simulation;
  const flow = runner.flows[number - 1];
  if (flow === undefined) {
    throw new InputError(`there is no flow ${number}: the run has 1 to ${runner.flows.length}`);
  }
  const links = paths.between(flow.source, flow.destination);
  return new CauseObserver({
    ...traceScene(simulation),
    flow,
    slowest: links.reduce((least, { rate }) => Math.min(least, rate), Infinity),
    baseRtt,
    isRead: flow.starter === flow.receiver,
    hasPauses: scenario.buffer?.pfc !== undefined,
    endsRun,
  });
}
