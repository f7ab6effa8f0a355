import type { Bytes, Duration, Instant } from '../../../common/units/units';
import { drawnPort } from './entropy-source';
import type { EntropySource, EntropySpace } from './entropy-source';
import { RetiredPorts } from './retired-ports';

/** Entropies that a flow uses in turn: MRC has 128 to 256 for a connection. */
const ACTIVE = 128;
/** Latest entropies that came back without congestion, which take turns in the place of a failed one. */
const KNOWN_GOOD = 16;
/** Tries to draw an entropy that is neither retired nor the one that is given up. */
const DRAWS = 8;

/** Facts about the flow that MRC counts in. */
export interface MrcFlow {
  readonly baseRtt: Duration;
  /** Payload bytes of a full segment. */
  readonly mss: Bytes;
  /** Segments of a flow that may be in flight. */
  readonly inFlightMax: number;
}

/**
 * Path choice of MRC 1.0 (Multipath Reliable Connection, OCP 2026) as far as its public texts go: packets take the
 * entropies of a set in turn. One whose packet was marked or trimmed is exchanged for another, since its path is
 * congested; one in a round trip, as all packets of a queue tell of the same, and flows that left a path together
 * would meet again on the next. One whose packet was lost is retired at once, since its path has failed, and with it
 * all others of that path where the host knows which these are; they come back when a probe over it is answered.
 *
 *     in use --marked or trimmed--> exchanged for one that is drawn
 *        |
 *        +--lost--> retired, exchanged for one known to be good --probe answered--> in use again
 */
export class MrcEntropy implements EntropySource {
  readonly retired: RetiredPorts;
  readonly #space: EntropySpace;
  readonly #pathOf: (port: number) => number;
  /** Source ports that were in use over each path that has failed. */
  readonly #failed = new Map<number, ReadonlySet<number>>();
  readonly #mss: Bytes;
  readonly #baseRtt: Duration;
  #exchangeFrom: Instant = -Infinity;
  /** Source ports in use. */
  readonly #active: number[];
  #next = 0;
  readonly #good: number[] = [];
  #goodAt = 0;
  /** In turn, since the latest ones are of all paths alike. */
  #goodTaken = 0;
  /** Source port of each segment in flight, by its number. */
  readonly #sent: Uint16Array;

  constructor(space: EntropySpace, { baseRtt, mss, inFlightMax }: MrcFlow) {
    this.#space = space;
    this.#pathOf = space.pathOf ?? ((port) => port);
    this.#mss = mss;
    this.#baseRtt = baseRtt;
    this.#sent = new Uint16Array(inFlightMax);
    this.retired = new RetiredPorts(baseRtt, (port) => this.#restore(port));
    const count = Math.min(ACTIVE, space.count);
    const first = space.random.below(space.count);
    this.#active = Array.from({ length: count }, (_, i) => space.portOf((first + i) % space.count));
  }

  take(_now: Instant, sequence?: number): number {
    const at = this.#next;
    this.#next = (at + 1) % this.#active.length;
    const port = this.#active[at] as number;
    if (sequence !== undefined) this.#sent[this.#slotOf(sequence)] = port;
    return port;
  }

  handleReturn(now: Instant, sourcePort: number, isCongested: boolean): void {
    if (isCongested) {
      if (now < this.#exchangeFrom) return;
      this.#exchangeFrom = now + this.#baseRtt;
      this.#exchange(
        (port) => port === sourcePort,
        () => this.#drawn(sourcePort),
      );
      return;
    }
    if (this.#hasFailed(sourcePort)) return;
    this.#good[this.#goodAt] = sourcePort;
    this.#goodAt = (this.#goodAt + 1) % KNOWN_GOOD;
  }

  handleLoss(now: Instant, sequence: number): void {
    const port = this.#sent[this.#slotOf(sequence)] as number;
    if (port === 0) return;
    const path = this.#pathOf(port);
    const isThere = (each: number): boolean => this.#pathOf(each) === path;
    if (!this.#failed.has(path)) {
      const forgotten = this.retired.add(now, port);
      if (forgotten !== undefined) this.#failed.delete(this.#pathOf(forgotten));
      this.#failed.set(path, new Set([port, ...this.#active.filter(isThere)]));
    }
    this.#forgetGood(isThere);
    this.#exchange(isThere, () => this.#knownGood() ?? this.#drawn(port));
  }

  #hasFailed(port: number): boolean {
    return this.#failed.has(this.#pathOf(port));
  }

  #restore(port: number): void {
    const path = this.#pathOf(port);
    const left = this.#failed.get(path) ?? [];
    this.#failed.delete(path);
    for (const each of left) this.#useAgain(each);
  }

  #slotOf(sequence: number): number {
    return Math.floor(sequence / this.#mss) % this.#sent.length;
  }

  #exchange(isLeaving: (port: number) => boolean, other: () => number): void {
    this.#active.forEach((port, at) => {
      if (isLeaving(port)) this.#active[at] = other();
    });
  }

  /** It takes a place of an entropy that has two. */
  #useAgain(port: number): void {
    const at = this.#active.findIndex((each, i) => this.#active.indexOf(each) < i);
    if (at >= 0) this.#active[at] = port;
  }

  #drawn(instead: number): number {
    for (let i = 0; i < DRAWS; i++) {
      const port = drawnPort(this.#space);
      if (port !== instead && !this.#hasFailed(port)) return port;
    }
    // Hardly any other is left: a path that is in use, or congested, is better than one that has failed.
    return this.#active.find((port) => !this.#hasFailed(port)) ?? instead;
  }

  #knownGood(): number | undefined {
    const { length } = this.#good;
    return length === 0 ? undefined : this.#good[this.#goodTaken++ % length];
  }

  #forgetGood(isBad: (port: number) => boolean): void {
    const left = this.#good.filter((port) => !isBad(port));
    if (left.length === this.#good.length) return;
    this.#good.splice(0, this.#good.length, ...left);
    this.#goodAt = left.length % KNOWN_GOOD;
  }
}
