import { anonymousMemory, checked, libc } from './libc';
import type { SharedMemory } from './libc';

const SOCK_DGRAM_NONBLOCKING = 2 | 0o4000 | 0o2000000;
const SOL_SOCKET = 1;
const SO_RCVBUF = { level: SOL_SOCKET, name: 8 };
const SO_RCVBUFFORCE = { level: SOL_SOCKET, name: 33 };
const SO_MEMINFO = { level: SOL_SOCKET, name: 55 };
/** Numbers of SO_MEMINFO, and which of them counts drops: linux/sock_diag.h. */
const MEMINFO_NUMBERS = 9;
const MEMINFO_DROPS = 8;
const MSG_DONTWAIT = 0x40;

/** Datagrams per system call. */
const BATCH = 64;
/** Room for the longest datagram of UDP, so that none is cut; pages that none has reached take no memory. */
const DATAGRAM_BYTES = 65_536;
/** Not a multiple of a page, or the first bytes of all datagrams would compete for one cache set. */
const SLOT_BYTES = DATAGRAM_BYTES + 64;
/** Sizes of the C structures mmsghdr and iovec on 64-bit Linux, and offsets in them. */
const MESSAGE_BYTES = 64;
const VECTOR_BYTES = 16;
const MESSAGE_VECTOR = 16;
const MESSAGE_VECTOR_COUNT = 24;
const RECEIVED_LENGTH = 56;
const VECTOR_LENGTH = 8;
const FIXED_BYTES = BATCH * (MESSAGE_BYTES + VECTOR_BYTES);

/** A datagram; the bytes are the receiver's until it returns. */
export type DatagramHandler = (datagram: Buffer) => void;

/** Options of a receiver. */
export interface ReceiverOptions {
  /** The C structure sockaddr_in or sockaddr_in6. */
  readonly socketAddress: Uint8Array;
  /** Bytes that may wait in the kernel, which has a limit of its own for those without rights. */
  readonly bufferBytes: number;
}

/**
 * A UDP socket that only receives, many datagrams per system call, and says exactly how many the kernel has dropped.
 * PERF: a call of Node for each datagram costs three times what the kernel takes for it.
 */
export class DatagramReceiver {
  readonly fd: number;
  readonly #memory: SharedMemory;
  /** The datagram that each slot held last: most have few lengths. */
  readonly #views: (Buffer | undefined)[] = [];

  /** @throws InputError when the address cannot be bound, or on systems other than Linux. */
  constructor({ socketAddress, bufferBytes }: ReceiverOptions) {
    const [family = 0] = new Uint16Array(socketAddress.slice(0, 2).buffer);
    this.fd = checked(libc().socket(family, SOCK_DGRAM_NONBLOCKING, 0), 'opening a UDP socket');
    try {
      const size = new Uint8Array(new Int32Array([bufferBytes]).buffer);
      const isForced = libc().setsockopt(this.fd, SO_RCVBUFFORCE, size, size.length) >= 0;
      if (!isForced) libc().setsockopt(this.fd, SO_RCVBUF, size, size.length);
      const bound = libc().bind(this.fd, socketAddress, socketAddress.length);
      checked(bound, 'binding a UDP socket');
      this.#memory = anonymousMemory(FIXED_BYTES + BATCH * SLOT_BYTES);
    } catch (error) {
      libc().close(this.fd);
      throw error;
    }
    for (let i = 0; i < BATCH; i++) this.#layOut(i);
  }

  /** Hands over what has come, one batch at most, and says how many datagrams that were. */
  drain(handle: DatagramHandler): number {
    const { address } = this.#memory;
    const count = libc().recvmmsg(this.fd, address, BATCH, MSG_DONTWAIT);
    for (let i = 0; i < count; i++) handle(this.#datagram(i));
    return Math.max(0, count);
  }

  /** Bytes that may wait in the kernel, with what the kernel keeps of each datagram besides. */
  room(): number {
    const bytes = new Uint8Array(4);
    const length = new Uint8Array(new Uint32Array([bytes.length]).buffer);
    const got = libc().getsockopt(this.fd, SO_RCVBUF, bytes, length);
    checked(got, 'reading the room of a UDP socket');
    return new Int32Array(bytes.buffer)[0] ?? 0;
  }

  /** Datagrams that found no room in the socket; null where the kernel does not say (before Linux 4.12). */
  dropped(): number | null {
    const numbers = new Uint32Array(MEMINFO_NUMBERS);
    const bytes = new Uint8Array(numbers.buffer);
    const length = new Uint8Array(new Uint32Array([bytes.length]).buffer);
    if (libc().getsockopt(this.fd, SO_MEMINFO, bytes, length) < 0) return null;
    return numbers[MEMINFO_DROPS] ?? null;
  }

  close(): void {
    libc().close(this.fd);
    this.#memory.release();
  }

  #datagram(index: number): Buffer {
    const length = this.#memory.view.getUint32(index * MESSAGE_BYTES + RECEIVED_LENGTH, true);
    const last = this.#views[index];
    if (last?.length === length) return last;
    const view = Buffer.from(this.#memory.bytes.buffer, slotAt(index), length);
    this.#views[index] = view;
    return view;
  }

  #layOut(index: number): void {
    const { address, view } = this.#memory;
    const message = index * MESSAGE_BYTES;
    const vector = BATCH * MESSAGE_BYTES + index * VECTOR_BYTES;
    view.setBigUint64(message + MESSAGE_VECTOR, address + BigInt(vector), true);
    view.setBigUint64(message + MESSAGE_VECTOR_COUNT, 1n, true);
    view.setBigUint64(vector, address + BigInt(slotAt(index)), true);
    view.setBigUint64(vector + VECTOR_LENGTH, BigInt(DATAGRAM_BYTES), true);
  }
}

const slotAt = (index: number): number => FIXED_BYTES + index * SLOT_BYTES;
