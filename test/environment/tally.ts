import { FAULTS } from './kernel/faults';
import type { Fault } from './kernel/faults';
import type { Outcome } from './simulate';

const SHOWN_MAX = 20;

/** A seed that broke an invariant, and how. */
interface BrokenSeed {
  readonly seed: number;
  readonly violations: readonly string[];
}

/** Outcomes of many seeds, as data. */
export interface Figures {
  readonly seeds: number;
  readonly virtualSeconds: number;
  readonly broken: readonly BrokenSeed[];
  /** Number of times that each fault struck. */
  readonly struck: Readonly<Record<Fault, number>>;
  /** Number of flows that finished, and that failed by reason. */
  readonly flows: Readonly<Record<string, number>>;
}

/** Collects the outcomes of many seeds. */
export class Tally {
  #seeds = 0;
  #virtualMs = 0;
  readonly #broken: BrokenSeed[] = [];
  readonly #struck = new Map<Fault, number>();
  readonly #ends = new Map<string, number>();

  get isClean(): boolean {
    return this.broken === 0;
  }

  /** Seeds that broke an invariant. */
  get broken(): number {
    return this.#broken.length;
  }

  add({ seed, violations, struck, flows, virtualMs }: Outcome): void {
    this.#seeds += 1;
    this.#virtualMs += virtualMs;
    if (violations.length > 0) this.#broken.push({ seed, violations });
    for (const [fault, count] of struck) tallied(this.#struck, fault, count);
    for (const flow of flows) {
      tallied(this.#ends, flow.kind === 'finished' ? 'finished' : reasonOf(flow.reason), 1);
    }
  }

  /** A seed that was run again must have had the same trace. */
  compare({ seed, digest }: Outcome, again: Outcome): void {
    if (digest === again.digest) return;
    this.#broken.push({ seed, violations: ['another trace when it was run again'] });
  }

  figures(): Figures {
    return {
      seeds: this.#seeds,
      virtualSeconds: Math.round(this.#virtualMs / 1000),
      broken: this.#broken,
      struck: Object.fromEntries(
        FAULTS.map((fault) => [fault, this.#struck.get(fault) ?? 0]),
      ) as Record<Fault, number>,
      flows: Object.fromEntries(this.#ends),
    };
  }

  text(): string {
    const lines = (counts: Iterable<readonly [string, number]>): string[] =>
      [...counts].map(([name, count]) => `${String(count).padStart(10)}  ${name}`);
    return [
      ...this.#broken
        .slice(0, SHOWN_MAX)
        .map(
          ({ seed, violations }) =>
            `seed ${seed} (--seed ${seed} --trace):\n  ${violations.join('\n  ')}`,
        ),
      'faults that struck:',
      ...lines(FAULTS.map((fault) => [fault, this.#struck.get(fault) ?? 0] as const)),
      'flows:',
      ...lines(this.#ends),
      `${this.#seeds} seeds, ${Math.round(this.#virtualMs / 1000)} s of virtual time: ` +
        `${this.#broken.length} broken: ${this.#broken
          .map(({ seed }) => seed)
          .slice(0, 50)
          .join(' ')}`,
      '',
    ].join('\n');
  }
}

function tallied<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** A reason without what differs between flows. */
const reasonOf = (reason: string): string =>
  reason
    .replace(/\d+(\.\d+)*/g, 'N')
    .replace(/'[^']*'|\/simulated\S*/g, '…')
    .slice(0, 100);
