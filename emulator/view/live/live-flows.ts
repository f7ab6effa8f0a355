import type { FlowRecord, FlowSeries } from '../../result/result';

/** State of a flow at one instant, as its sender reports it. */
export interface FlowLook {
  readonly rateBps: number;
  readonly windowBytes: number;
  /** U. */
  readonly normalizedInflight: number;
  /** Payload that has been acknowledged; 0 where it is not reported. */
  readonly deliveredBytes: number;
}

/** Source and destination of a flow. */
export type FlowName = Pick<FlowRecord, 'source' | 'destination'>;

/** Flows that are kept one by one. */
const FLOWS_MAX = 500;
const COUNTED_MAX = 10_000;
/** Silence after which a flow may be removed for a new one. */
const SILENT_US = 5e6;
/** Samples of one flow; when they are full, every other one goes. */
const SAMPLES_MAX = 2048;
const INTERVAL_US = 20_000;
const BPS_PER_GBPS = 1e9;

/** Flows of a network that is watched, each in bounded memory however long it lasts. */
export class LiveFlows {
  readonly #flows = new Map<string, Kept>();
  readonly #without = new Set<string>();
  #count = 0;
  /** Time before which no flow is removed. */
  #fullUntil = -Infinity;

  /** Flows that found no room; not counted beyond some thousand. */
  get omitted(): number {
    return this.#without.size;
  }

  /** @param key identifies the flow. */
  note(key: string, name: FlowName, us: number, look: FlowLook): void {
    let flow = this.#flows.get(key);
    if (flow === undefined) {
      if (this.#flows.size >= FLOWS_MAX && !this.#makeRoom(us)) {
        this.#omit(key);
        return;
      }
      this.#without.delete(key);
      this.#flows.set(key, (flow = new Kept(++this.#count, name, us)));
    }
    flow.note(us, look);
  }

  #omit(key: string): void {
    if (this.#without.size < COUNTED_MAX) this.#without.add(key);
  }

  /** Removes the flow that has been silent for longest; false if none may go yet. */
  #makeRoom(us: number): boolean {
    if (us < this.#fullUntil) return false;
    let [oldest, since] = ['', Infinity];
    for (const [key, { notedUs }] of this.#flows) {
      if (notedUs < since) [oldest, since] = [key, notedUs];
    }
    this.#fullUntil = since + SILENT_US;
    if (us < this.#fullUntil) return false;
    this.#flows.delete(oldest);
    this.#omit(oldest);
    return true;
  }

  records(): FlowRecord[] {
    return [...this.#flows.values()].map((flow) => flow.record());
  }

  series(): FlowSeries[] {
    return [...this.#flows.values()].map(({ series }) => series);
  }
}

class Kept {
  readonly #name: FlowName;
  readonly #startUs: number;
  readonly series: FlowSeries;
  #interval = INTERVAL_US;
  #next = -Infinity;
  #deliveredBytes = 0;
  #notedUs: number;

  constructor(flow: number, name: FlowName, startUs: number) {
    this.#name = name;
    this.#startUs = startUs;
    this.#notedUs = startUs;
    this.series = {
      flow,
      timeUs: [],
      rateGbps: [],
      windowBytes: [],
      normalizedInflight: [],
      deliveredBytes: [],
    };
  }

  /** Time of the last report. */
  get notedUs(): number {
    return this.#notedUs;
  }

  note(us: number, look: FlowLook): void {
    this.#notedUs = us;
    this.#deliveredBytes = Math.max(this.#deliveredBytes, look.deliveredBytes);
    if (us < this.#next) return;
    this.#next = us + this.#interval;
    const { timeUs, rateGbps, windowBytes, normalizedInflight, deliveredBytes } = this.series;
    timeUs.push(us);
    rateGbps.push(look.rateBps / BPS_PER_GBPS);
    windowBytes.push(look.windowBytes);
    normalizedInflight.push(look.normalizedInflight);
    deliveredBytes.push(look.deliveredBytes);
    if (timeUs.length >= SAMPLES_MAX) this.#halve();
  }

  /** Only the sender's report says that a flow has ended. */
  record(): FlowRecord {
    const bytes = this.#deliveredBytes;
    return {
      id: this.series.flow,
      ...this.#name,
      bytes,
      startUs: this.#startUs,
      fctUs: null,
      idealFctUs: 0,
      slowdown: null,
      deliveredBytes: bytes,
      retransmittedSegments: 0,
    };
  }

  #halve(): void {
    const { flow: _flow, ...columns } = this.series;
    for (const column of Object.values(columns)) {
      let kept = 0;
      for (let i = 0; i < column.length; i += 2) column[kept++] = column[i] as number;
      column.length = kept;
    }
    this.#interval *= 2;
  }
}
