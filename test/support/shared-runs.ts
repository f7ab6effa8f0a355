import * as plain from '../../emulator/io/run-scenario';
import type { Run, RunOptions } from '../../emulator/io/run-scenario';
import { SharedWork } from '../../emulator/io/shared-work';

/** Suites of one process share it, as they share modules. */
const WORK = new SharedWork();

/**
 * Runs a scenario as the product does; switches of a network that was set up before get the same again without a
 * controller. PERF: setting a small network up takes as long as a short run.
 */
export const runScenario = (options: RunOptions): Promise<Run> =>
  plain.runScenario({ shared: WORK, ...options });
