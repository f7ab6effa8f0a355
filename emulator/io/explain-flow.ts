import { InputError } from '../../common/errors';
import type { CauseObserver } from '../causes/cause-observer';
import type { FlowCauses } from '../result/flow-causes';
import { causeObserver } from './cause-observers';
import { runWhenNeeded } from './run-when-needed';
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
  await runWhenNeeded({
    scenario,
    seed,
    checkInvariants: false,
    ...(signal && { signal }),
    observer: (simulation) => (observer = causeObserver(simulation, flow, true)),
  });
  signal?.throwIfAborted();
  const { causes } = observer ?? {};
  if (causes !== undefined) return causes;
  throw new InputError(`flow ${flow} did not finish, so its time cannot be divided by cause`);
}
