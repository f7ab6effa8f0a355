/** More packets than this do not wait in one switch for one flow: the oldest have been dropped. */
const WAITING_MAX = 8192;

interface Waiting<T> {
  readonly packet: number;
  outcome: T | undefined;
}

/**
 * Brings what packets showed when they left into the order in which they came. A switch decides on a
 * packet when it comes; those of one flow that wait at two ports leave in turns, as if the flow went
 * back and forth.
 */
export class DecisionOrder<T> {
  readonly #waiting: Waiting<T>[] = [];
  readonly #byPacket = new Map<number, Waiting<T>>();
  #first = 0;

  onArrival(packet: number): void {
    const entry = { packet, outcome: undefined };
    this.#waiting.push(entry);
    this.#byPacket.set(packet, entry);
    if (this.#byPacket.size > WAITING_MAX) this.#forgetFirst();
  }

  /** Returns the outcomes whose turn has come. */
  onDeparture(packet: number, outcome: T): T[] {
    const entry = this.#byPacket.get(packet);
    if (entry === undefined) return [];
    entry.outcome = outcome;
    const due: T[] = [];
    for (let head = this.#head(); head?.outcome !== undefined; head = this.#head()) {
      due.push(head.outcome);
      this.#forgetFirst();
    }
    return due;
  }

  #head(): Waiting<T> | undefined {
    return this.#waiting[this.#first];
  }

  #forgetFirst(): void {
    const head = this.#head();
    if (head === undefined) return;
    this.#byPacket.delete(head.packet);
    this.#first++;
    if (this.#first < 1024) return;
    this.#waiting.splice(0, this.#first);
    this.#first = 0;
  }
}
