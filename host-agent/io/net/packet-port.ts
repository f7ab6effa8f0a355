import { addLateness } from '../../../common/io/net/lateness';
import type { LatenessCounts } from '../../../common/io/net/lateness';
import type { FrameHandler } from '../../../common/io/net/packet-ring';
import { PacketSocket } from '../../../common/io/net/packet-socket';
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
  #socket: PacketSocket;
  readonly #udpPort: number;
  readonly #otherPort: number;
  readonly #portOf: DestinationPort;
  #received = 0;
  #ignored = 0;
  #overflowed = 0;
  /** Of interfaces that are there no more. */
  #before = { sent: 0, oversized: 0, sendFailed: 0, late: addLateness([]) };

  /**
   * @param udpPort of the hosts' transport.
   * @param otherPort whose datagrams are wanted too.
   * @param portOf finds UDP behind what a carrier of telemetry puts before it. Default: IPv4 only.
   * @throws InputError when there is no such interface, or the rights to open it are missing.
   */
  constructor(
    readonly interfaceName: string,
    udpPort: number = HPCC_TRANSPORT_PORT,
    otherPort = udpPort,
    portOf: DestinationPort = plainUdpPort,
  ) {
    this.#portOf = portOf;
    this.#udpPort = udpPort;
    this.#otherPort = otherPort;
    this.#socket = PacketSocket.open(interfaceName);
  }

  get fd(): number {
    return this.#socket.fd;
  }

  /** Everything that arrives, whosever it is. */
  drainAll(limit: number, handle: FrameHandler): number {
    return this.#socket.ring.drain(limit, handle);
  }

  drain(limit: number, handle: FrameHandler): number {
    let ours = 0;
    const count = this.#socket.ring.drain(limit, (frame) => {
      const port = this.#portOf(frame);
      const isOurs = port === this.#udpPort || port === this.#otherPort;
      if (!isOurs && !isMacControl(frame)) return;
      ours++;
      handle(frame);
    });
    this.#received += ours;
    this.#ignored += count - ours;
    return count;
  }

  send({ bytes, length, tail }: Packet): void {
    this.#socket.sending.add(tail === undefined ? bytes : joined(bytes, length, tail), length);
  }

  flush(): void {
    if (!this.#socket.sending.isEmpty) this.#socket.sending.flush();
  }

  counters(): PortCounters & { readonly late: LatenessCounts } {
    this.#overflowed += this.#socket.statistics().overflowed;
    return {
      received: this.#received,
      ignored: this.#ignored,
      sent: this.#before.sent + this.#socket.sending.sent,
      overflowed: this.#overflowed,
      oversized: this.#before.oversized + this.#socket.ring.oversized,
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
    this.flush();
    this.#socket.close();
  }
}

/** A frame in one piece, with the zeros between its stored parts. */
function joined(bytes: Uint8Array, length: number, tail: Uint8Array): Uint8Array {
  const whole = new Uint8Array(length);
  whole.set(bytes);
  whole.set(tail, length - tail.length);
  return whole;
}
