import { InputError } from '../../common/errors';
import { CauseObserver } from '../causes/cause-observer';
import type { FlowCauses } from '../result/flow-causes';
import type { Simulation } from '../simulation/simulation';
import { runScenario } from './run-scenario';
import { traceScene } from './travel';
import type { RepeatableRun } from './travel';

/**
 * Divides the completion time of a flow by cause, by running its run again until the flow is complete.
 * Equal runs have equal packets.
 * @param signal ends the repeated run early.
 * @throws InputError for a flow that the run does not have, or that did not complete.
 */
export async function explainFlow(
  { scenario, seed }: RepeatableRun,
  flow: number,
  signal?: AbortSignal,
): Promise<FlowCauses> {
  let observer: CauseObserver | undefined;
  await runScenario({
    scenario,
    seed,
    checkInvariants: false,
    ...(signal && { signal }),
    observer: (simulation) => (observer = causeObserver(simulation, flow)),
  });
  signal?.throwIfAborted();
  const { causes } = observer ?? {};
  if (causes !== undefined) return causes;
  throw new InputError(`flow ${flow} did not finish, so its time has no division by cause`);
}

/** @throws InputError for a flow that the run does not have. */
function causeObserver(simulation: Simulation, number: number): CauseObserver {
  const { runner, paths, baseRtt, scenario } = simulation;
  const flow = runner.flows[number - 1];
  if (flow === undefined) {
    throw new InputError(`there is no flow ${number}: the run has 1 to ${runner.flows.length}`);
  }
  if (scenario.parameters.operation === 'read') {
    throw new InputError('flows by READ are begun by their receivers: their time is not divided');
  }
  const links = paths.between(flow.source, flow.destination);
  return new CauseObserver({
    ...traceScene(simulation),
    flow,
    slowest: links.reduce((least, { rate }) => Math.min(least, rate), Infinity),
    baseRtt,
    hasPauses: scenario.buffer?.pfc !== undefined,
  });
}
