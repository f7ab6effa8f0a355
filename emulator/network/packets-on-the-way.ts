import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant } from '../../common/units/units';

/** A power of two. */
const INITIAL_CAPACITY = 8;

/**
 * Packets that travel on one channel, in the order in which they arrive; of equal times, in the order in
 * which they were sent.
 * PERF: a ring that doubles when it is full, so a packet costs no allocation; nearly all join at the end.
 */
export class PacketsOnTheWay {
  #packets: (Packet | undefined)[] = new Array<Packet | undefined>(INITIAL_CAPACITY).fill(
    undefined,
  );
  #arrivals = new Float64Array(INITIAL_CAPACITY);
  #head = 0;
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** When the first packet arrives, if there is one. */
  get firstArrival(): Instant {
    return this.#arrivals[this.#head] as number;
  }

  /** Bytes of all packets. */
  get bytes(): Bytes {
    let sum = 0;
    for (let i = 0; i < this.#count; i++) sum += this.#packets[this.#place(i)]?.length ?? 0;
    return sum;
  }

  /**
   * Adds a packet that arrives at the instant in a cell. Returns true if it is the first to arrive. PERF: an
   * instant that is an argument of a call becomes an object.
   */
  add(packet: Packet, arrival: Float64Array): boolean {
    const at = arrival[0] as number;
    if (this.#count === this.#packets.length) this.#grow();
    let i = this.#count++;
    // Only what was delayed is overtaken.
    while (i > 0 && (this.#arrivals[this.#place(i - 1)] as number) > at) {
      this.#put(i, this.#packets[this.#place(i - 1)], this.#arrivals[this.#place(i - 1)] as number);
      i--;
    }
    this.#put(i, packet, at);
    return i === 0;
  }

  /** Takes the first packet of a ring that is not empty. */
  take(): Packet {
    const packet = this.#packets[this.#head] as Packet;
    this.#packets[this.#head] = undefined;
    this.#head = this.#place(1);
    this.#count--;
    return packet;
  }

  #put(i: number, packet: Packet | undefined, at: Instant): void {
    const place = this.#place(i);
    this.#packets[place] = packet;
    this.#arrivals[place] = at;
  }

  #place(i: number): number {
    return (this.#head + i) & (this.#packets.length - 1);
  }

  #grow(): void {
    const size = this.#packets.length;
    const packets = Array.from({ length: size }, (_, i) => this.#packets[this.#place(i)]);
    const arrivals = Float64Array.from({ length: 2 * size }, (_, i) =>
      i < size ? (this.#arrivals[this.#place(i)] as number) : 0,
    );
    this.#packets = [...packets, ...new Array<undefined>(size).fill(undefined)];
    this.#arrivals = arrivals;
    this.#head = 0;
  }
}
