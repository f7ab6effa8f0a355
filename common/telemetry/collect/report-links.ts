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
}

/** Links that are told apart. */
export const LINK_MAX = 65_536;
const PORTS = 65_537;

/** Sums by link. */
export class ReportLinks {
  readonly #links = new Map<number, LinkTotals>();
  /** Hops of links beyond {@link LINK_MAX}. */
  others = 0;

  add({ nodeId, egress, latencyNs, queueBytes }: HopFigures): void {
    const link = this.#of(nodeId, egress);
    if (link === undefined) {
      this.others += 1;
      return;
    }
    link.hops += 1;
    link.latencyNs.add(latencyNs);
    link.queueBytes.add(queueBytes);
  }

  all(): readonly LinkTotals[] {
    return [...this.#links.values()];
  }

  #of(nodeId: number, egress: number): LinkTotals | undefined {
    const key = nodeId * PORTS + egress + 1;
    const known = this.#links.get(key);
    if (known !== undefined || this.#links.size >= LINK_MAX) return known;
    const link = { nodeId, egress, hops: 0, latencyNs: new Sums(), queueBytes: new Sums() };
    this.#links.set(key, link);
    return link;
  }
}
