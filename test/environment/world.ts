import { failureText } from '../../common/errors';
import { ControlNetwork } from './control/control-network';
import { Files } from './kernel/files';
import { replaced, standInForGlobals } from './kernel/globals';
import { simulatedLibc } from './kernel/libc';
import { NS_PER_MS } from './kernel/machine';
import type { Machine } from './kernel/machine';
import { System } from './kernel/system';
import { Reactor } from '../../common/io/loop/reactor';
import * as packetsFirst from '../../common/io/packets-first';
import { standInForEventLoop } from '../../common/io/loop/uv-poll';
import { standInForLibc } from '../../common/io/net/libc';
import type { Process } from './kernel/process';
import type { SwitchPlace } from './nodes/places';

/** Gives each simulated process its own of what nodes of one process share. @returns what undoes that. */
export function standInForSharing(machine: Machine): (() => void)[] {
  const reactors = new Map<Process | undefined, Reactor>();
  const ofProcess = (): Reactor => {
    const found = reactors.get(machine.process) ?? new Reactor();
    reactors.set(machine.process, found);
    return found;
  };
  const turns = new Map<Process | undefined, () => void>();
  const giveTurnsBy = (give: (() => void) | undefined): void => {
    if (give === undefined) turns.delete(machine.process);
    else turns.set(machine.process, give);
  };
  // Work of one process gives no turn to packets of another.
  const letPass = (): void => turns.get(machine.process)?.();
  return [
    replaced(Reactor, 'shared', ofProcess),
    replaced(packetsFirst, 'givePacketsTurnsBy', giveTurnsBy),
    replaced(packetsFirst, 'letPacketsPass', letPass),
  ];
}

/** From the kernel's answer to what a switch says of it. */
const UNNOTICED_MS = 10;

/** A switch, as far as it says what its ports are. */
interface ToldOf {
  readonly place: SwitchPlace;
  readonly process: Process;
}

/** Surroundings of the nodes of a seed, and the errors that the nodes have made. */
export class World {
  readonly system: System;
  readonly files: Files;
  readonly control: ControlNetwork;
  readonly violations: string[] = [];
  readonly #undo: (() => void)[];

  constructor(seed: number, print?: (line: string) => void) {
    this.system = new System(seed, print);
    const { machine, faults, trace } = this.system;
    this.files = new Files(this.system);
    this.control = new ControlNetwork(machine, faults, trace);
    const onRejection = (reason: unknown): void => this.violated('a rejection escaped', reason);
    process.on('unhandledRejection', onRejection);
    const onWarning = (warning: Error): void => this.violated('Node warns', warning);
    process.on('warning', onWarning);
    this.#undo = [
      standInForGlobals(this.system),
      this.files.standIn(),
      standInForLibc(simulatedLibc(this.system)),
      standInForEventLoop(this.system.polling),
      ...standInForSharing(this.system.machine),
      () => void process.removeListener('unhandledRejection', onRejection),
      () => void process.removeListener('warning', onWarning),
    ];
  }

  note(who: string, what: string): void {
    this.system.trace.note(who, what);
  }

  violated(what: string, error?: unknown): void {
    const text = error === undefined ? what : `${what}: ${failureText(error)}`;
    this.violations.push(text);
    this.note('VIOLATION', text);
  }

  /** Lets virtual time pass until something holds; false when it does not within so many ms. */
  until(holds: () => boolean, ms: number): Promise<boolean> {
    return this.system.machine.until(holds, ms * NS_PER_MS);
  }

  pass(ms: number): Promise<boolean> {
    return this.until(() => false, ms);
  }

  /** Lets virtual time pass until a promise is settled. */
  async settled<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
    const found: { value?: T; isOver: boolean } = { isOver: false };
    promise.then(
      (value) => Object.assign(found, { value, isOver: true }),
      (error: unknown) => {
        found.isOver = true;
        this.violated('a promise was rejected', error);
      },
    );
    await this.until(() => found.isOver, ms);
    return found.value;
  }

  /** A switch has said that a port came up or went down, and has just been told so. */
  portTold({ place, process }: ToldOf, port: number, isUp: boolean): void {
    const { name, ports } = place;
    const { interfaces, machine } = this.system;
    const one = interfaces.all.get(ports[port] ?? '');
    if (one === undefined || interfaces.hasCarrier(one) === isUp) return;
    // A process that was stopped says what it had been told before.
    const since = Math.max(one.changedAt, process.wentOnAt);
    if (machine.now - since < UNNOTICED_MS * NS_PER_MS) return;
    this.violated(`${name} says that port ${port} is ${isUp ? 'up' : 'down'}, and it is not`);
  }

  /** Gives the process its own system back. */
  leave(): void {
    for (const undo of this.#undo.reverse()) undo();
  }
}
