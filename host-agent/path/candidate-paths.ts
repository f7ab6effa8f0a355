import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/hop/hop';

/** A source port that leads, as far as is known, over links of its own. */
interface Candidate {
  /** Number of the source port, counted from the flow's first one. */
  port: number;
  /** The links that it was last seen to consist of; none before the first answer. */
  links: readonly HopRecord[];
  /** Answers to requests with lower numbers are about a port that was given up. */
  validFrom: number;
  /** True if all ports that were found for it lead where others lead as well. */
  isSpent: boolean;
}

/** Source ports that may be tried per path until those of distinct paths are found. */
const TRIES_PER_PATH = 8;

/**
 * Source ports that lead over different paths. The network hashes ports, so several may lead the same
 * way: when telemetry shows the links of another candidate, the port is given up for the next one,
 * until all differ or a budget is spent. A change of the path in use makes the budget whole again,
 * for then the network has chosen anew.
 */
export class CandidatePaths {
  readonly #candidates: readonly Candidate[];
  #triesLeft = 0;
  #nextPort: number;

  constructor(paths: number) {
    this.#candidates = Array.from({ length: paths }, (_, port) => ({
      port,
      links: [],
      validFrom: 0,
      isSpent: false,
    }));
    this.#nextPort = paths;
    this.#renewBudget();
  }

  get count(): number {
    return this.#candidates.length;
  }

  portOf(path: number): number {
    return this.#at(path).port;
  }

  linksOf(path: number): readonly HopRecord[] {
    return this.#at(path).links;
  }

  /** Returns the candidate with that port; -1 if it was given up. */
  indexOf(port: number): number {
    return this.#candidates.findIndex((candidate) => candidate.port === port);
  }

  /** The next candidate after `path`, around the circle, worth a probe; undefined without any. */
  nextToProbe(path: number, current: number): number | undefined {
    for (let step = 1; step <= this.count; step++) {
      const next = (path + step) % this.count;
      if (next !== current && !this.#at(next).isSpent) return next;
    }
    return undefined;
  }

  /**
   * The answer to request `id` has shown the links of `path`; `nextId` is the number of the next
   * request. Returns whether they tell of `path`, and whether its port was given up.
   */
  noteAnswer(
    path: number,
    { id, nextId, links }: { id: number; nextId: number; links: readonly HopRecord[] },
  ): 'noted' | 'replaced' | 'outdated' {
    const candidate = this.#at(path);
    if (id < candidate.validFrom) return 'outdated';
    candidate.links = links;
    const isTaken = this.#candidates.some(
      (other) => other !== candidate && isSamePath(other.links, links),
    );
    if (!isTaken) return 'noted';
    this.#giveUp(candidate, nextId);
    return 'replaced';
  }

  /** Packets of the flow itself have shown the links of `path`. */
  noteOwn(path: number, links: readonly HopRecord[], nextId: number): void {
    const own = this.#at(path);
    const hasChanged = own.links.length > 0 && !isSamePath(own.links, links);
    const isKnown = own.links.length > 0 && !hasChanged;
    own.links = links;
    if (isKnown) return;
    if (hasChanged) this.#renewBudget();
    for (const other of this.#candidates) {
      if (other !== own && isSamePath(other.links, links)) this.#giveUp(other, nextId);
    }
  }

  #giveUp(candidate: Candidate, nextId: number): void {
    candidate.links = [];
    if (this.#triesLeft === 0) {
      candidate.isSpent = true;
      return;
    }
    this.#triesLeft--;
    candidate.port = this.#nextPort++;
    candidate.validFrom = nextId;
  }

  #renewBudget(): void {
    this.#triesLeft = TRIES_PER_PATH * this.#candidates.length;
    for (const candidate of this.#candidates) candidate.isSpent = false;
  }

  #at(path: number): Candidate {
    const candidate = this.#candidates[path];
    assert(candidate !== undefined, 'a path is one of the candidates');
    return candidate;
  }
}

function isSamePath(a: readonly HopRecord[], b: readonly HopRecord[]): boolean {
  if (a.length === 0 || a.length !== b.length) return false;
  return a.every(({ switchId, portId }, i) => {
    const other = b[i];
    return switchId === other?.switchId && portId === other.portId;
  });
}
