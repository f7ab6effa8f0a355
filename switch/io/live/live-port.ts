import { libc } from '../../../common/io/net/libc';
import { addLateness } from '../../../common/io/net/lateness';
import type { LatenessCounts } from '../../../common/io/net/lateness';
import { PacketSocket } from '../../../common/io/net/packet-socket';
import { InterfaceCapture } from './pcap-file';
import type { DataPort, LivePortCounters } from './data-port';
import type { PortNumber } from '../../../common/units/units';
import type { FrameHandler } from '../../../common/io/net/packet-ring';

const SO_ERROR = { level: 1, name: 4 } as const;

/** A network interface as a port of the switch. */
export class LivePort implements DataPort {
  #socket: PacketSocket;
  readonly #capture: InterfaceCapture | undefined;
  #received = 0;
  #overflowed = 0;
  /** Of interfaces that are there no more. */
  #before = { sent: 0, oversized: 0, sendFailed: 0, late: addLateness([]) };

  /** @throws InputError when the interface cannot be opened, or an error of the system for a capture. */
  constructor(
    readonly port: PortNumber,
    readonly interfaceName: string,
    captureFolder: string | undefined,
  ) {
    this.#capture =
      captureFolder === undefined ? undefined : new InterfaceCapture(captureFolder, interfaceName);
    try {
      this.#socket = PacketSocket.open(interfaceName);
    } catch (error) {
      this.#capture?.close();
      throw error;
    }
  }

  get hasSlowThings(): boolean {
    return this.#capture !== undefined;
  }

  get fd(): number {
    return this.#socket.fd;
  }

  /** Hands over up to `limit` frames that have arrived; returns how many. */
  drain(limit: number, handle: FrameHandler): number {
    const capture = this.#capture;
    const count = this.#socket.ring.drain(
      limit,
      capture === undefined
        ? handle
        : (frame) => {
            capture.received.write(frame);
            handle(frame);
          },
    );
    this.#received += count;
    return count;
  }

  /** Keeps a copy of a frame for the next {@link flush}. */
  send(frame: Uint8Array): void {
    this.#capture?.sent.write(frame);
    this.#socket.sending.add(frame);
  }

  flush(): void {
    if (!this.#socket.sending.isEmpty) this.#socket.sending.flush();
  }

  /** To be called when there is time for slow things. */
  doSlowThings(): void {
    this.#capture?.flush();
    this.#forgetError();
  }

  counters(): LivePortCounters & { readonly late: LatenessCounts } {
    this.#overflowed += this.#socket.statistics().overflowed;
    return {
      received: this.#received,
      sent: this.#before.sent + this.#socket.sending.sent,
      overflowed: this.#overflowed,
      oversized: this.#before.oversized + this.#socket.ring.oversized,
      uncaptured: this.#capture?.lost ?? 0,
      sendFailed: this.#before.sendFailed + this.#socket.sending.failed,
      late: addLateness([this.#before.late, this.#socket.ring.lateness.counts()]),
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
    const { sent, oversized, sendFailed, late } = this.counters();
    this.#before = { sent, oversized, sendFailed, late };
    this.#socket.close();
    this.#socket = fresh;
    return true;
  }

  close(): void {
    this.#capture?.close();
    this.#socket.close();
  }

  /**
   * A link that goes down leaves an error at the socket until somebody reads it: nobody could sleep
   * until frames arrive, and the first frame that is sent after it would be refused.
   */
  #forgetError(): void {
    const [value, length] = [new Uint8Array(4), new Uint8Array(new Uint32Array([4]).buffer)];
    libc().getsockopt(this.fd, SO_ERROR, value, length);
  }
}
