import * as fs from 'node:fs';
import type { Socket } from 'node:net';

/** Descriptors that connections leave to interfaces, captures, logs and files. */
const RESERVED = 16;
/** Those that connections of other servers leave to controllers besides. */
const RESERVED_FOR_CONTROL = 16;
/** Interval in which descriptors that are no connections are counted anew at most. */
const LOOK_MS = 1000;

/** Use of a connection: control of a switch, or anything else. */
export type Purpose = 'control' | 'other';

/**
 * Descriptors of a process, which the system bounds. Connections of all its servers together leave some of them to
 * what the process needs to go on: whoever opens connections at every door at once cannot keep an interface that was
 * made again, or a controller, out.
 */
export class Descriptors {
  readonly #most: number;
  readonly #open: () => number;
  /** Connections of all servers, in one cell, which threads share. */
  readonly #connections: Int32Array;
  #others = 0;
  #lookedAt = -Infinity;

  /**
   * @param most the bound.
   * @param open counts those in use; it may throw when there is none to count them by.
   * @param connections where they are counted, together with other threads.
   */
  constructor(
    most: number,
    open: () => number,
    readonly connections = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.#most = most;
    this.#open = open;
    this.#connections = new Int32Array(connections);
  }

  /** Counts a connection until it closes; returns whether one of its server has to give way, this or another. */
  isOneTooMany(socket: Socket, purpose: Purpose): boolean {
    Atomics.add(this.#connections, 0, 1);
    socket.once('close', () => Atomics.sub(this.#connections, 0, 1));
    if (this.#most === Infinity) return false;
    this.#look();
    const left = this.#most - this.#others - Atomics.load(this.#connections, 0);
    return left < RESERVED + (purpose === 'control' ? 0 : RESERVED_FOR_CONTROL);
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    this.#others = this.#inUse() - Atomics.load(this.#connections, 0);
  }

  #inUse(): number {
    try {
      return this.#open();
    } catch {
      return this.#most;
    }
  }
}

/** The bound that the system says; Infinity where it says none. */
function most(): number {
  try {
    const [, bound] =
      /^Max open files +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return bound === undefined ? Infinity : Number(bound);
  } catch {
    return Infinity;
  }
}

let own: Descriptors | undefined;

const openNow = (): number => fs.readdirSync('/proc/self/fd').length;

/** Those of this process, whose servers share them. */
export const ownDescriptors = (): Descriptors => (own ??= new Descriptors(most(), openNow));

/** Makes this thread count its connections together with another one. @param connections those of the other. */
export function countConnectionsIn(connections: SharedArrayBuffer): void {
  own = new Descriptors(most(), openNow, connections);
}
