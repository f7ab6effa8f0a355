import { emitPause, PAUSE_CLASSES, QUANTA_MAX } from '../../common/wire/ip/mac-control';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { electionIdMessage } from '../../common/p4runtime/election-id';
import { NS_PER_MS } from './kernel/machine';
import { applyOnce } from './nodes/controller-node';
import type { WatchNode } from './nodes/controller-node';
import type { HostNode } from './nodes/host-node';
import { HOSTS, SWITCHES } from './nodes/places';
import type { SwitchNode } from './nodes/switch-node';
import type { Interface } from './kernel/interfaces';
import type { Fault } from './kernel/faults';
import type { Process } from './kernel/process';
import type { SwitchPlace } from './nodes/places';
import type { StudyNode } from './stores/study-node';
import type { World } from './world';

/** For how long things go wrong, and how often somebody thinks of something, in ms. */
const CHAOS_MS = 600;
const STEP_MS = 20;
/** Longest time until something that was taken away comes back, in ms. */
const AWAY_MS = 150;
const DATE_MS = 3_600_000;
/** Longest time for which a process is stopped; beyond all deadlines of its peers. */
const STOPPED_MS = 1500;
/** Storms of pauses, and the interval of their frames: a pause lasts 33 ms at 1 Gb/s. */
const STORM_MS = 400;
const PAUSE_MS = 20;
const ALL_CLASSES = 0xff;
/** Strangers that come at once; more than a switch has controllers of a role. */
const CROWD = 24;
/** MAC address of whoever sends pauses. */
const SOMEBODY = 0x0200_0000_0999;
/** Flows and what they carry. */
const FLOWS_MAX = 4;
const BYTES_MAX = 30_000;
/** Cells of a study. */
const CELLS = 6;

export interface Nodes {
  readonly switches: readonly SwitchNode[];
  readonly receiver: HostNode;
  readonly senders: readonly HostNode[];
  readonly controllers: readonly WatchNode[];
  /** Absent where no study runs. */
  readonly study: StudyNode | undefined;
}

/** Events of a network while things go wrong, as a seed decides. */
export class Scenario {
  readonly #world: World;
  readonly #nodes: Nodes;
  readonly #pending = new Map<Promise<unknown>, string>();
  #applies = 0n;

  constructor(world: World, nodes: Nodes) {
    this.#world = world;
    this.#nodes = nodes;
  }

  /** Everything that was begun and has not ended. */
  get pending(): readonly string[] {
    return [...this.#pending.values()];
  }

  async run(): Promise<void> {
    const { faults } = this.#world.system;
    faults.isOn = true;
    this.#planFlows();
    this.#planCells();
    for (let at = 0; at < CHAOS_MS; at += STEP_MS) {
      this.#think();
      await this.#world.pass(STEP_MS);
    }
    faults.isOn = false;
    this.#mend();
  }

  #planFlows(): void {
    const { scenario } = this.#world.system;
    const { senders, receiver } = this.#nodes;
    const flows = 1 + scenario.below(FLOWS_MAX);
    for (let i = 0; i < flows; i++) {
      const sender = senders[scenario.below(senders.length)];
      const flow = { bytes: 1 + scenario.below(BYTES_MAX), id: i + 2 };
      this.#later(scenario.below(CHAOS_MS), () => sender?.send(receiver.place, flow));
    }
  }

  #planCells(): void {
    const { study } = this.#nodes;
    if (study === undefined) return;
    const { scenario } = this.#world.system;
    for (let i = 0; i < CELLS; i++) {
      this.#later(scenario.below(CHAOS_MS), () => this.#keep('a cell', study.step()));
    }
  }

  #think(): void {
    const { system } = this.#world;
    const { scenario, faults } = system;
    const pick = <T>(all: readonly T[]): T => all[scenario.below(all.length)] as T;
    const { switches, receiver, controllers } = this.#nodes;
    const strikes = (fault: Fault): boolean => faults.strikes(fault, 0.5);
    const away = (): number => 1 + scenario.below(AWAY_MS);
    if (strikes('wall-jump')) system.moveDate(scenario.below(2 * DATE_MS) - DATE_MS);
    if (strikes('carrier')) this.#cut(pick(this.#interfaces()), away());
    if (strikes('interface-remade')) this.#remake(pick(this.#interfaces()), away());
    if (strikes('switch-restart')) this.#restart(pick(switches), away());
    if (strikes('agent-restart')) this.#restartHost(receiver, away());
    if (strikes('agent-vanished')) {
      const one = system.interfaces.all.get(receiver.place.interfaceName);
      if (one !== undefined) this.#cut(one, AWAY_MS);
      this.#restartHost(receiver, away());
    }
    if (strikes('controller-restart')) this.#restart(pick(controllers), away());
    if (strikes('peer-stopped')) this.#stop(pick(this.#processes()), scenario.below(STOPPED_MS));
    if (strikes('pause-storm')) this.#storm(pick(this.#interfaces()), scenario.below(STORM_MS));
    if (strikes('pause-of-strangers')) {
      // Bridges forward frames to addresses of stations, wherever they come from.
      const frame = pauseFrame();
      frame.set([2, 0, 0, 0, 1, scenario.below(256)]);
      this.#world.system.interfaces.inject(pick(this.#interfaces()), frame);
    }
    if (strikes('half-open-crowd')) this.#crowd(pick(switches).place);
    if (strikes('takeover')) this.#keep('apply', applyOnce(this.#world, 1000n + ++this.#applies));
  }

  #processes(): readonly Process[] {
    const { switches, receiver, senders, controllers } = this.#nodes;
    return [...switches, receiver, ...senders, ...controllers].map(({ process }) => process);
  }

  /** SIGSTOP, and SIGCONT after a while. */
  #stop(process: Process, ms: number): void {
    this.#world.note(process.name, `is stopped for ${ms} ms`);
    this.#world.system.machine.stop(process, ms * NS_PER_MS);
  }

  /** The other end of a link sends pauses whatever it receives. */
  #storm(one: Interface, ms: number): void {
    this.#world.note(one.name, `a storm of pauses for ${ms} ms`);
    const { interfaces } = this.#world.system;
    for (let at = 0; at <= ms; at += PAUSE_MS) {
      this.#later(at, () => interfaces.inject(one, pauseFrame()));
    }
  }

  /** Strangers bid below everybody, or say nothing, and are gone. */
  #crowd({ name, address, deviceId }: SwitchPlace): void {
    this.#world.note(name, 'a crowd of strangers');
    for (let i = 0; i < CROWD; i++) {
      const arbitration = new p4.MasterArbitrationUpdate({
        deviceId: String(deviceId),
        electionId: electionIdMessage(BigInt(i)),
      });
      const bid = i % 2 === 0 && i > 0;
      const message = bid ? new p4.StreamMessageRequest({ arbitration }).serialize() : undefined;
      this.#world.control.stranger(address, message);
    }
  }

  #interfaces(): readonly Interface[] {
    const ports = Object.values(SWITCHES).flatMap((each) => Object.values(each.ports));
    const names = [...ports, ...Object.values(HOSTS).map(({ interfaceName }) => interfaceName)];
    const all = names.map((name) => this.#world.system.interfaces.all.get(name));
    return all.filter((each) => each !== undefined);
  }

  #cut(one: Interface, ms: number): void {
    const { interfaces } = this.#world.system;
    interfaces.setUp(one, false);
    this.#later(ms, () => interfaces.setUp(one, true));
  }

  #remake(one: Interface, ms: number): void {
    const { interfaces } = this.#world.system;
    interfaces.remove(one);
    this.#later(ms, () => interfaces.makeAgain(one));
  }

  #restart(node: SwitchNode | WatchNode, ms: number): void {
    this.#keep('the end of a node', node.stop());
    this.#later(ms, () => node.start());
  }

  #restartHost(node: HostNode, ms: number): void {
    this.#keep('the end of a node', node.stop());
    this.#later(ms, () => node.receive());
  }

  /** Brings back all that is away, and starts everybody who shall run. */
  #mend(): void {
    const { interfaces, machine } = this.#world.system;
    for (const process of this.#processes()) machine.goOn(process);
    for (const one of interfaces.all.values()) {
      interfaces.makeAgain(one);
      interfaces.setUp(one, true);
    }
    this.#world.note('scenario', 'nothing goes wrong any more');
  }

  #later(ms: number, act: () => void): void {
    this.#keep(
      'a plan',
      new Promise<void>((resolve) => {
        setTimeout(() => {
          act();
          resolve();
        }, ms);
      }),
    );
  }

  #keep(what: string, promise: Promise<unknown>): void {
    this.#pending.set(promise, what);
    void promise.finally(() => this.#pending.delete(promise));
  }
}

const pauseFrame = (): Uint8Array =>
  emitPause(
    { classes: ALL_CLASSES, quanta: new Array<number>(PAUSE_CLASSES).fill(QUANTA_MAX) },
    SOMEBODY,
  );

/** Those who send a flow when all is well again. */
export const LAST_FLOW = { bytes: 5_000, id: 1, to: HOSTS.h2 } as const;
