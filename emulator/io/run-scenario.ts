import { execFileSync } from 'node:child_process';
import { loadP4Artifacts } from '../../common/io/p4-artifacts';
import { projectVersion, repositoryRoot } from '../../common/io/repository';
import { Simulation } from '../network/simulation';
import type { Result } from '../record/result';
import { summarise } from '../record/summarise';
import type { ScenarioDocument } from '../scenario/schema';
import { setUpSwitches } from './control-plane';
import { DEFAULT_EXECUTOR, executorFactory } from './executors';
import type { ExecutorName } from './executors';

export interface RunOptions {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly checkInvariants?: boolean;
  /** What runs the switches' programs; generated code unless given. */
  readonly executor?: ExecutorName;
  /** Called now and then with the delivered share of the payload, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface Run {
  readonly result: Result;
  /** Real time of the virtual part, without setting up the switches. */
  readonly wallSeconds: number;
}

const PROGRAM = 'hpcc';
const EVENTS_PER_STEP = 20_000;

/**
 * Runs a scenario from beginning to end: makes the network, sets its switches up over P4Runtime as
 * a controller would, runs in virtual time, summarises.
 * @throws InputError for a scenario that cannot be run.
 */
export async function runScenario(options: RunOptions): Promise<Run> {
  const { scenario, seed, checkInvariants = true } = options;
  const executorName = options.executor ?? DEFAULT_EXECUTOR;
  const executor = executorFactory(executorName);
  const artifacts = loadP4Artifacts(PROGRAM);
  const simulation = new Simulation({ scenario, seed, checkInvariants, executor });
  const { devices, plan } = simulation;
  await setUpSwitches({ topology: plan.topology, devices, seed }, artifacts);
  const startedAt = process.hrtime.bigint();
  simulation.start();
  while (!simulation.isDone) {
    simulation.advance(EVENTS_PER_STEP);
    options.onProgress?.(simulation.progress);
  }
  const wallSeconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const result = summarise(simulation, {
    version: projectVersion(),
    commit: currentCommit(),
    p4Program: `${PROGRAM}.p4`,
    p4Digest: artifacts.manifest.sourcesSha256,
    executor: executorName,
    queueModel: 'bits/s serialiser',
  });
  return { result, wallSeconds };
}

/** The commit that is checked out, or `unknown` outside a git checkout. */
function currentCommit(): string {
  try {
    const args = ['rev-parse', 'HEAD'];
    return execFileSync('git', args, {
      cwd: repositoryRoot(),
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return 'unknown';
  }
}
