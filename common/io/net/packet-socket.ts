import { InputError } from '../../errors';
import { anonymousMemory, checked, libc } from './libc';
import { PacketRing } from './packet-ring';
import { SendBatch } from './send-batch';
import type { SocketOption } from './libc';

const AF_PACKET = 17;
const SOCK_RAW_NONBLOCKING = 3 | 0o4000;
const SOL_PACKET = 263;
const SOL_SOCKET = 1;
const ETH_P_ALL = 0x0003;

const PACKET_ADD_MEMBERSHIP: SocketOption = { level: SOL_PACKET, name: 1 };
const PACKET_STATISTICS: SocketOption = { level: SOL_PACKET, name: 6 };
const PACKET_QDISC_BYPASS: SocketOption = { level: SOL_PACKET, name: 20 };
const PACKET_IGNORE_OUTGOING: SocketOption = { level: SOL_PACKET, name: 23 };
const SO_ERROR: SocketOption = { level: SOL_SOCKET, name: 4 };
const SO_SNDBUFFORCE: SocketOption = { level: SOL_SOCKET, name: 32 };
const SO_ATTACH_FILTER: SocketOption = { level: SOL_SOCKET, name: 26 };
/** Size of the C structure sock_filter: one instruction of a classic BPF program. */
const INSTRUCTION_BYTES = 8;

/** Buffer for a result of a system call that is not used. */
const UNUSED = new Uint8Array(4);
const UNUSED_LENGTH = new Uint8Array(new Uint32Array([UNUSED.length]).buffer);

const SEND_BUFFER_BYTES = 8 * 1024 * 1024;

/** Interface names are at most 15 bytes and no path. */
const INTERFACE_NAME = /^[^\s/]{1,15}$/;

/** Counts of the kernel for a socket since they were last read. */
export interface SocketStatistics {
  /** Frames that found no room in the ring. */
  readonly overflowed: number;
}

export interface PacketSocketOptions {
  /** Classic BPF program, as an array of the C structure sock_filter: which frames, and how much. */
  readonly filter?: Uint8Array;
  /** The filter cuts frames, and what it leaves of them is wanted. */
  readonly takesCutFrames?: boolean;
  /** Frames that this machine sends by the interface are wanted too. */
  readonly seesOutgoing?: boolean;
}

/**
 * Frames of one network interface, for any destination. It neither receives nor disturbs the
 * machine's own frames, and it joins no protocol: addresses and routes of the machine play no part.
 */
export class PacketSocket {
  readonly ring: PacketRing;
  readonly sending: SendBatch;

  readonly interfaceName: string;
  readonly fd: number;
  /** Index of the interface; an interface that is deleted and made again gets another. */
  readonly index: number;

  /** Attaches the socket, which the caller closes when this fails. */
  private constructor(
    { interfaceName, fd, index }: Pick<PacketSocket, 'interfaceName' | 'fd' | 'index'>,
    interfaceMtu: number,
    takesCutFrames: boolean,
  ) {
    this.interfaceName = interfaceName;
    this.fd = fd;
    this.index = index;
    this.ring = new PacketRing(fd, interfaceMtu, takesCutFrames);
    try {
      this.sending = new SendBatch(fd, interfaceMtu);
      checked(libc().bind(fd, linkAddress(index), 20), `attaching to ${interfaceName}`);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** @throws InputError when there is no such interface, or the rights to open it are missing. */
  static open(interfaceName: string, options: PacketSocketOptions = {}): PacketSocket {
    const { filter, takesCutFrames = false, seesOutgoing = false } = options;
    const index = interfaceIndex(interfaceName);
    const fd = openSocket(interfaceName);
    try {
      prepare(fd, index, interfaceName);
      if (!seesOutgoing) ignoreOutgoing(fd, interfaceName);
      if (filter !== undefined) attachFilter(fd, filter);
      const bytes = mtu(fd, interfaceName);
      return new PacketSocket({ interfaceName, fd, index }, bytes, takesCutFrames);
    } catch (error) {
      libc().close(fd);
      throw error;
    }
  }

  /** Reading it starts a new count, as the kernel does it. */
  statistics(): SocketStatistics {
    const value = new Uint8Array(8);
    const length = new Uint8Array(new Uint32Array([value.length]).buffer);
    if (libc().getsockopt(this.fd, PACKET_STATISTICS, value, length) < 0) return { overflowed: 0 };
    return { overflowed: new Uint32Array(value.buffer)[1] ?? 0 };
  }

  /**
   * Reads the error that a link going down leaves at the socket: until then the process cannot
   * sleep until frames arrive, and the first frame sent after it is refused.
   */
  forgetError(): void {
    libc().getsockopt(this.fd, SO_ERROR, UNUSED, UNUSED_LENGTH);
  }

  close(): void {
    this.#release();
    libc().close(this.fd);
  }

  /** Gives the memory back, also what a socket has that could not be made whole. */
  #release(): void {
    this.ring.release();
    (this.sending as SendBatch | undefined)?.release();
  }
}

function interfaceIndex(name: string): number {
  const index = INTERFACE_NAME.test(name) ? libc().if_nametoindex(name) : 0;
  if (index !== 0) return index;
  throw new InputError(`no network interface '${name}' (ip link lists those that exist)`);
}

function openSocket(interfaceName: string): number {
  const EPERM = 1;
  // Protocol 0: nothing arrives before the socket is bound to its interface.
  const fd = libc().socket(AF_PACKET, SOCK_RAW_NONBLOCKING, 0);
  if (fd < 0 && libc().errno() === EPERM) {
    throw new InputError(
      `opening interface ${interfaceName} needs root or the capability CAP_NET_RAW`,
    );
  }
  return checked(fd, `opening a packet socket for ${interfaceName}`);
}

function prepare(fd: number, index: number, interfaceName: string): void {
  const PACKET_MR_PROMISC = 1;
  const membership = new DataView(new ArrayBuffer(16));
  membership.setInt32(0, index, true);
  membership.setUint16(4, PACKET_MR_PROMISC, true);
  const set = (option: SocketOption, value: Uint8Array): number =>
    libc().setsockopt(fd, option, value, value.length);
  const one = integer(1);
  checked(
    set(PACKET_ADD_MEMBERSHIP, new Uint8Array(membership.buffer)),
    `receiving all frames of ${interfaceName}`,
  );
  // Both options only make it faster: kernels may be built without either.
  set(PACKET_QDISC_BYPASS, one);
  set(SO_SNDBUFFORCE, integer(SEND_BUFFER_BYTES));
}

function ignoreOutgoing(fd: number, interfaceName: string): void {
  const one = integer(1);
  const result = libc().setsockopt(fd, PACKET_IGNORE_OUTGOING, one, one.length);
  checked(result, `ignoring own frames on ${interfaceName}`);
}

/** The kernel copies the program; it only has to lie somewhere meanwhile. */
function attachFilter(fd: number, program: Uint8Array): void {
  const memory = anonymousMemory(program.length);
  memory.bytes.set(program);
  const description = new DataView(new ArrayBuffer(16));
  description.setUint16(0, program.length / INSTRUCTION_BYTES, true);
  description.setBigUint64(8, memory.address, true);
  const bytes = new Uint8Array(description.buffer);
  const result = libc().setsockopt(fd, SO_ATTACH_FILTER, bytes, bytes.length);
  const code = libc().errno();
  memory.release();
  if (result < 0) throw new InputError(`attaching a socket filter: ${libc().strerror(code)}`);
}

const integer = (value: number): Uint8Array => new Uint8Array(new Int32Array([value]).buffer);

function mtu(fd: number, interfaceName: string): number {
  const SIOCGIFMTU = 0x8921;
  const request = new Uint8Array(40);
  new TextEncoder().encodeInto(interfaceName, request.subarray(0, 15));
  checked(libc().ioctl(fd, SIOCGIFMTU, request), `asking for the MTU of ${interfaceName}`);
  return new DataView(request.buffer).getInt32(16, true);
}

/** The C structure sockaddr_ll: all protocols of one interface. */
function linkAddress(index: number): Uint8Array {
  const address = new DataView(new ArrayBuffer(20));
  address.setUint16(0, AF_PACKET, true);
  address.setUint16(2, ETH_P_ALL, false);
  address.setInt32(4, index, true);
  return new Uint8Array(address.buffer);
}
