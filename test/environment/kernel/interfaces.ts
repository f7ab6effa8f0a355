import type { Faults } from './faults';
import type { Machine } from './machine';
import type { Trace } from './trace';

/** Receiver of the frames of an interface. */
export interface Listener {
  receive(frame: Uint8Array): void;
  /** The interface has lost its link, or is gone. */
  linkLost(): void;
}

/** A network interface and what is at the other end of its wire. */
export interface Interface {
  readonly name: string;
  readonly mac: number;
  readonly mtu: number;
  /** Undefined while there is none of this name. */
  index: number | undefined;
  isUp: boolean;
  peer: Interface | undefined;
  listeners: Set<Listener>;
  /** When it last became able or unable to carry frames, in ns. */
  changedAt: number;
}

const MTU = 1500;
/** Delay of a wire, in ns. */
const DELAY_NS = 20_000;
const JITTER_NS = 400_000;
const DETOUR_NS = 20_000_000;

/** All interfaces of the machine, and the wires between pairs of them. */
export class Interfaces {
  readonly all = new Map<string, Interface>();
  /** Those who are told of each change of an interface and its other end. */
  readonly watchers = new Set<(changed: Interface) => void>();
  #nextIndex = 2;

  constructor(
    private readonly machine: Machine,
    private readonly faults: Faults,
    private readonly trace: Trace,
  ) {}

  make(name: string, mac: number): Interface {
    const made: Interface = {
      name,
      mac,
      mtu: MTU,
      index: this.#nextIndex++,
      isUp: true,
      peer: undefined,
      listeners: new Set<Listener>(),
      changedAt: 0,
    };
    this.all.set(name, made);
    return made;
  }

  connect(a: Interface, b: Interface): void {
    a.peer = b;
    b.peer = a;
  }

  named(name: string): Interface | undefined {
    const found = this.all.get(name);
    return found?.index === undefined ? undefined : found;
  }

  indexed(index: number): Interface | undefined {
    return [...this.all.values()].find((each) => each.index === index);
  }

  /** As for a pair of virtual interfaces, both ends have a carrier when both are up. */
  hasCarrier(one: Interface): boolean {
    const { peer } = one;
    return one.index !== undefined && one.isUp && peer?.index !== undefined && peer.isUp;
  }

  setUp(one: Interface, isUp: boolean): void {
    if (one.isUp === isUp) return;
    this.#change(one, `is set ${isUp ? 'up' : 'down'}`, () => (one.isUp = isUp));
  }

  /** Its sockets stay, and hear nothing more. */
  remove(one: Interface): void {
    if (one.index === undefined) return;
    this.#change(one, 'is deleted', () => (one.index = undefined));
    one.listeners = new Set();
  }

  makeAgain(one: Interface): void {
    if (one.index !== undefined) return;
    this.#change(one, 'is made again', () => (one.index = this.#nextIndex++));
  }

  /** Sends a frame to the other end; what becomes of it there, nobody hears. */
  carry(from: Interface, frame: Uint8Array): void {
    const { faults } = this;
    if (faults.strikes('loss', 0.3)) return;
    const jitter = faults.strikes('delay') ? faults.some(JITTER_NS) : 0;
    const detour = faults.strikes('reordering', 0.3) ? faults.some(DETOUR_NS) : 0;
    this.#arriveIn(DELAY_NS + jitter + detour, from, frame);
    if (faults.strikes('duplication', 0.3)) {
      this.#arriveIn(DELAY_NS + faults.some(DETOUR_NS), from, frame);
    }
  }

  /** A frame that somebody on the wire has made reaches an interface. */
  inject(to: Interface, frame: Uint8Array): void {
    if (to.peer !== undefined) this.#arriveIn(DELAY_NS, to.peer, frame);
  }

  #arriveIn(ns: number, { peer }: Interface, frame: Uint8Array): void {
    if (peer === undefined) return;
    this.machine.interruptIn(ns, () => {
      if (!this.hasCarrier(peer)) return;
      this.trace.note(peer.name, `${frame.length} bytes arrive`);
      for (const listener of peer.listeners) listener.receive(frame);
    });
  }

  #change(one: Interface, what: string, act: () => void): void {
    const ends = [one, ...(one.peer === undefined ? [] : [one.peer])];
    const before = ends.map((each) => this.hasCarrier(each));
    act();
    this.trace.note(one.name, what);
    for (const each of ends) for (const told of this.watchers) told(each);
    ends.forEach((each, i) => {
      if (this.hasCarrier(each) === before[i]) return;
      each.changedAt = this.machine.now;
      if (before[i] !== true) return;
      for (const listener of each.listeners) listener.linkLost();
    });
  }
}
