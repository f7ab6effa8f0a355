import { addLateness } from './lateness';
import type { LatenessCounts } from './lateness';
import { PacketSocket } from './packet-socket';

/** Frames of an interface so far, also of those of its name that are there no more. */
export interface InterfaceCounters {
  readonly sent: number;
  /** Frames lost because they were not fetched in time. */
  readonly overflowed: number;
  readonly oversized: number;
  readonly sendFailed: number;
  readonly late: LatenessCounts;
}

/**
 * A packet socket that follows the name of an interface: one that is deleted and made again, as
 * containers and experiments do it, has another index, and a socket of the old one receives nothing
 * more.
 */
export class InterfaceSocket {
  #socket: PacketSocket;
  #overflowed = 0;
  /** Sums of the counters of earlier sockets, whose interface was deleted. */
  #before = { sent: 0, oversized: 0, sendFailed: 0, late: addLateness([]) };

  /** @throws InputError when there is no such interface, or the rights to open it are missing. */
  constructor(readonly interfaceName: string) {
    this.#socket = PacketSocket.open(interfaceName);
  }

  /** The socket now; another one after {@link follow}. */
  get socket(): PacketSocket {
    return this.#socket;
  }

  flush(): void {
    if (!this.#socket.sending.isEmpty) this.#socket.sending.flush();
  }

  counters(): InterfaceCounters {
    const { ring, sending } = this.#socket;
    this.#overflowed += this.#socket.statistics().overflowed;
    return {
      sent: this.#before.sent + sending.sent,
      overflowed: this.#overflowed,
      oversized: this.#before.oversized + ring.oversized,
      sendFailed: this.#before.sendFailed + sending.failed,
      late: addLateness([this.#before.late, ring.lateness.counts()]),
    };
  }

  /**
   * Goes on with the interface of this name, where it has been deleted and made again.
   * @param index of the interface of this name now.
   * @returns whether it was another. @throws InputError when it cannot be opened.
   */
  follow(index: number): boolean {
    if (index === this.#socket.index) return false;
    const fresh = PacketSocket.open(this.interfaceName);
    this.#before = this.counters();
    this.#socket.close();
    this.#socket = fresh;
    return true;
  }

  close(): void {
    this.#socket.close();
  }
}
