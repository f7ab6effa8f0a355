import type { Instant, PortNumber } from '../../common/units/units';
import { Transmissions } from './transmissions';
import type { Occupied, Transmission } from './transmissions';

/** Packets that the interfaces of a host have sent of late; a packet waits for those of its own interface. */
export class NicTransmissions {
  readonly #ports = new Map<PortNumber, Transmissions>();
  /** The interface at which a packet of the flow has left last; the first one until then. */
  #own = this.#at(1);

  add(port: PortNumber, transmission: Transmission): void {
    this.#at(port).add(transmission);
  }

  /** A packet of the flow leaves at this port. */
  leavesAt(port: PortNumber): void {
    this.#own = this.#at(port);
  }

  forgetBefore(at: Instant): void {
    for (const sent of this.#ports.values()) sent.forgetBefore(at);
  }

  /** Parts of the time between two instants, by what the interface of the flow has sent. */
  between(from: Instant, to: Instant): Occupied[] {
    return this.#own.between(from, to);
  }

  #at(port: PortNumber): Transmissions {
    let sent = this.#ports.get(port);
    if (sent === undefined) this.#ports.set(port, (sent = new Transmissions()));
    return sent;
  }
}
