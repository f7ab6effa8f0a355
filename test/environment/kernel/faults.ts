import type { Random } from '../../../common/random/random';

/** Kinds of faults that an environment may cause. */
export const FAULTS = [
  // The system refuses or cuts calls.
  'emfile',
  'enomem',
  'enospc',
  'short-write',
  'enobufs',
  'enobufs-netlink',
  'eintr',
  'partial-send',
  // Time and turns.
  'wall-jump',
  'late-turn',
  // Interfaces.
  'carrier',
  'interface-remade',
  'enetdown',
  // The network of packets.
  'loss',
  'duplication',
  'reordering',
  'delay',
  'pause-storm',
  'pause-of-strangers',
  // Connections of controllers.
  'connection-lost',
  'half-open',
  'stalled-reader',
  'slow-connection',
  'half-open-crowd',
  // Peers.
  'switch-restart',
  'agent-restart',
  'agent-vanished',
  'controller-restart',
  'takeover',
  'peer-stopped',
  // Stores of studies.
  'store-lies',
  'store-silent',
  'store-lost',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Faults of a seed: which there are at all, how likely each is, and for how long they go on. */
export class Faults {
  readonly struck = new Map<Fault, number>();
  /** Nothing strikes before the network stands, nor at the end. */
  isOn = false;
  readonly #chances = new Map<Fault, number>();
  readonly #until = new Map<Fault, number>();

  /** @param random of faults alone. Half of all faults are left out, so that the others are seen apart. */
  constructor(
    private readonly random: Random,
    private readonly now: () => number,
  ) {
    for (const fault of FAULTS) {
      const isPresent = random.uniform() < 0.5;
      this.#chances.set(fault, isPresent ? 10 ** -(0.5 + 2 * random.uniform()) : 0);
    }
  }

  /** Probability of a fault at an occasion; 0 for one that this seed leaves out. */
  chance(fault: Fault): number {
    return this.#chances.get(fault) ?? 0;
  }

  /** True if a fault strikes at this occasion. @param scale of its chance. */
  strikes(fault: Fault, scale = 1): boolean {
    if (!this.isOn) return false;
    const chance = this.chance(fault) * scale;
    const goesOn = (this.#until.get(fault) ?? 0) > this.now();
    if (!goesOn && (chance === 0 || this.random.uniform() >= chance)) return false;
    this.note(fault);
    return true;
  }

  /** Like {@link strikes}, but once it has struck it does so for up to so many ns. */
  strikesFor(fault: Fault, ns: number, scale = 1): boolean {
    const before = (this.#until.get(fault) ?? 0) > this.now();
    if (!this.strikes(fault, scale)) return false;
    if (!before) this.#until.set(fault, this.now() + this.random.uniform() * ns);
    return true;
  }

  note(fault: Fault): void {
    this.struck.set(fault, (this.struck.get(fault) ?? 0) + 1);
  }

  /** Up to so much. */
  some(most: number): number {
    return this.random.uniform() * most;
  }

  below(limit: number): number {
    return this.random.below(limit);
  }
}
