import type { IdleClock } from './idle-clock';

/** Figures of a hop that sums are made of; -1 for what is not known. */
export interface HopFigures {
  nodeId: number;
  ingress: number;
  egress: number;
  latencyNs: number;
  queueBytes: number;
}

/** Sums of values that hops have told. */
export class Sums {
  count = 0;
  sum = 0;
  max = 0;

  add(value: number): void {
    if (value < 0) return;
    this.count += 1;
    this.sum += value;
    if (value > this.max) this.max = value;
  }
}

/** Sums of the port of a node, and of the link behind it. */
export interface LinkTotals {
  readonly nodeId: number;
  /** -1 where nodes do not name it. */
  readonly egress: number;
  hops: number;
  readonly latencyNs: Sums;
  readonly queueBytes: Sums;
  /** When a hop was told of last. */
  seen: number;
}

/** Links that are told apart. */
export const LINK_MAX = 65_536;
const PORTS = 65_537;

/** Sums by link. */
export class ReportLinks {
  readonly #links = new Map<number | string, LinkTotals>();
  readonly #clock: IdleClock;
  /** Hops of links beyond {@link LINK_MAX}. */
  others = 0;
  /** Links that were idle for too long. */
  forgotten = 0;

  constructor(clock: IdleClock) {
    this.#clock = clock;
  }

  add({ nodeId, egress, latencyNs, queueBytes }: HopFigures): void {
    const link = this.#of(nodeId, egress);
    if (link === undefined) {
      this.others += 1;
      return;
    }
    link.hops += 1;
    link.seen = this.#clock.now;
    link.latencyNs.add(latencyNs);
    link.queueBytes.add(queueBytes);
  }

  all(): readonly LinkTotals[] {
    return [...this.#links.values()];
  }

  /** Forgets links of which nothing has been told since a time. */
  forget(before: number): void {
    for (const [key, { seen }] of this.#links) {
      if (seen >= before) continue;
      this.#links.delete(key);
      this.forgotten += 1;
    }
  }

  #of(nodeId: number, egress: number): LinkTotals | undefined {
    // Interfaces of level 2 have 32 bits, and a number holds no more than 53.
    const isWide = egress >= PORTS - 1;
    const key = isWide ? `${nodeId}:${egress}` : nodeId * PORTS + egress + 1;
    const known = this.#links.get(key);
    if (known !== undefined || this.#links.size >= LINK_MAX) return known;
    const sums = { latencyNs: new Sums(), queueBytes: new Sums() };
    const link = { nodeId, egress, hops: 0, ...sums, seen: 0 };
    this.#links.set(key, link);
    return link;
  }
}
