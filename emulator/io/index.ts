/**
 * `hpcc-plus-plus/scenario`: networks in deterministic virtual time. A scenario is YAML or JSON text; the
 * result is the object that `hpcc run --json` prints, the same for equal seeds.
 *
 * @example
 * const scenario = parseScenario(fs.readFileSync('mine.yaml', 'utf8'), 'mine.yaml');
 * const { result } = await runScenario({ scenario, seed: 1 });
 * console.log(result.bottleneck.queuePeakBytes);
 *
 * @module scenario
 */
export { parseScenario } from '../scenario/schema';
export type { ScenarioDocument } from '../scenario/schema';
export { loadScenario, scenarioNames, withParameters } from './scenario-files';
export { runScenario } from './run-scenario';
export type { Run, RunOptions } from './run-scenario';
export type { Result } from '../result/result';
export { writeResult } from './write-result';
export { InputError } from '../../common/errors';
