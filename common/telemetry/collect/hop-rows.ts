import type { HopFigures, Sums } from './report-links';

/** A hop of a flow: the node, and its place on the path. */
export interface FlowHop {
  readonly nodeId: number;
  /** -1 where nodes do not name it, as `egress`. */
  readonly ingress: number;
  readonly egress: number;
  /** TTL of the packet at this node, which goes down along the path. */
  readonly timeToLive: number;
  readonly latencyNs: SumsOf;
  readonly queueBytes: SumsOf;
}

type SumsOf = Pick<Sums, 'count' | 'sum' | 'max'>;

/** Hops of all flows together: eight for each of 65,536 flows. */
export const HOPS_MAX = 524_288;

/** Where a flow without hops begins, and each list of hops ends. */
export const NO_ROW = -1;

/**
 * Sums of hops, a row for each, in columns of numbers that are there from the beginning: 42 MB when all rows are in
 * use, and pages that no row has reached take no memory. As objects the same took ten times that.
 */
export class HopRows {
  #size = 0;
  /** Rows that were given back, as a list. */
  #free = NO_ROW;
  readonly #next = new Int32Array(HOPS_MAX);
  readonly #seen = new Float64Array(HOPS_MAX);
  readonly #nodeId = new Uint32Array(HOPS_MAX);
  readonly #ingress = new Float64Array(HOPS_MAX);
  readonly #egress = new Float64Array(HOPS_MAX);
  readonly #timeToLive = new Uint8Array(HOPS_MAX);
  readonly #latencyNs = new SumColumns();
  readonly #queueBytes = new SumColumns();

  /** The row of a node at a TTL in the list that begins at `first`; {@link NO_ROW} without one. */
  find(first: number, nodeId: number, timeToLive: number): number {
    for (let row = first; row >= 0; row = this.#next[row] as number) {
      if (this.#nodeId[row] === nodeId && this.#timeToLive[row] === timeToLive) return row;
    }
    return NO_ROW;
  }

  /** @returns a row before the list that begins at `first`; {@link NO_ROW} where there is no room. */
  open(first: number, { nodeId, ingress, egress }: HopFigures, timeToLive: number): number {
    const row = this.#take();
    if (row === NO_ROW) return NO_ROW;
    this.#next[row] = first;
    this.#nodeId[row] = nodeId;
    this.#ingress[row] = ingress;
    this.#egress[row] = egress;
    this.#timeToLive[row] = timeToLive;
    return row;
  }

  add(row: number, { latencyNs, queueBytes }: HopFigures, now: number): void {
    this.#seen[row] = now;
    this.#latencyNs.add(row, latencyNs);
    this.#queueBytes.add(row, queueBytes);
  }

  /** Gives back the rows of a list that were last added to before a time. @returns where the list begins now. */
  forget(first: number, before: number): { readonly first: number; readonly forgotten: number } {
    let kept = NO_ROW;
    let last = NO_ROW;
    let forgotten = 0;
    for (let row = first; row >= 0;) {
      const next = this.#next[row] as number;
      if ((this.#seen[row] as number) < before) {
        this.#giveBack(row);
        forgotten += 1;
        if (last !== NO_ROW) this.#next[last] = next;
      } else {
        if (kept === NO_ROW) kept = row;
        last = row;
      }
      row = next;
    }
    return { first: kept, forgotten };
  }

  /** Hops of the list that begins at `first`, those that were opened first before others. */
  list(first: number): FlowHop[] {
    const hops: FlowHop[] = [];
    for (let row = first; row >= 0; row = this.#next[row] as number) {
      hops.push({
        nodeId: this.#nodeId[row] as number,
        ingress: this.#ingress[row] as number,
        egress: this.#egress[row] as number,
        timeToLive: this.#timeToLive[row] as number,
        latencyNs: this.#latencyNs.at(row),
        queueBytes: this.#queueBytes.at(row),
      });
    }
    return hops.reverse();
  }

  #take(): number {
    const row = this.#free;
    if (row !== NO_ROW) {
      this.#free = this.#next[row] as number;
      return row;
    }
    return this.#size < HOPS_MAX ? this.#size++ : NO_ROW;
  }

  #giveBack(row: number): void {
    this.#latencyNs.clear(row);
    this.#queueBytes.clear(row);
    this.#next[row] = this.#free;
    this.#free = row;
  }
}

/** Values of each row that have been told; negative ones have not. */
class SumColumns {
  readonly #count = new Float64Array(HOPS_MAX);
  readonly #sum = new Float64Array(HOPS_MAX);
  readonly #max = new Float64Array(HOPS_MAX);

  add(row: number, value: number): void {
    if (value < 0) return;
    this.#count[row] = (this.#count[row] as number) + 1;
    this.#sum[row] = (this.#sum[row] as number) + value;
    if (value > (this.#max[row] as number)) this.#max[row] = value;
  }

  clear(row: number): void {
    this.#count[row] = this.#sum[row] = this.#max[row] = 0;
  }

  at(row: number): SumsOf {
    return {
      count: this.#count[row] as number,
      sum: this.#sum[row] as number,
      max: this.#max[row] as number,
    };
  }
}
