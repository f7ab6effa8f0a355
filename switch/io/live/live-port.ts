import { InterfaceSocket } from '../../../common/io/net/interface-socket';
import type { LatenessCounts } from '../../../common/io/net/lateness';
import { InterfaceCapture } from './pcap-file';
import type { DataPort, LivePortCounters } from './data-port';
import type { Bytes, PortNumber } from '../../../common/units/units';
import type { FrameHandler } from '../../../common/io/net/packet-ring';

/** A network interface as a port of the switch. */
export class LivePort implements DataPort {
  readonly #interface: InterfaceSocket;
  readonly #capture: InterfaceCapture | undefined;
  #received = 0;

  /** @throws InputError when the interface cannot be opened, or an error of the system for a capture. */
  constructor(
    readonly port: PortNumber,
    readonly interfaceName: string,
    captureFolder: string | undefined,
  ) {
    this.#capture =
      captureFolder === undefined ? undefined : new InterfaceCapture(captureFolder, interfaceName);
    try {
      this.#interface = new InterfaceSocket(interfaceName);
    } catch (error) {
      this.#capture?.close();
      throw error;
    }
  }

  get hasDeferredWork(): boolean {
    return this.#capture !== undefined;
  }

  get fd(): number {
    return this.#interface.socket.fd;
  }

  open(limit: number): number {
    const count = this.#interface.socket.ring.open(limit);
    this.#received += count;
    return count;
  }

  lengthOf(index: number): Bytes {
    return this.#interface.socket.ring.lengthOf(index);
  }

  take(handle: FrameHandler): void {
    const capture = this.#capture;
    if (capture === undefined) {
      this.#interface.socket.ring.take(handle);
      return;
    }
    this.#interface.socket.ring.take((frame) => {
      capture.received.write(frame);
      handle(frame);
    });
  }

  giveBack(): void {
    this.#interface.socket.ring.giveBack();
  }

  /** Keeps a copy of a frame for the next {@link flush}. */
  send(frame: Uint8Array): void {
    this.#capture?.sent.write(frame);
    this.#interface.socket.sending.add(frame);
  }

  flush(): void {
    this.#interface.flush();
  }

  /** Called when there is time for deferred work. */
  doDeferredWork(): void {
    this.#capture?.flush();
    this.#interface.socket.forgetError();
  }

  counters(): LivePortCounters & { readonly late: LatenessCounts } {
    return {
      ...this.#interface.counters(),
      received: this.#received,
      uncaptured: this.#capture?.lost ?? 0,
    };
  }

  /**
   * Goes on with the interface of this name, where it has been deleted and made again.
   * @param index of the interface of this name now.
   * @returns whether it was another. @throws InputError when it cannot be opened.
   */
  follow(index: number): boolean {
    return this.#interface.follow(index);
  }

  close(): void {
    this.#capture?.close();
    this.#interface.close();
  }
}
