import { libc } from '../../../common/io/net/libc';
import { InterfaceSocket } from '../../../common/io/net/interface-socket';
import type { LatenessCounts } from '../../../common/io/net/lateness';
import { InterfaceCapture } from './pcap-file';
import type { DataPort, LivePortCounters } from './data-port';
import type { Bytes, PortNumber } from '../../../common/units/units';
import type { FrameHandler } from '../../../common/io/net/packet-ring';

const SO_ERROR = { level: 1, name: 4 } as const;
/** Buffer for a result of a system call that is not used. */
const ERROR = new Uint8Array(4);
const ERROR_LENGTH = new Uint8Array(new Uint32Array([ERROR.length]).buffer);

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
    this.#forgetError();
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

  /**
   * Reads the error that a link going down leaves at the socket: until then the process could not
   * sleep until frames arrive, and the first frame sent after it would be refused.
   */
  #forgetError(): void {
    libc().getsockopt(this.fd, SO_ERROR, ERROR, ERROR_LENGTH);
  }
}
