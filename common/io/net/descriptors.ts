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
  #connections = 0;
  #others = 0;
  #lookedAt = -Infinity;

  /** @param most the bound. @param open counts those in use; it may throw when there is none to count them by. */
  constructor(most: number, open: () => number) {
    this.#most = most;
    this.#open = open;
  }

  /** Counts a connection until it closes; returns whether one of its server has to give way, this or another. */
  isOneTooMany(socket: Socket, purpose: Purpose): boolean {
    this.#connections += 1;
    socket.once('close', () => (this.#connections -= 1));
    if (this.#most === Infinity) return false;
    this.#look();
    const left = this.#most - this.#others - this.#connections;
    return left < RESERVED + (purpose === 'control' ? 0 : RESERVED_FOR_CONTROL);
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    this.#others = this.#inUse() - this.#connections;
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

/** Those of this process, whose servers share them. */
export const ownDescriptors = (): Descriptors =>
  (own ??= new Descriptors(most(), () => fs.readdirSync('/proc/self/fd').length));
