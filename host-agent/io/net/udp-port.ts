import { assert } from '../../../common/assert';
import { checked, libc } from '../../../common/io/net/libc';
import type { FrameHandler } from '../../../common/io/net/packet-ring';
import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { readUint16, readUint32 } from '../../../common/wire/bytes';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../../common/wire/ip/ethernet';
import { emitIpv4, IPV4_LENGTH, PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { HPCC_TRANSPORT_PORT } from '../../../common/wire/hpcc/hpcc-transport';
import { emitUdpHeader, UDP_LENGTH } from '../../../common/wire/ip/udp';
import { BATCH, DatagramBatch } from './datagram-batch';
import type { ReceivedDatagram } from './datagram-batch';
import type { FramePort, PortCounters } from './frame-port';
import { bindTransportPort } from './reserved-port';
import { socketAddress } from './socket-address';

const AF_INET = 2;
const SOCK_DGRAM_NONBLOCKING = 2 | 0o4000 | 0o2000000;
const IPPROTO_IP = 0;
const IP_MTU_DISCOVER = 10;
const IP_RECVTOS = 13;
const IP_PMTUDISC_DO = 2;
const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const SO_RCVBUFFORCE = 33;
const BUFFER_BYTES = 4 * 1024 * 1024;
const MSG_DONTWAIT = 0x40;
const EINTR = 4;

const HEADERS = ETHERNET_LENGTH + IPV4_LENGTH + UDP_LENGTH;
/** Names of peers that are kept; made anew when there are more. */
const DESTINATIONS_MAX = 4096;
const TOS_AT = ETHERNET_LENGTH + 1;
const DESTINATION_AT = ETHERNET_LENGTH + 16;
const UDP_PORT_AT = ETHERNET_LENGTH + IPV4_LENGTH + 2;

/**
 * The transport over a UDP socket of the kernel, which needs no rights. The kernel puts the headers
 * below UDP on what is sent and takes them off what arrives; here they are made up again, so that
 * the host sees the frames it would see on the wire. Telemetry lies behind the UDP header and comes
 * through; its DSCP travels beside each datagram.
 */
export class UdpPort implements FramePort {
  readonly fd: number;
  readonly #address: number;
  readonly #mtu: Bytes;
  readonly #incoming: DatagramBatch;
  readonly #outgoing: DatagramBatch;
  /** The datagram that each slot received last, and the frame that was made of it. */
  readonly #frames: { datagram: ReceivedDatagram; frame: Uint8Array }[] = [];
  readonly #destinations = new Map<number, Uint8Array>();
  #waiting = 0;
  #received = 0;
  #sent = 0;
  #failed = 0;

  /** @throws InputError when another process has the port. */
  constructor(address: number, mtu: Bytes) {
    this.fd = openSocket(address);
    this.#address = address;
    this.#mtu = mtu;
    this.#incoming = new DatagramBatch(mtu, HEADERS);
    this.#outgoing = new DatagramBatch(mtu, 0);
    for (let i = 0; i < BATCH; i++) this.#incoming.prepare(i);
  }

  drain(limit: number, handle: FrameHandler): number {
    const messages = this.#incoming.messages(0);
    const count = libc().recvmmsg(this.fd, messages, Math.min(limit, BATCH), MSG_DONTWAIT);
    if (count <= 0) return 0;
    for (let i = 0; i < count; i++) {
      handle(this.#frame(i));
      this.#incoming.prepare(i);
    }
    this.#received += count;
    return count;
  }

  send({ bytes, length }: Packet): void {
    assert(readUint16(bytes, UDP_PORT_AT) === HPCC_TRANSPORT_PORT, 'hosts send to one port');
    const payload = length - HEADERS;
    if (payload > this.#mtu - IPV4_LENGTH - UDP_LENGTH) {
      this.#failed += 1;
      return;
    }
    const slot = this.#outgoing.slotAt(this.#waiting);
    const memory = this.#outgoing.memory.bytes;
    memory.set(bytes.subarray(HEADERS), slot);
    memory.fill(0, slot + bytes.length - HEADERS, slot + payload);
    const to = this.#destination(readUint32(bytes, DESTINATION_AT));
    this.#outgoing.address(this.#waiting, to, { length: payload, tos: bytes[TOS_AT] ?? 0 });
    this.#waiting += 1;
    if (this.#waiting === BATCH) this.flush();
  }

  /** Sends what waits; a datagram that the kernel refuses is lost, as on a wire. */
  flush(): void {
    for (let next = 0; next < this.#waiting;) {
      const messages = this.#outgoing.messages(next);
      const taken = libc().sendmmsg(this.fd, messages, this.#waiting - next, MSG_DONTWAIT);
      if (taken > 0) this.#sent += taken;
      else if (libc().errno() === EINTR) continue;
      else this.#failed += 1;
      next += Math.max(1, taken);
    }
    this.#waiting = 0;
  }

  /** Counters of the port; the kernel does not report what overflows the socket's buffer. */
  counters(): PortCounters {
    return {
      received: this.#received,
      sent: this.#sent,
      sendFailed: this.#failed,
      ignored: 0,
      overflowed: 0,
      oversized: 0,
    };
  }

  close(): void {
    this.flush();
    libc().close(this.fd);
    this.#incoming.memory.release();
    this.#outgoing.memory.release();
  }

  /**
   * Puts headers before a datagram. Its checksum has been checked by the kernel.
   * PERF: most datagrams of a slot have the headers of the one before, which are still there.
   */
  #frame(index: number): Uint8Array {
    const datagram = this.#incoming.received(index);
    const last = this.#frames[index];
    if (last !== undefined && hasSameHeaders(last.datagram, datagram)) return last.frame;
    const slot = this.#incoming.slotAt(index);
    const end = slot + HEADERS + datagram.length;
    const frame = this.#incoming.memory.bytes.subarray(slot, end);
    this.#writeHeaders(frame, datagram);
    this.#frames[index] = { datagram, frame };
    return frame;
  }

  #writeHeaders(frame: Uint8Array, { length, address, port, tos }: ReceivedDatagram): void {
    emitEthernet({ source: 0, destination: 0, etherType: ETHERTYPE_IPV4 }, frame);
    const ipv4 = {
      dscp: tos >>> 2,
      ecn: tos & 3,
      identification: 0,
      ttl: 1,
      protocol: PROTOCOL_UDP,
      totalLength: frame.length - ETHERNET_LENGTH,
      source: address,
      destination: this.#address,
    };
    emitIpv4(ipv4, frame, ETHERNET_LENGTH);
    const udp = {
      sourcePort: port,
      destinationPort: HPCC_TRANSPORT_PORT,
      length: UDP_LENGTH + length,
      checksum: 0,
    };
    emitUdpHeader(udp, frame, ETHERNET_LENGTH + IPV4_LENGTH);
  }

  #destination(address: number): Uint8Array {
    const known = this.#destinations.get(address);
    if (known !== undefined) return known;
    const name = socketAddress(address, HPCC_TRANSPORT_PORT);
    if (this.#destinations.size === DESTINATIONS_MAX) this.#destinations.clear();
    this.#destinations.set(address, name);
    return name;
  }
}

function hasSameHeaders(a: ReceivedDatagram, b: ReceivedDatagram): boolean {
  return a.length === b.length && a.address === b.address && a.port === b.port && a.tos === b.tos;
}

function openSocket(address: number): number {
  const fd = checked(libc().socket(AF_INET, SOCK_DGRAM_NONBLOCKING, 0), 'opening a UDP socket');
  try {
    bindTransportPort(fd, address, HPCC_TRANSPORT_PORT);
    const set = (level: number, name: number, value: number): number => {
      const bytes = new Uint8Array(new Int32Array([value]).buffer);
      return libc().setsockopt(fd, { level, name }, bytes, bytes.length);
    };
    checked(set(IPPROTO_IP, IP_RECVTOS, 1), 'asking for the type of service of datagrams');
    checked(set(IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO), 'forbidding fragments');
    // Without rights the kernel's limits hold; less only means more losses under bursts.
    set(SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES);
    const isForced = set(SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES) >= 0;
    if (!isForced) set(SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES);
    return fd;
  } catch (error) {
    libc().close(fd);
    throw error;
  }
}
