import { bothWays } from '../../common/topology/topology';
import { note } from '../../common/io/terminal';
import { optimiseInRuns } from '../../common/io/loop/optimising';
import { roundedRates } from '../../controller/intent/telemetry-rate';
import { loadAlgorithm } from '../../host-agent/io/options/load-algorithm';
import { setImmediate } from 'node:timers/promises';
import { PS_PER_US } from '../../common/units/units';
import { loadP4Artifacts } from '../../common/io/p4-profiles';
import type { P4Artifacts } from '../../common/io/p4-profiles';
import type { CauseObserver } from '../causes/cause-observer';
import { currentCommit, projectVersion } from '../../common/io/repository';
import type { NetworkPlan } from '../network/plan';
import { hmacSha256 } from '../../host-agent/io/keys/hmac';
import type { RunObserver } from '../record/run-observer';
import { Simulation } from '../simulation/simulation';
import type { FlowSink, PeerOptions, SimulationOptions } from '../simulation/simulation';
import { profileOf } from '../network/switch-hardware';
import { outcomeOf } from '../simulation/outcome';
import type { Result } from '../result/result';
import { summarise } from '../simulation/summarise';
import type { ScenarioDocument } from '../scenario/schema';
import { withWorkloadFiles } from './inputs/workload-files';
import { runInParts } from './run-in-parts';
import type { RunProgress } from './run-progress';
import { causeObserver } from './cause-observers';
import { ControlPlane } from './control-plane';
import type { ControlledNetwork } from './control-plane';
import type { SharedWork } from './shared-work';
import { workersFor } from './worker-count';
import { CompiledTexts } from '../../switch/codegen/compile';
import { executorFactory } from '../../switch/codegen/executors';
import { DEFAULT_EXECUTOR } from '../../switch/codegen/executor-names';
import type { ExecutorName } from '../../switch/codegen/executor-names';
import { keepText } from '../../switch/io/keep-text';

export interface RunOptions {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly checkInvariants?: boolean;
  /** Executor of the switches' programs; generated code unless given. */
  readonly executor?: ExecutorName;
  /** Work of earlier runs that need not be repeated: for many runs of small networks. */
  readonly shared?: SharedWork;
  /** Called when the switches are set up and virtual time begins. */
  readonly onStart?: () => void;
  /** Called some times per second. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Ends the run early; its result then says so, and what there is. */
  readonly signal?: AbortSignal;
  /** Called after some thousand events each; the run waits for what it returns. */
  readonly onStep?: () => Promise<void> | undefined;
  /** Looks on, and may end the run when it has seen enough. */
  readonly observer?: (simulation: Simulation) => RunObserver;
  /** Numbers of flows whose completion times are divided by cause. */
  readonly causesOf?: readonly number[] | undefined;
  /**
   * Threads that share the work; the result is the same for any number. 'auto': one per core for a
   * long run that can be divided and has no observer. Default 1.
   */
  readonly workers?: number | 'auto';
  /** Flows from which on they are folded as they end: into sums, and rows of `flowSink`. */
  readonly streamedFrom?: number;
  /** Opened when the run folds flows; what it takes is complete when the run has ended. */
  readonly flowSink?: FlowSink;
  /** Decides about the traffic, in place of the scenario's. */
  readonly peer?: PeerOptions;
  /** True if an algorithm of a file has all rights of the process; otherwise it runs in a compartment. */
  readonly trust?: boolean;
  /** Worker of each node; by the packets that nodes will handle unless given. */
  readonly owners?: ReadonlyMap<string, number>;
}

export interface Run {
  readonly result: Result;
  /** Real time of the virtual part, without setting up the switches. */
  readonly wallSeconds: number;
}

/**
 * PERF: code of its own for each switch would not fit the processor's caches in a fabric, and the engine makes it
 * fast once for all runs of the process, as those of a comparison.
 */
const COMPILED = new CompiledTexts();

const EVENTS_PER_STEP = 20_000;
/** Real time between two reports, and after which an interrupt is noticed. */
const REPORT_SECONDS = 0.2;

/**
 * Runs a scenario from beginning to end: makes the network, sets its switches up over P4Runtime as
 * a controller would, runs in virtual time, summarises.
 * @throws InputError for a scenario that cannot be run.
 */
export async function runScenario(options: RunOptions): Promise<Run> {
  const { seed, checkInvariants = true, shared } = options;
  const scenario = withWorkloadFiles(options.scenario, process.cwd());
  await loadAlgorithm(scenario.parameters.algorithm, { trust: options.trust });
  const executorName = options.executor ?? DEFAULT_EXECUTOR;
  const executor = executorFactory(executorName, {
    keep: keepText,
    compiled: COMPILED,
  });
  const explained: CauseObserver[] = [];
  const simulation = new Simulation({
    scenario,
    seed,
    checkInvariants,
    executor,
    mac: hmacSha256,
    observer: watching(options, explained),
    peer: options.peer,
    ...streamOptions(options),
  });
  noteRoundedRates(simulation.plan);
  const generator = generatorOf(scenario, simulation.plan, { executorName, shared });
  const { signal, onStart, owners, onProgress, onStep } = options;
  const isObserved = isWatched(options) || onStep !== undefined;
  const workers = numberOfWorkers(simulation, isObserved, options.workers);
  if (workers === 1) return withCauses(await runHere(simulation, generator, options), explained);
  const { outcome, wallSeconds, isInterrupted } = await runInParts({
    scenario,
    seed,
    checkInvariants,
    executor: executorName,
    trust: options.trust,
    simulation,
    workers,
    signal,
    onStart,
    owners,
    isObserved,
    // Nobody has the whole of a run that is shared before its end.
    onProgress: onProgress && ((progress) => onProgress({ ...progress, partial: undefined })),
  });
  const interruptedAt = isInterrupted ? outcome.endedAt : undefined;
  return { result: summarise(simulation, outcome, { generator, interruptedAt }), wallSeconds };
}

const isWatched = ({ observer, causesOf = [] }: RunOptions): boolean =>
  observer !== undefined || causesOf.length > 0;

/** Makes all who look on; those who divide times by cause are put into `explained`, too. */
function watching(options: RunOptions, explained: CauseObserver[]): SimulationOptions['observer'] {
  if (!isWatched(options)) return undefined;
  const { observer, causesOf = [] } = options;
  return (simulation) => {
    explained.push(...causesOf.map((flow) => causeObserver(simulation, flow)));
    return [...(observer === undefined ? [] : [observer(simulation)]), ...explained];
  };
}

function withCauses({ result, wallSeconds }: Run, explained: readonly CauseObserver[]): Run {
  const causes = explained.flatMap((each) => each.causes ?? []);
  return { result: causes.length === 0 ? result : { ...result, causes }, wallSeconds };
}

function noteRoundedRates({ topology, links }: NetworkPlan): void {
  const switches = new Set(topology.switches.map(({ name }) => name));
  const own = links.filter(({ a, b }) => switches.has(a.node) || switches.has(b.node));
  const ways = own.flatMap((link) => bothWays(link));
  const rounded = roundedRates(ways.map(({ rate }) => rate));
  if (rounded !== undefined) note(`hpcc: ${rounded}`);
}

/** Threads have all flows of a run, as its observers have. */
function streamOptions({
  workers,
  streamedFrom,
  flowSink,
}: RunOptions): Pick<SimulationOptions, 'streamedFrom' | 'flowSink'> {
  const isShared = typeof workers === 'number' && workers > 1;
  return {
    ...(streamedFrom !== undefined && { streamedFrom }),
    ...(isShared && { streamedFrom: Infinity }),
    flowSink,
  };
}

function numberOfWorkers(
  simulation: Simulation,
  isObserved: boolean,
  wanted: RunOptions['workers'] = 1,
): number {
  if (wanted !== 'auto') return wanted;
  return isObserved || simulation.stream !== undefined ? 1 : workersFor(simulation);
}

async function runHere(
  simulation: Simulation,
  generator: Result['generator'],
  options: RunOptions,
): Promise<Run> {
  const { devices, plan, scenario, seed } = simulation;
  const control = await setUp({ scenario, plan, devices, seed }, options.shared);
  const partial = (): Result => {
    const interruptedAt = simulation.isDone ? undefined : simulation.time.now;
    return summarise(simulation, outcomeOf(simulation), { generator, interruptedAt });
  };
  try {
    const wallSeconds = await runThrough(simulation, control, { ...options, partial });
    simulation.closeStream();
    return { result: partial(), wallSeconds };
  } finally {
    await control?.stop();
  }
}

function generatorOf(
  scenario: ScenarioDocument,
  plan: NetworkPlan,
  { executorName, shared }: { executorName: ExecutorName; shared: SharedWork | undefined },
): Result['generator'] {
  const programs = programsOf(scenario, plan);
  return {
    version: projectVersion(),
    commit: shared?.commit(currentCommit) ?? currentCommit(),
    p4Program: programs.map(({ name }) => `${name}.p4`).join(', '),
    p4Digest: programs.map(({ manifest }) => manifest.sourcesSha256).join(', '),
    executor: executorName,
    queueModel: 'bits/s serialiser',
  };
}

/** Sets the switches up. Returns their controller, unless they have been given all that they need. */
async function setUp(
  network: ControlledNetwork,
  shared: SharedWork | undefined,
): Promise<ControlPlane | undefined> {
  if (network.devices.size === 0) return undefined;
  if (shared?.restore(network) === true) return undefined;
  const control = await ControlPlane.start(network);
  try {
    const applied = await control.apply();
    shared?.remember(network, applied);
    return control;
  } catch (error) {
    await control.stop();
    throw error;
  }
}

/** Virtual time stands still while the controller works. Returns the real time of the rest. */
async function runThrough(
  simulation: Simulation,
  control: ControlPlane | undefined,
  { onStart, onProgress, onStep, signal, partial }: RunOptions & Pick<RunProgress, 'partial'>,
): Promise<number> {
  const { links, observers } = simulation;
  const routesChanged = (): void => {
    for (const each of observers.of('routesChanged')) each.routesChanged();
  };
  links.onPort = (deviceId, port, up) => {
    control?.portChanged(deviceId, port, up);
    routesChanged();
  };
  onStart?.();
  optimiseInRuns();
  simulation.start();
  let wallSeconds = 0;
  let reportAt = REPORT_SECONDS;
  const isOver = (): boolean => signal?.aborted === true || simulation.hasShownEnough;
  while (!simulation.isDone && !isOver()) {
    const startedAt = process.hrtime.bigint();
    simulation.advance(EVENTS_PER_STEP);
    wallSeconds += Number(process.hrtime.bigint() - startedAt) / 1e9;
    await onStep?.();
    if (wallSeconds >= reportAt) {
      reportAt = wallSeconds + REPORT_SECONDS;
      onProgress?.({ ...progressOf(simulation, wallSeconds), partial });
      // Signals and timers come in between.
      await setImmediate();
    }
    if (!links.isControllerDue) continue;
    await control?.apply(links.down);
    routesChanged();
    links.isControllerDue = false;
  }
  return wallSeconds;
}

function progressOf(simulation: Simulation, wallSeconds: number): Omit<RunProgress, 'partial'> {
  const { progress: fraction, packetHops, time } = simulation;
  return { fraction, packetHops, wallSeconds, virtualUs: time.now / PS_PER_US };
}

/** The programs that switches of the network run, each once. */
function programsOf(scenario: ScenarioDocument, { topology }: NetworkPlan): P4Artifacts[] {
  const names = topology.switches.map(({ name }) => profileOf(scenario, name));
  return [...new Set(names)].map(loadP4Artifacts);
}
