import { assert } from '../../../common/assert';
import type { Duration, Instant } from '../../../common/units/units';

/** Ports that are remembered; of more, the one that was retired first is forgotten. */
const RETIRED_MAX = 1024;
/** Probes that leave in a base RTT at most. */
const PROBES_PER_RTT = 16;
/** Base RTTs until a port is probed once more, which double up to the latter. */
const PATIENCE = { first: 2, most: 256 } as const;

interface Retired {
  readonly port: number;
  dueAt: Instant;
  patience: number;
}

/** Source ports whose paths seem to have failed, and when to ask whether they have come back. */
export class RetiredPorts {
  readonly #baseRtt: Duration;
  readonly #onRestored: (port: number) => void;
  readonly #ports = new Map<number, Retired>();
  /** The one that is to be probed next. */
  #first: Retired | undefined = undefined;
  #freeAt: Instant = 0;

  constructor(baseRtt: Duration, onRestored: (port: number) => void) {
    this.#baseRtt = baseRtt;
    this.#onRestored = onRestored;
  }

  has(port: number): boolean {
    return this.#ports.has(port);
  }

  /** Returns the port that is forgotten for it, if one is. */
  add(now: Instant, port: number): number | undefined {
    if (this.#ports.has(port)) return undefined;
    const [oldest] = this.#ports.keys();
    const forgotten = this.#ports.size === RETIRED_MAX ? oldest : undefined;
    if (forgotten !== undefined) this.#ports.delete(forgotten);
    this.#ports.set(port, { port, dueAt: now, patience: PATIENCE.first });
    this.#choose();
    return forgotten;
  }

  /** Instant at which the next probe is due, or Infinity. */
  get probeAt(): Instant {
    return this.#first === undefined ? Infinity : Math.max(this.#first.dueAt, this.#freeAt);
  }

  /** Returns the source port of the probe that leaves now; only if one is due. */
  takeProbe(now: Instant): number {
    const next = this.#first;
    assert(next !== undefined && this.probeAt <= now, 'a probe leaves when it is due');
    next.dueAt = now + next.patience * this.#baseRtt;
    next.patience = Math.min(2 * next.patience, PATIENCE.most);
    this.#freeAt = now + this.#baseRtt / PROBES_PER_RTT;
    this.#choose();
    return next.port;
  }

  /** A probe over the port has come back. */
  restore(port: number): void {
    if (!this.#ports.delete(port)) return;
    this.#choose();
    this.#onRestored(port);
  }

  #choose(): void {
    let first: Retired | undefined;
    for (const each of this.#ports.values()) {
      if (first === undefined || each.dueAt < first.dueAt) first = each;
    }
    this.#first = first;
  }
}
