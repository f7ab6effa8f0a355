import type { Fault } from './kernel/faults';
import { Invariants } from './invariants';
import { lacking, NETWORK_FILE, WatchNode } from './nodes/controller-node';
import { HostNode } from './nodes/host-node';
import type { FlowEnd } from './nodes/host-node';
import { DOCUMENT, HOSTS, macNumber, SWITCHES, WIRES } from './nodes/places';
import { PROGRAM_FILES, programTexts } from './nodes/program';
import { SwitchNode } from './nodes/switch-node';
import { StudyNode } from './stores/study-node';
import { LAST_FLOW, Scenario } from './scenario';
import type { Nodes } from './scenario';
import { World } from './world';

/** Longest time until everything is as it should be, in ms. */
const STAND_MS = 20_000;
const CONVERGE_MS = 60_000;
const FLOW_MS = 30_000;
const STUDY_MS = 30_000;
const STOP_MS = 30_000;
const LOOK_MS = 100;
const DEADLINES_MS = 2000;

/** Outcome of a seed. */
export interface Outcome {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly struck: ReadonlyMap<Fault, number>;
  readonly flows: readonly FlowEnd[];
  /** Equal in every run of the seed. */
  readonly digest: string;
  /** Virtual time that it took, in ms. */
  readonly virtualMs: number;
}

/** Runs a seed from the first node to the end of the last. @param print hears the trace. */
export async function simulate(seed: number, print?: (line: string) => void): Promise<Outcome> {
  const world = new World(seed, print);
  try {
    const nodes = build(world);
    const invariants = new Invariants(world, nodes);
    await live(world, nodes, invariants);
    const { system, violations } = world;
    const flows = nodes.senders.flatMap(({ ends }) => ends);
    const virtualMs = Math.round(system.machine.now / 1e6);
    const digest = system.trace.digest();
    return { seed, violations, struck: system.faults.struck, flows, digest, virtualMs };
  } finally {
    world.leave();
  }
}

function build(world: World): Nodes {
  const { interfaces, scenario } = world.system;
  const macs = new Map(Object.values(HOSTS).map((each) => [each.interfaceName, each.mac]));
  const made = (name: string): ReturnType<typeof interfaces.make> =>
    interfaces.make(name, macNumber(macs.get(name) ?? '02:00:00:00:01:00'));
  for (const [a, b] of WIRES) interfaces.connect(made(a), made(b));
  const { p4info, config } = programTexts();
  world.files.write(PROGRAM_FILES.p4info, p4info);
  world.files.write(PROGRAM_FILES.config, config);
  world.files.write(NETWORK_FILE, DOCUMENT);
  const captures = scenario.uniform() < 0.3;
  const isLossless = scenario.uniform() < 0.4;
  const options = { captures, isLossless };
  const switches = Object.values(SWITCHES).map((each) => new SwitchNode(each, world, options));
  const controllers = [new WatchNode('c1', 100n, world)];
  if (scenario.uniform() < 0.5) controllers.push(new WatchNode('c2', 50n, world));
  const [h1, h2, h3] = Object.values(HOSTS).map((each) => new HostNode(each, world));
  if (h1 === undefined || h2 === undefined || h3 === undefined) throw new Error('three hosts');
  const study = scenario.uniform() < 0.3 ? new StudyNode(world) : undefined;
  return { switches, controllers, receiver: h2, senders: [h1, h3], study };
}

async function live(world: World, nodes: Nodes, invariants: Invariants): Promise<void> {
  const { switches, controllers, receiver, senders, study } = nodes;
  const { faults, scenario: dice } = world.system;
  // Some networks have to come up while things go wrong already.
  faults.isOn = dice.uniform() < 0.3;
  for (const each of [...switches, ...controllers]) each.start();
  receiver.receive();
  if (!faults.isOn) await converge(world, nodes, STAND_MS);
  const scenario = new Scenario(world, nodes);
  await scenario.run();
  const isOver = (): boolean =>
    scenario.pending.length === 0 && senders.every(({ flowsWaiting }) => flowsWaiting === 0);
  if (!(await world.until(isOver, FLOW_MS))) {
    const flows = senders.reduce((sum, { flowsWaiting }) => sum + flowsWaiting, 0);
    world.violated(`without an end: ${flows} flows, ${scenario.pending.join(', ')}`);
  }
  await converge(world, nodes, CONVERGE_MS);
  invariants.steady();
  if (study !== undefined) await world.settled(study.last(), STUDY_MS);
  const before = senders.map(({ ends }) => ends.length);
  for (const each of senders) each.send(LAST_FLOW.to, LAST_FLOW);
  const areSent = (): boolean => senders.every(({ flowsWaiting }) => flowsWaiting === 0);
  await world.until(areSent, FLOW_MS);
  senders.forEach(({ ends, place }, i) => {
    const last = ends[before[i] ?? 0];
    if (last?.kind === 'finished') return;
    world.violated(`the last flow of ${place.name} failed: ${last?.reason ?? 'without an end'}`);
  });
  await world.settled(Promise.all([...controllers, receiver].map((each) => each.stop())), STOP_MS);
  await world.settled(Promise.all(switches.map((each) => each.stop())), STOP_MS);
  // Attempts to connect that nobody waits for any more have their deadlines still.
  await world.until(() => world.system.machine.tasksWaiting.length === 0, DEADLINES_MS);
  invariants.atTheEnd();
}

/** Waits until all nodes run and the switches hold what the document says. */
async function converge(world: World, nodes: Nodes, ms: number): Promise<void> {
  const { switches, receiver } = nodes;
  let left: number | undefined;
  for (let waited = 0; waited < ms; waited += LOOK_MS) {
    const isUp = switches.every(({ isRunning }) => isRunning) && receiver.isReady;
    const arePortsUp = switches.every(({ portsDown }) => portsDown.size === 0);
    left = isUp && arePortsUp ? await world.settled(lacking(world), STAND_MS) : undefined;
    if (left === 0) return;
    await world.pass(LOOK_MS);
  }
  const states = switches.map(
    ({ place, isRunning, portsDown }) =>
      `${place.name} ${isRunning ? 'runs' : 'is away'}, ports down: ${[...portsDown].join() || 'none'}`,
  );
  const host = `${receiver.place.name} is ${receiver.isReady ? 'ready' : 'away'}`;
  world.violated(
    `not as the document says after ${ms} ms: ${[...states, host].join('; ')}; ${left} differ`,
  );
}
