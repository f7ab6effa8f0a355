import { NS_PER_MS } from './kernel/machine';
import type { Nodes } from './scenario';
import type { World } from './world';

/** Most bytes that a running network of two switches and a host may have mapped. */
const MAPPED_MAX = 96 * 1024 * 1024;
/** Descriptors of a steady network: sockets, netlink, logs, captures, and the loop's own two. */
const DESCRIPTORS_MAX = 32;
/** Calls that one switch may have open: two controllers and whoever compares, with six Reads and a stream. */
const CALLS_MAX = 21;

/** System calls per ms of virtual time; whoever waits for nothing makes hundreds. */
const CALLS_PER_MS_MAX = 40;

/** Invariants of the network, whatever has gone wrong before. */
export class Invariants {
  constructor(
    private readonly world: World,
    private readonly nodes: Nodes,
  ) {}

  /** When nothing goes wrong any more: nobody has kept what he no longer needs. */
  steady(): void {
    const { system, control } = this.world;
    const { descriptors, memory } = system;
    this.#within('descriptors', descriptors.count, DESCRIPTORS_MAX);
    this.#within('mapped bytes', memory.mapped, MAPPED_MAX);
    for (const { place } of this.nodes.switches) {
      const calls = control.callsAt(place.address);
      this.#within(`calls at ${place.name} (${calls.join(', ')})`, calls.length, CALLS_MAX);
    }
  }

  /** When all nodes have ended. */
  atTheEnd(): void {
    const { system } = this.world;
    const { descriptors, memory, machine } = system;
    if (descriptors.count > 0) this.world.violated(`left open: ${descriptors.kinds}`);
    const calls = Math.round(machine.calls / (machine.now / NS_PER_MS));
    this.#within('system calls per ms', calls, CALLS_PER_MS_MAX);
    if (memory.mapped > 0) this.world.violated(`left mapped: ${memory.mapped} bytes`);
    const tasks = machine.tasksWaiting;
    if (tasks.length > 0)
      this.world.violated(`${tasks.length} timers are left: ${tasks.join('; ')}`);
    for (const error of machine.uncaught) this.world.violated('an exception escaped', error);
    this.#deliveries();
    this.#pauses();
  }

  /** Nobody stops for a pause that the other end of his link has not sent. */
  #pauses(): void {
    if ((this.world.system.faults.struck.get('pause-storm') ?? 0) > 0) return;
    const { switches, receiver, senders } = this.nodes;
    for (const { place, summaries } of switches) {
      for (const { lossless } of summaries) {
        for (const { port } of lossless?.stopped ?? []) {
          this.world.violated(`${place.name} stops at port ${port} for a stranger`);
        }
      }
    }
    for (const { place, reports } of [receiver, ...senders]) {
      const isPaused = reports.some(({ paused }) => paused !== undefined);
      if (isPaused) this.world.violated(`${place.name} stops for a stranger`);
    }
  }

  /** Whatever a sender was told has arrived has, with the same bytes, and as often as it was sent. */
  #deliveries(): void {
    const { receiver, senders } = this.nodes;
    const received = receiver.received.map((each) =>
      [each.source, each.flow, each.bytes, each.sha256].join(' '),
    );
    for (const { place, ends } of senders) {
      for (const end of ends) {
        if (end.kind !== 'finished') continue;
        for (const flow of end.report.sent?.flows ?? []) {
          const wanted = [place.address, flow.flow, flow.acknowledgedBytes, flow.sha256].join(' ');
          const at = received.indexOf(wanted);
          if (at < 0) this.world.violated(`a flow has not arrived as it was sent: ${wanted}`);
          else received.splice(at, 1);
        }
      }
    }
  }

  #within(what: string, found: number, most: number): void {
    if (found > most) this.world.violated(`${found} ${what}, of at most ${most}`);
  }
}
