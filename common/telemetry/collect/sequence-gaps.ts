import type { IdleClock } from './idle-clock';

/** A source of reports: the node, where it names itself, and its hardware id. */
export interface ReportSource {
  readonly nodeId: number | null;
  readonly hardwareId: number;
}

/** Counts of one source. */
export interface SourceCounts extends ReportSource {
  readonly received: number;
  /** Numbers that have not come. */
  readonly lost: number;
  /** Those that came after a later one, and are no longer lost. */
  readonly late: number;
}

interface Entry {
  readonly source: ReportSource;
  next: number;
  received: number;
  lost: number;
  late: number;
  seen: number;
}

/** Sources that are told apart; what further ones send is counted together. */
const SOURCES_MAX = 65_536;

/** Hardware ids have 6 bits. */
const HARDWARE_IDS = 64;

/** Gaps in the sequence numbers of each source. */
export class SequenceGaps {
  readonly #entries = new Map<number, Entry>();
  readonly #clock: IdleClock;
  #others = 0;
  /** Sources that were idle for too long, and what was lost of them. */
  forgotten = 0;
  forgottenLost = 0;

  constructor(clock: IdleClock) {
    this.#clock = clock;
  }

  /** @returns how many are missing right before this one; 0 for the first and for late ones. */
  add(source: ReportSource, sequence: number, modulus: number): number {
    const key = ((source.nodeId ?? -1) + 1) * HARDWARE_IDS + source.hardwareId;
    const known = this.#entries.get(key);
    if (known === undefined) {
      if (this.#entries.size >= SOURCES_MAX) this.#others += 1;
      else
        this.#entries.set(key, {
          source: { nodeId: source.nodeId, hardwareId: source.hardwareId },
          next: (sequence + 1) % modulus,
          received: 1,
          lost: 0,
          late: 0,
          seen: this.#clock.now,
        });
      return 0;
    }
    known.received += 1;
    known.seen = this.#clock.now;
    const ahead = (sequence - known.next + modulus) % modulus;
    if (ahead >= modulus / 2) {
      known.late += 1;
      known.lost = Math.max(0, known.lost - 1);
      return 0;
    }
    known.lost += ahead;
    known.next = (sequence + 1) % modulus;
    return ahead;
  }

  /** Datagrams of sources beyond those that are told apart, whose gaps are not known. */
  get others(): number {
    return this.#others;
  }

  /** Forgets sources that have sent nothing since a time. */
  forget(before: number): void {
    for (const [key, { seen, lost }] of this.#entries) {
      if (seen >= before) continue;
      this.#entries.delete(key);
      this.forgotten += 1;
      this.forgottenLost += lost;
    }
  }

  sources(): SourceCounts[] {
    return [...this.#entries.values()].map(({ source, received, lost, late }) => ({
      ...source,
      received,
      lost,
      late,
    }));
  }
}
