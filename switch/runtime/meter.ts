import { PS_PER_US } from '../../common/units/units';
import type { Bytes, Instant } from '../../common/units/units';
import type { MeterControl, MeterSettings } from '../control/program-control';

/** Colours as v1model numbers them. */
export const GREEN = 0;
const YELLOW = 1;
const RED = 2;
type Colour = typeof GREEN | typeof YELLOW | typeof RED;

/** One token bucket. */
class Bucket {
  readonly #tokensPerMicrosecond: number;
  readonly #burst: number;
  #tokens: number;
  /** Tokens that have flowed in since the clock's origin. */
  #total = 0;

  constructor(ratePerSecond: number, burst: number) {
    this.#tokensPerMicrosecond = ratePerSecond / 1e6;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Takes the cost out if the bucket holds as much. */
  take(microseconds: number, cost: number): boolean {
    // Counting from the clock's origin, and not from the last packet, keeps roundings from adding up.
    const total = Math.floor(microseconds * this.#tokensPerMicrosecond);
    this.#tokens = Math.min(this.#tokens + total - this.#total, this.#burst);
    this.#total = total;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }
}

/**
 * A two-rate three-colour meter as on bmv2: a packet that exceeds the peak rate is red, else one
 * that exceeds the committed rate is yellow. Yellow packets cost peak tokens only.
 */
export class Meter {
  #settings: MeterSettings | undefined;
  #peak: Bucket | undefined;
  #committed: Bucket | undefined;

  get settings(): MeterSettings | undefined {
    return this.#settings;
  }

  /** Fills both buckets. Without settings every packet is green. */
  configure(settings: MeterSettings | undefined): void {
    this.#settings = settings;
    this.#peak = settings && new Bucket(settings.peakRate, settings.peakBurst);
    this.#committed = settings && new Bucket(settings.committedRate, settings.committedBurst);
  }

  /** The colour of a packet that costs so many tokens. */
  execute(now: Instant, cost: number): Colour {
    if (this.#peak === undefined || this.#committed === undefined) return GREEN;
    const microseconds = Math.floor(now / PS_PER_US);
    if (!this.#peak.take(microseconds, cost)) return RED;
    return this.#committed.take(microseconds, cost) ? GREEN : YELLOW;
  }
}

/** Tokens that a packet costs. */
export function meterCost(unit: 'packets' | 'bytes', length: Bytes): number {
  return unit === 'packets' ? 1 : length;
}

/** A P4 meter array. Its cells are made when they are first configured. */
export class MeterArray implements MeterControl {
  readonly #cells: (Meter | undefined)[] = [];

  constructor(
    readonly name: string,
    readonly size: number,
    readonly unit: 'packets' | 'bytes',
  ) {}

  settings(index: number): MeterSettings | undefined {
    return this.#cells[index]?.settings;
  }

  configure(index: number, settings: MeterSettings | undefined): void {
    if (!this.#has(index)) return;
    const cell = (this.#cells[index] ??= new Meter());
    cell.configure(settings);
  }

  /** The colour of a packet; undefined outside the array. */
  execute(index: bigint | number, now: Instant, length: Bytes): Colour | undefined {
    const cell = Number(index);
    if (!this.#has(cell)) return undefined;
    return this.#cells[cell]?.execute(now, meterCost(this.unit, length)) ?? GREEN;
  }

  #has(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.size;
  }
}
