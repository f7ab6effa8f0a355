import type { Instant } from '../../common/units/units';

/** A packet that an interface or a port has sent. */
export interface Transmission {
  readonly start: Instant;
  readonly end: Instant;
  /** Number of its flow; null: none. */
  readonly flow: number | null;
}

/** A part of an interval: a packet of a flow was sent, or nothing was. */
export interface Occupied {
  readonly from: Instant;
  readonly to: Instant;
  /** Undefined: nothing was sent. */
  readonly flow: number | null | undefined;
}

/** Packets that one interface or port has sent of late, by which the wait of another is explained. */
export class Transmissions {
  #list: Transmission[] = [];

  add(transmission: Transmission): void {
    this.#list.push(transmission);
  }

  /** Nobody will ask for what was before; a packet that is being sent then is kept. */
  forgetBefore(at: Instant): void {
    const first = this.#list.findIndex(({ end }) => end > at);
    if (first > 0) this.#list = this.#list.slice(first);
    else if (first < 0) this.#list = [];
  }

  get lastEnd(): Instant | undefined {
    return this.#list.at(-1)?.end;
  }

  /** Parts of the time between two instants, which meet, by what was sent. */
  between(from: Instant, to: Instant): Occupied[] {
    const found: Occupied[] = [];
    let at = from;
    const reach = (next: Instant, flow: number | null | undefined): void => {
      if (next > at) found.push({ from: at, to: next, flow });
      at = Math.max(at, next);
    };
    for (const { start, end, flow } of this.#list) {
      if (end <= at) continue;
      if (start >= to) break;
      reach(Math.min(start, to), undefined);
      reach(Math.min(end, to), flow);
    }
    reach(to, undefined);
    return found;
  }
}
