import type { TraceLine } from './outputs';

/** Rows that the columns of a new trace have room for. */
const FIRST_ROWS = 64;
/** Mean number of hops of these rows. */
const FIRST_HOPS = 4;

/**
 * Control updates of one flow, in the order in which they were written. Held in columns: a run of minutes has
 * millions of them, and an object for each with one for each of its hops takes ten times as much memory.
 */
export class Trace {
  #length = 0;
  #times = new Float64Array(FIRST_ROWS);
  #windows = new Float64Array(FIRST_ROWS);
  #rates = new Float64Array(FIRST_ROWS);
  /** NaN stands for null. */
  #inflight = new Float64Array(FIRST_ROWS);
  /** Index of the first hop after those of each row. */
  #hopEnds = new Uint32Array(FIRST_ROWS);
  #hopNodes = new Float64Array(FIRST_ROWS * FIRST_HOPS);
  #hopQueues = new Float64Array(FIRST_ROWS * FIRST_HOPS);

  /** Adds an update that came at an instant, in seconds on the axis of the run. */
  append(line: Omit<TraceLine, 't' | 'flow' | 'source'>, seconds: number): void {
    const row = this.#length;
    const from = this.hopEnd(row - 1);
    if (row === this.#times.length) this.#growRows();
    while (from + line.hops.length > this.#hopNodes.length) this.#growHops();
    this.#times[row] = seconds;
    this.#windows[row] = line.windowBytes;
    this.#rates[row] = line.rateBps;
    this.#inflight[row] = line.normalizedInflight ?? NaN;
    line.hops.forEach(([nodeId, queueBytes], i) => {
      this.#hopNodes[from + i] = nodeId;
      this.#hopQueues[from + i] = queueBytes;
    });
    this.#hopEnds[row] = from + line.hops.length;
    this.#length++;
  }

  /** Number of updates. */
  get length(): number {
    return this.#length;
  }

  /** Number of hops of all updates. */
  get hopCount(): number {
    return this.hopEnd(this.#length - 1);
  }

  /** Instant of an update; seconds. */
  seconds(row: number): number {
    return this.#times[row] ?? NaN;
  }

  /** Window after an update. */
  windowBytes(row: number): number {
    return this.#windows[row] ?? NaN;
  }

  /** Pacing rate after an update; bits per second. */
  rateBps(row: number): number {
    return this.#rates[row] ?? NaN;
  }

  /** U of an update; null in lines of senders that tell the window of a receiver. */
  normalizedInflight(row: number): number | null {
    const value = this.#inflight[row] ?? NaN;
    return Number.isNaN(value) ? null : value;
  }

  /** Index of an update's first hop among those of all updates. */
  hopStart(row: number): number {
    return this.hopEnd(row - 1);
  }

  /** Index after an update's last hop. */
  hopEnd(row: number): number {
    return row < 0 ? 0 : (this.#hopEnds[row] ?? 0);
  }

  /** Id of the switch of a hop, as its record has it. */
  hopNode(hop: number): number {
    return this.#hopNodes[hop] ?? 0;
  }

  /** Length of the queue that a hop's record has. */
  hopQueueBytes(hop: number): number {
    return this.#hopQueues[hop] ?? 0;
  }

  #growRows(): void {
    this.#times = doubled(this.#times, Float64Array);
    this.#windows = doubled(this.#windows, Float64Array);
    this.#rates = doubled(this.#rates, Float64Array);
    this.#inflight = doubled(this.#inflight, Float64Array);
    this.#hopEnds = doubled(this.#hopEnds, Uint32Array);
  }

  #growHops(): void {
    this.#hopNodes = doubled(this.#hopNodes, Float64Array);
    this.#hopQueues = doubled(this.#hopQueues, Float64Array);
  }
}

function doubled<T extends Float64Array | Uint32Array>(
  column: T,
  kind: new (length: number) => T,
): T {
  const larger = new kind(2 * column.length);
  larger.set(column);
  return larger;
}
