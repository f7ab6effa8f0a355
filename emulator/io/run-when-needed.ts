import type { Run, RunOptions } from './run-scenario';

/** {@link runScenario} of the same options. PERF: a command that may not run anything loads no emulator before it does. */
export function runWhenNeeded(options: RunOptions): Promise<Run> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when something is run
  const { runScenario } = require('./run-scenario') as typeof import('./run-scenario');
  return runScenario(options);
}
