import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { failureText, InputError } from '../../common/errors';
import { loadAlgorithm } from '../../host-agent/io/options/load-algorithm';
import { hmacSha256 } from '../../host-agent/io/keys/hmac';
import { CompiledTexts } from '../../switch/codegen/compile';
import { executorFactory } from '../../switch/codegen/executors';
import { keepText } from '../../switch/io/keep-text';
import { outcomeOf } from '../simulation/outcome';
import { Simulation } from '../simulation/simulation';
import type { ObservationBatch } from '../coordination/observation-rows';
import { Barrier, BrokenBarrier } from '../workers/barrier';
import { Backlog } from '../workers/backlog';
import { Outlets, PartRun } from '../workers/part-run';
import type { PartState } from '../workers/part-run';
import { ControlPlane } from './control-plane';
import type { PartMessage, PartOrder } from './run-in-parts';

/** Real time between two looks at what is not virtual. */
const LOOK_SECONDS = 0.2;

/**
 * A thread of a run: builds the network, sets up its switches as every other worker does, and runs its
 * part of it.
 */
async function main(): Promise<void> {
  const order = workerData as PartOrder;
  const { place, scenario, seed, checkInvariants } = order;
  await loadAlgorithm(scenario.parameters.algorithm, { trust: order.trust });
  const outlets = new Outlets(place);
  const has = (node: string): boolean => place.owners.get(node) === place.worker;
  const executor = executorFactory(order.executor, {
    keep: keepText,
    compiled: new CompiledTexts(),
  });
  const part = { has, exit: outlets };
  const settings = { scenario, seed, checkInvariants, executor, mac: hmacSha256, part };
  const simulation = new Simulation(settings);
  const { devices, plan, links } = simulation;
  const network = { scenario: simulation.scenario, plan, devices, seed };
  const control = await ControlPlane.start(network);
  try {
    await control.apply();
    // All parts see it; one tells.
    const observers = place.worker === 0 ? simulation.observers.of('routesChanged') : [];
    const routesChanged = (): void => {
      for (const each of observers) each.routesChanged();
    };
    links.onPort = (deviceId, port, up) => {
      control.portChanged(deviceId, port, up);
      routesChanged();
    };
    const barrier = new Barrier(place.memory.barrier, place.workers, order.hasCores);
    const run = new PartRun(
      simulation,
      outlets,
      place,
      sender(new Backlog(place.memory.backlog), barrier),
    );
    say({ kind: 'ready' });
    if (parentPort !== null) await once(parentPort, 'message');
    simulation.start();
    const { worker } = place;
    const state = await runThrough({ run, barrier, simulation, control, routesChanged, worker });
    say({ kind: 'ended', outcome: outcomeOf(simulation), isInterrupted: state === 'stopped' });
  } finally {
    await control.stop();
  }
}

/** Sends what is observed to who started the run, as fast as it is read there. */
function sender(backlog: Backlog, barrier: Barrier): (batch: ObservationBatch) => void {
  let sent = 0;
  return (batch) => {
    say({ kind: 'observed', batch }, [batch.rows.buffer as ArrayBuffer]);
    backlog.wait(++sent, () => barrier.check());
  };
}

interface Running {
  readonly run: PartRun;
  readonly barrier: Barrier;
  readonly simulation: Simulation;
  readonly control: ControlPlane;
  readonly routesChanged: () => void;
  readonly worker: number;
}

/** Virtual time stands still while the controller works. */
async function runThrough(running: Running): Promise<PartState> {
  const { run, barrier, simulation, control, routesChanged, worker } = running;
  const { links } = simulation;
  let lookAt = 0;
  for (;;) {
    if (!run.run()) {
      await control.apply(links.down);
      routesChanged();
      links.isControllerDue = false;
      continue;
    }
    const state = exchange(run, barrier, worker);
    if (state !== 'running') return state;
    const seconds = process.uptime();
    if (seconds < lookAt) continue;
    lookAt = seconds + LOOK_SECONDS;
    showProgress(run, simulation);
    await setImmediate();
  }
}

/** Exchanges messages with the other workers between two windows. */
function exchange(run: PartRun, barrier: Barrier, worker: number): PartState {
  const stops = worker === 0 && barrier.isStopping;
  for (;;) {
    run.say(stops);
    barrier.pass();
    const state = run.hear();
    if (state !== 'exchanging') return state;
  }
}

function showProgress(run: PartRun, { runner, time, packetHops }: Simulation): void {
  const deliveredBytes = runner.deliveredBytes;
  run.showProgress({ packetHops, deliveredBytes, now: time.now });
}

/** @param transfer memory that belongs to the receiver afterwards */
function say(message: PartMessage, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

async function runPart(): Promise<void> {
  try {
    await main();
  } catch (error) {
    const { memory, workers } = (workerData as PartOrder).place;
    // The worker that broke the barrier reports why; this one waits for its end.
    if (error instanceof BrokenBarrier) {
      if (parentPort !== null) await once(parentPort, 'message');
      return;
    }
    say({ kind: 'failed', reason: failureText(error), isInput: error instanceof InputError });
    new Barrier(memory.barrier, workers, false).break();
  }
}

if (parentPort !== null) void runPart();
