import { serialisationTime } from '../../../common/units/units';
import type { BitsPerSecond, Instant, PortNumber } from '../../../common/units/units';
import type { DataPort } from './data-port';

/** Frames of one port before the others get their turn: what one system call can send. */
const BATCH = 64;

/** A port with frames, and when the next of them has come. */
interface Arriving {
  readonly port: DataPort;
  readonly rate: BitsPerSecond | undefined;
  at: Instant;
  left: number;
}

/**
 * The frames that a turn of the process finds, each with the instant at which it has come. They were
 * put on their links one after the other, while the process slept or another one had its turn; were they
 * all taken to have come at once, queues would be told that exist nowhere but in the process. So the
 * last one has come now, and those before it as far apart as the rate of their link allows, but not
 * before the turn before. Without a rate all have come now.
 */
export class Arrivals {
  readonly #rates: ReadonlyMap<PortNumber, BitsPerSecond>;
  readonly #arriving: Arriving[] = [];

  constructor(rates: ReadonlyMap<PortNumber, BitsPerSecond>) {
    this.#rates = rates;
  }

  /**
   * Hands over what has arrived at all ports, in order of time.
   * @param since the end of the turn before.
   * @returns how many frames.
   */
  take(
    ports: readonly DataPort[],
    { since, now }: { readonly since: Instant; readonly now: Instant },
    handle: (port: PortNumber, at: Instant, frame: Uint8Array) => void,
  ): number {
    let count = 0;
    for (const port of ports) {
      const left = port.open(BATCH);
      if (left === 0) continue;
      count += left;
      const rate = port.fd < 0 ? undefined : this.#rates.get(port.port);
      const at = rate === undefined ? now : Math.max(since, now - transfer(port, left, rate));
      this.#arriving.push({ port, rate, at, left });
    }
    if (count === 0) return 0;
    for (let next = this.#earliest(); next !== undefined; next = this.#earliest()) {
      const { port, rate, at } = next;
      port.take((frame) => handle(port.port, at, frame));
      if (--next.left > 0 && rate !== undefined) {
        next.at = Math.min(now, at + serialisationTime(port.lengthOf(0), rate));
      }
    }
    for (const { port } of this.#arriving) port.giveBack();
    this.#arriving.length = 0;
    return count;
  }

  /** Of equal instants, the port that was attached first. */
  #earliest(): Arriving | undefined {
    let earliest: Arriving | undefined;
    for (const each of this.#arriving) {
      if (each.left > 0 && (earliest === undefined || each.at < earliest.at)) earliest = each;
    }
    return earliest;
  }
}

/** From the end of the first one of so many frames to the end of the last. */
function transfer(port: DataPort, count: number, rate: BitsPerSecond): number {
  let duration = 0;
  for (let i = 1; i < count; i++) duration += serialisationTime(port.lengthOf(i), rate);
  return duration;
}
