import { InputError } from '../../../common/errors';
import { LinkEvents } from '../../../common/io/loop/link-events';
import { LinkTable } from '../../../common/io/net/link-table';
import type { NetworkPlace } from '../../../common/io/net/network-place';
import type { PacketPort } from '../net/packet-port';

export interface WatchedInterface {
  readonly port: PacketPort;
  /** Network namespace of the interface. */
  readonly network: NetworkPlace;
  /** The port goes on with another interface of its name, and had this descriptor before. */
  readonly onRenewed: (before: number) => void;
  /** It cannot, for this reason, which is told once. */
  readonly onRefused: (reason: InputError) => void;
}

/**
 * Keeps a host at the interface of a name: one that is deleted and made again, as containers and
 * experiments do it, has another index, and the socket of the old one hears nothing more.
 */
export class InterfaceWatch {
  readonly #o: WatchedInterface;
  readonly #links: LinkTable;
  readonly #events: LinkEvents;
  /** The interface that could not be opened. */
  #refused = 0;

  /** @throws InputError when the kernel cannot be asked. */
  constructor(options: WatchedInterface) {
    this.#o = options;
    this.#links = options.network.run(() => new LinkTable());
    try {
      this.#events = options.network.run(() => new LinkEvents(() => this.#look()));
    } catch (error) {
      this.#links.close();
      throw error;
    }
  }

  close(): void {
    this.#events.close();
    this.#links.close();
  }

  #look(): void {
    const { port, network, onRenewed } = this.#o;
    const index = this.#index();
    if (index === undefined) return;
    const { fd } = port;
    try {
      if (network.run(() => port.follow(index))) onRenewed(fd);
    } catch (error) {
      this.#refuse(index, error);
    }
  }

  /** Undefined while there is no such interface, and where the kernel cannot answer for now. */
  #index(): number | undefined {
    try {
      return this.#links.find(this.#o.port.interfaceName)?.index;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#events.lookAgain();
      return undefined;
    }
  }

  /** The next look tries again: descriptors may be free by then, rights will not. */
  #refuse(index: number, error: unknown): void {
    if (!(error instanceof InputError)) throw error;
    if (this.#refused !== index) this.#o.onRefused(error);
    this.#refused = index;
    this.#events.lookAgain();
  }
}
