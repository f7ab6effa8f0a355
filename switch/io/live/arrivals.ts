import { serialisationTime } from '../../../common/units/units';
import type { BitsPerSecond, Instant, PortNumber } from '../../../common/units/units';
import type { DataPort } from './data-port';

/** Frames of one port before the others get their turn: what one system call can send. */
const BATCH = 64;

/** A port with frames, and when the next of them has come. */
interface Arriving {
  port: DataPort;
  rate: BitsPerSecond | undefined;
  at: Instant;
  left: number;
}

/** Gets a frame, which is not its own, and when and where it has come. */
export type ArrivalHandler = (port: PortNumber, at: Instant, frame: Uint8Array) => void;

/**
 * The frames that a turn of the process finds, each with the instant of its arrival. They were put
 * on their links one after the other, while the process slept or another one had its turn; if they
 * were all taken to have come at once, queues would be reported that exist nowhere but in the
 * process. So the last one has come now, and those before it as far apart as the rate of their link
 * allows, but not before the turn before. Without a rate all have come now.
 *
 * PERF: turns are as frequent as packets, and garbage of each turn would delay packets; so records
 * of ports are used again, and nothing is made for a frame.
 */
export class Arrivals {
  readonly #rates: ReadonlyMap<PortNumber, BitsPerSecond>;
  readonly #handle: ArrivalHandler;
  /** Those in use come first. */
  readonly #arriving: Arriving[] = [];
  #used = 0;
  #current: Arriving | undefined;
  readonly #handOver = (frame: Uint8Array): void => {
    const current = this.#current;
    if (current !== undefined) this.#handle(current.port.port, current.at, frame);
  };

  constructor(rates: ReadonlyMap<PortNumber, BitsPerSecond>, handle: ArrivalHandler) {
    this.#rates = rates;
    this.#handle = handle;
  }

  /**
   * Hands over what has arrived at all ports, in order of time.
   * @param since the end of the turn before.
   * @returns how many frames.
   */
  take(ports: readonly DataPort[], since: Instant, now: Instant): number {
    let count = 0;
    this.#used = 0;
    for (const port of ports) {
      const left = port.open(BATCH);
      if (left === 0) continue;
      count += left;
      const rate = port.fd < 0 ? undefined : this.#rates.get(port.port);
      const at = rate === undefined ? now : Math.max(since, now - transfer(port, left, rate));
      this.#add(port, rate, at, left);
    }
    if (count === 0) return 0;
    for (let next = this.#earliest(); next !== undefined; next = this.#earliest()) {
      this.#current = next;
      next.port.take(this.#handOver);
      if (--next.left > 0 && next.rate !== undefined) {
        next.at = Math.min(now, next.at + serialisationTime(next.port.lengthOf(0), next.rate));
      }
    }
    for (let i = 0; i < this.#used; i++) this.#arriving[i]?.port.giveBack();
    return count;
  }

  #add(port: DataPort, rate: BitsPerSecond | undefined, at: Instant, left: number): void {
    const free = this.#arriving[this.#used];
    if (free === undefined) this.#arriving.push({ port, rate, at, left });
    else {
      free.port = port;
      free.rate = rate;
      free.at = at;
      free.left = left;
    }
    this.#used++;
  }

  /** The port with the earliest arrival; among equal instants, the one that was attached first. */
  #earliest(): Arriving | undefined {
    let earliest: Arriving | undefined;
    for (let i = 0; i < this.#used; i++) {
      const each = this.#arriving[i] as Arriving;
      if (each.left > 0 && (earliest === undefined || each.at < earliest.at)) earliest = each;
    }
    return earliest;
  }
}

/** Time from the end of the first one of so many frames to the end of the last. */
function transfer(port: DataPort, count: number, rate: BitsPerSecond): number {
  let duration = 0;
  for (let i = 1; i < count; i++) duration += serialisationTime(port.lengthOf(i), rate);
  return duration;
}
