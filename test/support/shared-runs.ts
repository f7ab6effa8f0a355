import * as plain from '../../emulator/io/run-scenario';
import type { Run, RunOptions } from '../../emulator/io/run-scenario';
import { SharedWork } from '../../emulator/io/shared-work';

/** By name of the scenario. */
const WORK = new Map<string, SharedWork>();

/**
 * Runs a scenario as the product does; switches of a network that was set up before get the same again without a
 * controller. PERF: for suites that run one network in many ways, where setting it up takes as long as the run.
 */
export function runScenario(options: RunOptions): Promise<Run> {
  const { name } = options.scenario;
  const shared = WORK.get(name) ?? new SharedWork();
  WORK.set(name, shared);
  return plain.runScenario({ shared, ...options });
}
