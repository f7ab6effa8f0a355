import { InterfaceSocket } from '../../../common/io/net/interface-socket';
import type { LatenessCounts } from '../../../common/io/net/lateness';
import type { FrameHandler } from '../../../common/io/net/packet-ring';
import type { Packet } from '../../../common/packet/packet';
import { HPCC_TRANSPORT_PORT } from '../../../common/wire/hpcc/hpcc-transport';
import { isMacControl } from '../../../common/wire/ip/mac-control';
import { plainUdpPort } from '../../carrier/peek';
import type { DestinationPort } from '../../carrier/peek';
import type { FramePort, PortCounters } from './frame-port';

/**
 * Whole Ethernet frames of one interface (AF_PACKET): those of the transport, and those by which the other
 * end of the link asks for pauses. Needs root or CAP_NET_RAW to be opened.
 */
export class PacketPort implements FramePort {
  readonly #interface: InterfaceSocket;
  readonly #udpPorts: readonly number[];
  readonly #portOf: DestinationPort;
  #received = 0;
  #ignored = 0;

  /**
   * @param udpPorts whose datagrams are wanted, over plain IPv4 those of the transport's settings too.
   * @param portOf finds UDP behind what a carrier of telemetry puts before it. Default: IPv4 only.
   * @throws InputError when there is no such interface, or the rights to open it are missing.
   */
  constructor(
    interfaceName: string,
    udpPorts: readonly number[] = [HPCC_TRANSPORT_PORT],
    portOf: DestinationPort = plainUdpPort,
  ) {
    this.#portOf = portOf;
    this.#udpPorts = udpPorts;
    this.#interface = new InterfaceSocket(interfaceName);
  }

  get interfaceName(): string {
    return this.#interface.interfaceName;
  }

  get fd(): number {
    return this.#interface.socket.fd;
  }

  /** Everything that arrives, whosever it is. */
  drainAll(limit: number, handle: FrameHandler): number {
    return this.#interface.socket.ring.drain(limit, handle);
  }

  drain(limit: number, handle: FrameHandler): number {
    let ours = 0;
    const count = this.#interface.socket.ring.drain(limit, (frame) => {
      if (!this.#isOurs(frame) && !isMacControl(frame)) return;
      ours++;
      handle(frame);
    });
    this.#received += ours;
    this.#ignored += count - ours;
    return count;
  }

  #isOurs(frame: Uint8Array): boolean {
    if (this.#udpPorts.includes(this.#portOf(frame))) return true;
    // By whatever carrier the host's own frames go, a peer says by plain UDP how it is set.
    return plainUdpPort(frame) === HPCC_TRANSPORT_PORT;
  }

  send({ bytes, length, tail }: Packet): void {
    this.#interface.socket.sending.add(
      tail === undefined ? bytes : joined(bytes, length, tail),
      length,
    );
  }

  flush(): void {
    this.#interface.flush();
  }

  forgetError(): void {
    this.#interface.socket.forgetError();
  }

  counters(): PortCounters & { readonly late: LatenessCounts } {
    const counters = this.#interface.counters();
    return { ...counters, received: this.#received, ignored: this.#ignored };
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
    this.flush();
    this.#interface.close();
  }
}

/** A frame in one piece, with the zeros between its stored parts. */
function joined(bytes: Uint8Array, length: number, tail: Uint8Array): Uint8Array {
  const whole = new Uint8Array(length);
  whole.set(bytes);
  whole.set(tail, length - tail.length);
  return whole;
}
