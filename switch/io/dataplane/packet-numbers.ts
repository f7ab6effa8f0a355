/** A packet that has not left by then has been dropped. */
const REMEMBERED = 65_536;

/** The ids of requests, which have 64 bits, as the small numbers that packets carry. */
export class PacketNumbers {
  readonly #ids = new Map<number, string>();
  #last = 0;

  /** The number of a packet with this id; undefined for "0", which stands for none. */
  numberOf(id: string): number | undefined {
    if (id === '0') return undefined;
    this.#last += 1;
    this.#ids.set(this.#last, id);
    this.#ids.delete(this.#last - REMEMBERED);
    return this.#last;
  }

  /** The id that a packet came with, or "0". */
  idOf(number: number | undefined): string {
    return (number === undefined ? undefined : this.#ids.get(number)) ?? '0';
  }
}
